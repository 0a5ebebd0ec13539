import { PGlite } from "@electric-sql/pglite";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Database } from "../../../api/config/database.ts";
import { openDuckdbDatabase } from "../../../api/config/database-duckdb.ts";
import { openPostgresDatabase } from "../../../api/config/database-postgres.ts";
import { describeDatabase } from "../../contract/database.ts";

/** PostgreSQL's own code in this process, asked over its wire protocol. */
let engine: PGlite;
let server: PGLiteSocketServer;
beforeAll(async () => {
  engine = await PGlite.create();
  server = new PGLiteSocketServer({ db: engine, port: 0, maxConnections: 10 });
  await server.start();
});
afterAll(async () => {
  await server.stop();
  await engine.close();
});

async function prepare() {
  await engine.exec("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
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
         WHERE table_schema = current_schema() AND table_name <> 'rate_limits' ORDER BY table_name, column_name`,
      );
      return rows.map((row) => Object.values(row).join(" "));
    };
    const columns = await columnsOf(await open());
    expect(columns).toContain("documents doc NO");
    expect(columns).toEqual(await columnsOf(await openDuckdbDatabase({ path: ":memory:" })));
  });
});
