import { onTestFinished } from "vitest";
import { createClickhouse } from "../../sql/clickhouse.ts";
import { clickhouseReportDialect } from "../../warehouse/calls/report-dialect-clickhouse.ts";
import { raw, sql } from "../../warehouse/statement.ts";
import { openClickhouseProxy } from "../clickhouse-proxy.ts";
import { newClickhouseUrl } from "../clickhouse-server.ts";
import { until } from "../ingest/log/kafka/rig.ts";
import { type ClickhouseServer, startClickhouseServer } from "../services/clickhouse.ts";
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
  const server = await startClickhouseServer();
  onTestFinished(server.stop);
  const { dieIn, address } = await openDying(server);
  const command = async (query: string) => {
    const client = createClickhouse({ url: address });
    await client.command({ query }).finally(() => client.close());
  };
  const faults = [
    {
      name: "a table is missing",
      begin: () => command(`RENAME TABLE ${stored} TO hidden`),
      end: () => command(`RENAME TABLE hidden TO ${stored}`),
    },
    {
      name: "it lets nobody in",
      begin: () => server.startAgain({ ownerPassword: "another" }),
      end: () => server.startAgain(),
    },
    { name: "it is stopped", begin: server.kill, end: () => server.startAgain() },
    { name: "it is killed amid an insert", ...dieIn("amid") },
    { name: "it is killed before it can tell of an insert", ...dieIn("after") },
  ];
  return {
    address,
    loadersAtOnce: 2,
    dialect: clickhouseReportDialect,
    faults,
    open: () => openWarehouseAt(address),
    async read(look) {
      const warehouse = await openWarehouseAt(address);
      return look(warehouse).finally(() => warehouse.close());
    },
  };
}

/** An address of the server where an insert into a table that lasts is told to end it. */
async function openDying(server: ClickhouseServer) {
  let dies: "amid" | "after" | undefined;
  let isDead = false;
  const proxy = await openClickhouseProxy(server.url, async (statement, send) => {
    if (dies === undefined || !statement.startsWith("INSERT INTO stored_")) return send();
    const when = dies;
    dies = undefined;
    const answer = send();
    answer.catch(() => undefined);
    await (when === "after" ? answer : Promise.race([answer, untilItRuns(server)]));
    await server.kill();
    isDead = true;
    throw new Error("The server is dead.");
  });
  const dieIn = (when: "amid" | "after") => ({
    async begin() {
      isDead = false;
      dies = when;
    },
    came: () => until(() => isDead),
    end: () => server.startAgain(),
  });
  return { dieIn, address: await newClickhouseUrl(proxy.url) };
}

async function untilItRuns({ url }: ClickhouseServer): Promise<void> {
  const client = createClickhouse({ url });
  const query = "SELECT 1 FROM system.processes WHERE query LIKE 'INSERT INTO stored\\_%' LIMIT 1";
  try {
    while ((await (await client.query({ query, format: "TabSeparated" })).text()) === "");
  } finally {
    await client.close();
  }
}

export const faultyStores = [
  { engine: "DuckDB", openStore: openFaultyDuckdb },
  { engine: "ClickHouse", openStore: openFaultyClickhouse },
] as const;
