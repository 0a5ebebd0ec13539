import { DuckDBInstance } from "@duckdb/node-api";
import { PGlite } from "@electric-sql/pglite";
import { expect, it, onTestFinished } from "vitest";
import { readMigrations } from "../../sql/migrate.ts";

/** A database with what this many migrations of the config store make. */
interface Migrating {
  run(sql: string): Promise<unknown>;
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
  return { run, read: async (sql) => (await connection.runAndReadAll(sql)).getRows().map((row) => row.map(String)) };
}

async function openPglite(): Promise<Migrating> {
  const engine = await PGlite.create();
  onTestFinished(() => engine.close());
  const read = async (sql: string) =>
    (await engine.query<object>(sql)).rows.map((row) => Object.values(row).map(String));
  return { run: (sql) => engine.exec(sql), read };
}

const documents = [
  "('buyer', 'a', 'one', 1, NULL, NULL, '2026-01-01T00:59:59.999Z', '{}')",
  "('buyer', 'b', 'one', 1, NULL, NULL, '2026-01-01T01:00:00.000Z', '{}')",
  "('buyer', 'c', 'one', 1, NULL, NULL, '2026-01-01T01:30:00.001Z', '{}')",
  "('target', 'a', 'two', 1, NULL, NULL, '2026-01-01T01:30:00.000Z', '{}')",
];

it.each([
  ["duckdb", openDuckdb],
  ["postgres", openPglite],
] as const)("documents of before are counted in their hours in %s", async (engine, open) => {
  const { run, read } = await open();
  // One transaction for each, as they are applied.
  for (const { version, sql } of readMigrations("config", engine)) {
    if (version === 3) await run(`INSERT INTO documents VALUES ${documents.join(", ")}`);
    await run("BEGIN");
    await run(sql);
    await run("COMMIT");
  }
  const midnight = Date.parse("2026-01-01T00:00:00.000Z");
  const times = await read("SELECT created_ms FROM documents ORDER BY type, id");
  expect(times.flat().map((ms) => Number(ms) - midnight)).toEqual([3_599_999, 3_600_000, 5_400_001, 5_400_000]);
  const hours = await read("SELECT org_id, type, hour, documents FROM document_hours ORDER BY org_id, type, hour");
  const hour = midnight / 3_600_000;
  expect(hours).toEqual([
    ["one", "buyer", String(hour), "1"],
    ["one", "buyer", String(hour + 1), "2"],
    ["two", "target", String(hour + 1), "1"],
  ]);
});
