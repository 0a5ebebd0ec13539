import { existsSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { embeddedFile, openSqliteDatabase } from "../../../api/database/database-sqlite.ts";
import { openDuckdb } from "../../../sql/duckdb.ts";
import { temporaryFolder } from "../../temporary.ts";

async function open(dataDir: string) {
  const database = await openSqliteDatabase(embeddedFile(dataDir));
  onTestFinished(() => database.close());
  return database;
}

describe("the config database in a file", () => {
  it("finds what it kept when it is opened again", async () => {
    const dataDir = temporaryFolder();
    const first = await open(dataDir);
    await first.query("INSERT INTO sequences (name, value) VALUES ('pool', 7)");
    await first.close();
    const second = await open(dataDir);
    expect(await second.query("SELECT name, value FROM sequences")).toEqual([{ name: "pool", value: 7 }]);
  });

  it("is one process's at a time, and says so", async () => {
    const dataDir = temporaryFolder();
    const first = await open(dataDir);
    await expect(open(dataDir)).rejects.toThrow(/platform\.sqlite is in use by another process: stop that one/);
    await first.close();
    await open(dataDir);
  });

  it("fails what is asked when it is no database, with the file's name", async () => {
    const folder = temporaryFolder();
    await expect(openSqliteDatabase({ path: folder })).rejects.toThrow(/cannot be opened|unable to open/i);
  });

  it("takes over once what an earlier version kept in DuckDB, and leaves that file", async () => {
    const dataDir = temporaryFolder();
    const { importFrom } = embeddedFile(dataDir);
    await keepInDuckdb(importFrom);
    const first = await open(dataDir);
    expect(await first.query("SELECT id, is_admin, revoked_at FROM api_keys ORDER BY id")).toEqual([
      { id: "k1", is_admin: true, revoked_at: null },
      { id: "k2", is_admin: false, revoked_at: "2026-01-02T00:00:00.000Z" },
    ]);
    expect(await first.query("SELECT type, doc, created_ms FROM documents")).toEqual([
      { type: "buyer", doc: '{"id":"b","name":"Zoë"}', created_ms: 1767225600000 },
    ]);
    expect([existsSync(importFrom), existsSync(`${importFrom}.imported`)]).toEqual([false, true]);
    await first.query("DELETE FROM documents");
    await first.close();
    // As when the process had been killed before it could rename the file.
    await keepInDuckdb(importFrom);
    const second = await open(dataDir);
    expect(await second.query("SELECT type FROM documents")).toEqual([]);
  });
});

/** Config as the versions before wrote it. */
async function keepInDuckdb(path: string): Promise<void> {
  const instance = await openDuckdb(path, "config");
  const connection = await instance.connect();
  await connection.run(`
    INSERT INTO organizations VALUES ('org_one', 'One', 'UTC', '2026-01-01T00:00:00.000Z');
    INSERT INTO api_keys VALUES ('k1', 'org_one', 'n', 'p', 'h1', true, '2026-01-01T00:00:00.000Z', NULL, NULL),
      ('k2', 'org_one', 'n', 'p', 'h2', false, '2026-01-01T00:00:00.000Z', NULL, '2026-01-02T00:00:00.000Z');
    INSERT INTO documents (type, id, org_id, version, created_at, created_ms, doc)
      VALUES ('buyer', 'b', 'org_one', 3, '2026-01-01T00:00:00.000Z', 1767225600000, '{"id":"b","name":"Zoë"}')`);
  connection.closeSync();
  instance.closeSync();
}
