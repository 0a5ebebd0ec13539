import type { PGlite } from "@electric-sql/pglite";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { findStretch } from "../../../api/config/document-hours.ts";
import { deleteDocument, findDocument } from "../../../api/config/documents.ts";
import { createConfigStore } from "../../../api/config/store.ts";
import type { Database } from "../../../api/database/database.ts";
import { openDuckdbDatabase } from "../../../api/database/database-duckdb.ts";
import { openPostgresDatabase } from "../../../api/database/database-postgres.ts";
import { readMigrations } from "../../../sql/migrate.ts";
import { describeDatabase } from "../../contract/database.ts";
import { orgOne, secondsIn, startOfTime } from "../../make.ts";
import { createManualClock } from "../../manual-clock.ts";
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

describe("the schemas of PostgreSQL and DuckDB", () => {
  it("have the same tables, columns and what may be null, but for counters that only processes sharing a database need", async () => {
    const open = await prepare();
    const columnsOf = async (database: Database) => {
      onTestFinished(() => database.close());
      const rows = await database.query(
        `SELECT table_name, column_name, is_nullable FROM information_schema.columns
         WHERE table_schema = current_schema() AND table_name NOT IN ('rate_limits', 'rtb_notices') ORDER BY table_name, column_name`,
      );
      return rows.map((row) => Object.values(row).join(" "));
    };
    const columns = await columnsOf(await open());
    expect(columns).toContain("documents doc NO");
    expect(columns).toEqual(await columnsOf(await openDuckdbDatabase({ path: ":memory:" })));
  });
});

describe("a document of PostgreSQL", () => {
  const aBuyer = (id: string) => ({
    type: "buyer" as const,
    doc: { id, org_id: orgOne, name: id, created_at: secondsIn(0), updated_at: secondsIn(0) },
  });

  async function openWithBuyers(...ids: string[]) {
    const database = await (await prepare())();
    onTestFinished(() => database.close());
    await createConfigStore(database, createManualClock(startOfTime)).save(orgOne, ids.map(aBuyer));
    const page = { limit: 10, offset: 0, direction: "asc" } as const;
    const counted = async () => (await findStretch(database, orgOne, { type: "buyer", page })).total;
    return { database, counted };
  }

  it("is counted out once, whether or not the version of the program that deletes it does so", async () => {
    const { database, counted } = await openWithBuyers("a", "b", "c", "d");
    await database.transaction(async (db) => {
      const stored = await findDocument(db, orgOne, "buyer", "a");
      if (stored !== null) await deleteDocument(db, stored);
    });
    expect(await counted()).toBe(3);
    await database.transaction(async (db) => {
      await db.query("DELETE FROM documents WHERE id = 'b'");
      await db.query("DELETE FROM documents WHERE id = 'c'");
    });
    expect(await counted()).toBe(1);
  });

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
    const counts = await engine.query("SELECT type, documents FROM document_hours ORDER BY type");
    expect(counts.rows.map((row) => Object.values(row as object).map(String))).toEqual([
      ["buyer", "1"],
      ["target", "1"],
    ]);
  });
});
