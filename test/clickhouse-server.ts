import { randomUUID } from "node:crypto";
import { type ClickhouseOptions, createClickhouse } from "../sql/clickhouse.ts";
import { startClickhouseServer } from "./services/clickhouse.ts";

let shared: Promise<string> | undefined;

/**
 * The address of a ClickHouse server that tests share, with the user that owns the tables: the one that TEST_CLICKHOUSE_URL
 * names, else one that is started for this process and ends with it. Databases keep tests apart.
 */
export function clickhouseUrl(): Promise<string> {
  shared ??= openShared();
  return shared;
}

async function openShared(): Promise<string> {
  const { TEST_CLICKHOUSE_URL: given } = process.env;
  if (given) return given;
  const { url, removeFolder } = await startClickhouseServer();
  process.once("exit", removeFolder);
  return url;
}

export const newDatabaseName = (): string => `test_${randomUUID().replaceAll("-", "")}`;

/** A database that nobody has, unless it is named; whoever first asks something of it makes it. */
export const clickhouseDatabase = async (database?: string) => optionsAt(await newClickhouseUrl(undefined, database));

/** The client's options for an address: a user that stands in it would win over one that is named beside it. */
export function optionsAt(address: string) {
  const { origin, username, password, pathname } = new URL(address);
  return { url: origin, username, password, database: pathname.slice(1) } satisfies ClickhouseOptions;
}

/** The address of such a database. */
export async function newClickhouseUrl(server?: string, database: string = newDatabaseName()): Promise<string> {
  const url = new URL(server ?? (await clickhouseUrl()));
  url.pathname = `/${database}`;
  return url.href;
}

let emptied: string | undefined;

/** One database whose tables are emptied each time, for tests that come one after the other: quicker than to make them anew. */
export async function emptiedDatabase() {
  emptied ??= newDatabaseName();
  const options = await clickhouseDatabase(emptied);
  const client = createClickhouse({ ...options, database: "default" });
  try {
    const query = `SELECT name FROM system.tables WHERE database = {database:String} AND engine LIKE '%MergeTree'
      AND name <> 'schema_migrations'`;
    const found = await client.query({ query, query_params: { database: emptied }, format: "JSONEachRow" });
    for (const { name } of await found.json<{ name: string }>()) {
      await client.command({ query: `TRUNCATE TABLE ${emptied}.${name}` });
    }
    return options;
  } finally {
    await client.close();
  }
}
