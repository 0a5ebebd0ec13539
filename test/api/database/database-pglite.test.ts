// @module-tag slow
import type { PGlite } from "@electric-sql/pglite";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Database } from "../../../api/database/database.ts";
import { openPostgresDatabase } from "../../../api/database/database-postgres.ts";
import { openSqliteDatabase } from "../../../api/database/database-sqlite.ts";
import { readMigrations } from "../../../sql/migrate.ts";
import { describeDatabase } from "../../contract/database.ts";
import { openPglite } from "../../pglite.ts";

const renew = "DROP SCHEMA public CASCADE; CREATE SCHEMA public";

/** PostgreSQL's own code in this process, asked over its wire protocol. */
let engine: PGlite;
let server: PGLiteSocketServer;
beforeAll(async () => {
  engine = await openPglite();
  server = new PGLiteSocketServer({ db: engine, port: 0, maxConnections: 10 });
  await server.start();
});
afterAll(() => server.stop());

/** To empty the tables that are there, no trigger being fired, costs a tenth of making them anew. */
async function prepare() {
  const found = await engine.query<{ tablename: string }>(
    "SELECT tablename FROM pg_tables WHERE schemaname = 'public'",
  );
  const tables = found.rows.map(({ tablename }) => tablename);
  const filled = tables.filter((name) => name !== "schema_migrations");
  const emptying = filled.map((name) => `DELETE FROM ${name};`).join("");
  const empty = `SET session_replication_role = replica; ${emptying} SET session_replication_role = DEFAULT`;
  await engine.exec(filled.length < tables.length ? empty : renew);
  const url = `postgresql://postgres@${server.getServerConn()}/postgres`;
  return () => openPostgresDatabase({ url, poolSize: 1 });
}

describeDatabase({ name: "PGlite", prepare, oneHandleBecause: "its connections share one session" });

describe("the schemas of PostgreSQL and SQLite", () => {
  it("have the same tables, columns and what may be null, but for counters that only processes sharing a database need", async () => {
    const open = await prepare();
    const columnsOf = async (database: Database, sql: string) => {
      onTestFinished(() => database.close());
      return (await database.query(sql)).map((row) => Object.values(row).join(" "));
    };
    const columns = await columnsOf(
      await open(),
      `SELECT table_name, column_name, CASE WHEN is_nullable = 'YES' THEN 'or nothing' END AS nullable
       FROM information_schema.columns WHERE table_schema = current_schema()
         AND table_name NOT IN ('rate_limits', 'schema_migrations')
       ORDER BY table_name COLLATE "C", column_name COLLATE "C"`,
    );
    expect(columns).toContain("open_calls campaign_id or nothing");
    const inSqlite = await columnsOf(
      await openSqliteDatabase({ path: ":memory:" }),
      `SELECT t.name AS table_name, c.name, CASE WHEN c."notnull" = 0 THEN 'or nothing' END AS nullable
       FROM sqlite_schema AS t, pragma_table_info(t.name) AS c WHERE t.type = 'table' AND t.name <> 'schema_migrations'
       ORDER BY t.name, c.name`,
    );
    expect(inSqlite).toEqual(columns);
  });
});

describe("a document of PostgreSQL", () => {
  it("that was deleted while it was changed no longer holds what it named", async () => {
    await engine.exec(renew);
    const migrations = readMigrations("config", "postgres");
    const apply = async (from: number, to: number) => {
      for (const { version, sql } of migrations) if (version >= from && version <= to) await engine.exec(sql);
    };
    await apply(1, 6);
    await engine.exec(`
      INSERT INTO documents (type, id, org_id, version, created_at, created_ms, doc)
        VALUES ('buyer', 'b', 'o', 1, '', 0, '{}'), ('target', 't', 'o', 1, '', 0, '{}');
      INSERT INTO document_references (org_id, from_type, from_id, to_type, to_id)
        VALUES ('o', 'target', 't', 'buyer', 'b'), ('o', 'target', 'gone', 'buyer', 'b'), ('o', 'buyer', 't', 'buyer', 'b')`);
    await apply(7, 7);
    const { rows } = await engine.query("SELECT from_type, from_id FROM document_references");
    expect(rows).toEqual([{ from_type: "target", from_id: "t" }]);
  });
});
