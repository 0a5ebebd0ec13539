import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, it } from "vitest";
import { openDuckdb } from "../../sql/duckdb.ts";
import { checkDuckdbHead } from "../../sql/duckdb-file.ts";
import { readWholeDuckdb } from "../../sql/read-whole-duckdb.ts";
import { temporaryFolder } from "../temporary.ts";

/** Rows that were not written to the file itself when its process ended stay in its log of writes. */
async function aFile(statements: readonly string[]): Promise<string> {
  const path = join(temporaryFolder(), "some.duckdb");
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  for (const each of statements) await connection.run(each);
  connection.closeSync();
  instance.closeSync();
  return path;
}

it("counts the rows of every table of every schema", async () => {
  const path = await aFile([
    "CREATE SCHEMA other",
    "CREATE TABLE one AS SELECT range AS n FROM range(5)",
    `CREATE TABLE other."a ""table""" AS SELECT range AS n FROM range(7)`,
  ]);
  checkDuckdbHead(path);
  expect([...(await readWholeDuckdb(path))].sort()).toEqual([
    ['a "table"', 7],
    ["one", 5],
  ]);
});

it.each(["warehouse", "config"])("reads the whole of a new %s", async (store) => {
  const path = join(temporaryFolder(), "new.duckdb");
  (await openDuckdb(path, store)).closeSync();
  checkDuckdbHead(path);
  expect((await readWholeDuckdb(path)).get("schema_migrations")).toBeGreaterThan(0);
});

it("refuses what is no such file, and what is shorter than any", async () => {
  const path = await aFile(["CREATE TABLE one AS SELECT 1 AS n"]);
  truncateSync(path, 5000);
  expect(() => checkDuckdbHead(path)).toThrow("is 5000 bytes long");
  writeFileSync(path, "x".repeat(20_000));
  expect(() => checkDuckdbHead(path)).toThrow("does not begin as a DuckDB file does");
});

it("meets what is damaged within", async () => {
  const path = await aFile(["CREATE TABLE one AS SELECT range AS n, md5(range::VARCHAR) AS text FROM range(300000)"]);
  truncateSync(path, 5 * 262_144);
  await expect(readWholeDuckdb(path)).rejects.toThrow(path);
});
