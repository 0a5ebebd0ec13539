import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openDuckdb, openDuckdbToRead } from "../../sql/duckdb.ts";
import { temporaryFolder } from "../temporary.ts";

async function openFile(options: Parameters<typeof openDuckdb>[2] = {}) {
  const folder = temporaryFolder();
  const instance = await openDuckdb(join(folder, "warehouse.duckdb"), "warehouse", options);
  const connection = await instance.connect();
  onTestFinished(() => {
    connection.closeSync();
    instance.closeSync();
  });
  const file = join(folder, "secret.csv");
  writeFileSync(file, "a\n1\n");
  return { folder, file, run: async (sql: string) => (await connection.runAndReadAll(sql)).getRows() };
}

describe("a DuckDB file", () => {
  it("lets its SQL reach no file, no extension and no setting", async () => {
    const { file, folder, run } = await openFile();
    for (const sql of [
      `SELECT * FROM read_csv('${file}')`,
      `SELECT content FROM read_text('${file}')`,
      `SELECT * FROM glob('${folder}/*')`,
      `COPY (SELECT 1) TO '${folder}/out.csv'`,
      `ATTACH '${folder}/other.duckdb' AS other`,
      `EXPORT DATABASE '${folder}/all'`,
      "INSTALL httpfs",
      "LOAD httpfs",
      "SET enable_external_access = true",
      "SET lock_configuration = false",
      "SET memory_limit = '1TB'",
    ]) {
      await expect(run(sql), sql).rejects.toThrow(/disabled|locked|Cannot/);
    }
  });

  it("lets a tool that exports reach files, and still no setting", async () => {
    const { file, folder, run } = await openFile({ allowFiles: true });
    expect(await run(`SELECT * FROM read_csv('${file}')`)).toHaveLength(1);
    await run(`COPY (SELECT 1) TO '${folder}/out.parquet' (FORMAT parquet)`);
    await expect(run("SET memory_limit = '1TB'")).rejects.toThrow("locked");
  });

  it("works beyond its memory on disk", { tags: ["slow"] }, async () => {
    const { run } = await openFile({ memoryLimitBytes: 100 * 1024 * 1024 });
    await run("CREATE TABLE t AS SELECT range AS a, md5(range::VARCHAR) AS b FROM range(2000000)");
    expect(await run("SELECT count(*) FROM (SELECT b, count(*) FROM t GROUP BY b)")).toEqual([[2_000_000n]]);
  });
});

it("opens a file for reading alone only if it is of this program's version", async () => {
  const path = join(temporaryFolder(), "warehouse.duckdb");
  const instance = await openDuckdb(path, "warehouse");
  const connection = await instance.connect();
  await connection.run("INSERT INTO schema_migrations VALUES (9999, 'later', '', current_timestamp::TIMESTAMP)");
  connection.closeSync();
  instance.closeSync();
  await expect(openDuckdbToRead(path, "warehouse")).rejects.toThrow(/written by a newer version of this program/);
});
