import { createClickhouse } from "../../sql/clickhouse.ts";
import { clickhouseHistoryDialect } from "../../warehouse/history/dialect-clickhouse.ts";
import { raw, sql } from "../../warehouse/statement.ts";
import { newDatabaseName } from "../chdb.ts";
import { startClickhouseProcess } from "../clickhouse-child.ts";
import { until } from "../ingest/log/kafka/rig.ts";
import { type LoaderStore, openDuckdbStore } from "./loader-stores.ts";
import { openWarehouseAt } from "./warehouse-at.ts";

/** Something that keeps a store from taking rows. */
export interface Fault {
  readonly name: string;
  begin(): Promise<unknown>;
  /** Resolves when it is there, where it needs an insert to come about. */
  came?(): Promise<void>;
  end(): Promise<unknown>;
}

export interface FaultyStore extends LoaderStore {
  readonly faults: readonly Fault[];
}

const stored = "stored_outgoing_webhook_requests";

async function openFaultyDuckdb(): Promise<FaultyStore> {
  const store = await openDuckdbStore();
  // Its queries are not for SELECT alone, and nobody else may open its file.
  const rename = (from: string, to: string) =>
    store.read((warehouse) => warehouse.query(sql`ALTER TABLE ${raw(from)} RENAME TO ${raw(to)}`));
  const faults = [
    { name: "a table is missing", begin: () => rename(stored, "hidden"), end: () => rename("hidden", stored) },
  ];
  return { ...store, faults };
}

async function openFaultyClickhouse(): Promise<FaultyStore> {
  const server = await startClickhouseProcess();
  const database = newDatabaseName();
  const address = `${server.url}/${database}`;
  const command = async (query: string) => {
    const client = createClickhouse({ url: server.url, database });
    await client.command({ query }).finally(() => client.close());
  };
  const dying = (dies: "amid" | "after") => ({
    ...{ begin: () => server.order({ dies }), came: () => until(server.isGone), end: server.startAgain },
  });
  const faults = [
    {
      name: "a table is missing",
      begin: () => command(`RENAME TABLE ${stored} TO hidden`),
      end: () => command(`RENAME TABLE hidden TO ${stored}`),
    },
    {
      name: "it lets nobody in",
      begin: () => server.order({ password: "another" }),
      end: () => server.order({ password: "" }),
    },
    { name: "it is stopped", begin: server.kill, end: server.startAgain },
    { name: "it is killed amid an insert", ...dying("amid") },
    { name: "it is killed before it can tell of an insert", ...dying("after") },
  ];
  return {
    ...{ address, loadersAtOnce: 2, dialect: clickhouseHistoryDialect, faults },
    open: () => openWarehouseAt(address),
    async read(look) {
      const warehouse = await openWarehouseAt(address);
      return look(warehouse).finally(() => warehouse.close());
    },
  };
}

export const faultyStores = [
  { engine: "DuckDB", openStore: openFaultyDuckdb },
  { engine: "ClickHouse", openStore: openFaultyClickhouse },
] as const;
