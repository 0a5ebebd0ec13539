import { existsSync, renameSync } from "node:fs";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { SqliteConnection } from "../../sql/sqlite.ts";
import { toSqlite } from "./sqlite-session.ts";

/**
 * Imports the config that an earlier version kept in DuckDB, all of it or nothing, into a database that has none yet. The
 * file is kept as `….imported`.
 */
export async function importDuckdb(connection: SqliteConnection, path: string): Promise<void> {
  if (!existsSync(path)) return;
  if (connection.prepare("SELECT 1 FROM organizations LIMIT 1").get() === undefined) await copyAll(connection, path);
  renameSync(path, `${path}.imported`);
}

async function copyAll(connection: SqliteConnection, path: string): Promise<void> {
  const { openDuckdb } = await import("../../sql/duckdb.ts");
  const instance = await openDuckdb(path, "config", { threads: 1 });
  const source = await instance.connect();
  try {
    const read = await source.runAndReadAll("SELECT table_name || '.' || column_name FROM duckdb_columns()");
    const kept = new Set(read.getRows().flat());
    connection.exec("BEGIN IMMEDIATE");
    // Tables and columns that are newer than that version had nothing yet.
    for (const { name, columns } of tablesOf(connection)) {
      const known = columns.filter((column) => kept.has(`${name}.${column}`));
      if (known.length > 0) await copy(connection, source, { name, columns: known });
    }
    connection.exec("COMMIT");
  } catch (error) {
    if (connection.inTransaction) connection.exec("ROLLBACK");
    throw error;
  } finally {
    source.closeSync();
    instance.closeSync();
  }
}

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
}

function tablesOf(connection: SqliteConnection): Table[] {
  const names = connection
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'schema_migrations'")
    .all() as { readonly name: string }[];
  return names.map(({ name }) => ({
    name,
    columns: (connection.prepare(`SELECT name FROM pragma_table_info('${name}')`).all() as { name: string }[]).map(
      (column) => column.name,
    ),
  }));
}

async function copy(connection: SqliteConnection, source: DuckDBConnection, { name, columns }: Table): Promise<void> {
  const places = columns.map(() => "?").join(", ");
  const insert = connection.prepare(`INSERT INTO ${name} (${columns.join(", ")}) VALUES (${places})`);
  const result = await source.stream(`SELECT ${columns.join(", ")} FROM ${name}`);
  for await (const rows of result.yieldRowsJs())
    for (const row of rows) insert.run(row.map((value) => toSqlite(value)));
}
