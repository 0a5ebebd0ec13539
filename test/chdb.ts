import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createChdbConnection } from "chdb/connection";
import type { ClickhouseOptions } from "../sql/clickhouse.ts";

/** The engine has one folder in a process: databases in it keep tests apart. */
let folder: string | undefined;

export function engineFolder(): string {
  if (folder === undefined) {
    const made = mkdtempSync(join(tmpdir(), "trunkline-chdb-"));
    process.once("exit", () => rmSync(made, { recursive: true, force: true }));
    folder = made;
  }
  return folder;
}

export const newDatabaseName = (): string => `test_${randomUUID().replaceAll("-", "")}`;

/** A connection to ClickHouse's engine in this process, in a database that is made unless it is there. */
export async function connectChdb(database: string = newDatabaseName()) {
  const connection = createChdbConnection({ path: engineFolder() });
  await connection.command({ query: `CREATE DATABASE IF NOT EXISTS ${database}` });
  await connection.command({ query: `USE ${database}` });
  // The driver and the engine's binding declare the same interface, each with a copy of its own.
  return connection as unknown as NonNullable<ClickhouseOptions["connection"]>;
}

let emptied: string | undefined;

/**
 * Likewise in one database whose tables are emptied each time, for tests that come one after the other: to make them
 * anew costs fifty times as much.
 */
export async function connectEmptied() {
  emptied ??= newDatabaseName();
  const connection = await connectChdb(emptied);
  const { stream } = await connection.query({
    query: `SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'
      AND name <> 'schema_migrations' FORMAT TSV`,
  });
  for (const table of (await text(stream)).split("\n").filter(Boolean)) {
    await connection.command({ query: `TRUNCATE TABLE ${table}` });
  }
  return connection;
}
