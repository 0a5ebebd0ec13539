import { DuckDBInstance } from "@duckdb/node-api";
import Sqlite from "libsql";
import { onTestFinished } from "vitest";
import { readMigrations } from "../../sql/migrate.ts";
import { openPglite } from "../pglite.ts";

/** A config database that is brought up to date step by step. */
interface Migrating {
  /** Each migration up to this one that was not applied before, in a transaction of its own. */
  applyUpTo(version: number): Promise<void>;
  run(sql: string): Promise<unknown>;
  /** All values as text. */
  read(sql: string): Promise<unknown[][]>;
}

async function openDuckdb(): Promise<Migrating> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  onTestFinished(() => {
    connection.closeSync();
    instance.closeSync();
  });
  const run = (sql: string) => connection.run(sql);
  const read = async (sql: string) => (await connection.runAndReadAll(sql)).getRows().map((row) => row.map(String));
  return { run, read, applyUpTo: applying("duckdb", run) };
}

async function openSqlite(): Promise<Migrating> {
  const connection = new Sqlite(":memory:");
  onTestFinished(() => void connection.close());
  const run = async (sql: string) => void connection.exec(sql);
  const read = async (sql: string) =>
    (connection.prepare(sql).raw().all() as unknown[][]).map((row) => row.map(String));
  return { run, read, applyUpTo: applying("sqlite", run) };
}

async function openPostgres(): Promise<Migrating> {
  const engine = await openPglite();
  const run = (sql: string) => engine.exec(sql);
  const parsers = { 114: (text: string) => text };
  const read = async (sql: string) =>
    (await engine.query<object>(sql, [], { parsers })).rows.map((row) => Object.values(row).map(String));
  return { run, read, applyUpTo: applying("postgres", run) };
}

function applying(engine: string, run: Migrating["run"]): Migrating["applyUpTo"] {
  let applied = 0;
  return async (version) => {
    for (const { version: each, sql } of readMigrations("config", engine)) {
      if (each <= applied || each > version) continue;
      await run("BEGIN");
      await run(sql);
      await run("COMMIT");
      applied = each;
    }
  };
}

export const migrating = [
  ["duckdb", openDuckdb],
  ["postgres", openPostgres],
] as const;

/** The engines of today, whose migrations have numbers of their own. */
export const migratingToday = { sqlite: openSqlite, postgres: openPostgres };
