import { PGlite } from "@electric-sql/pglite";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { afterAll, beforeAll } from "vitest";
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

describeDatabase({
  name: "PGlite",
  async prepare() {
    await engine.exec("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
    const url = `postgresql://postgres@${server.getServerConn()}/postgres`;
    return () => openPostgresDatabase({ url, poolSize: 1 });
  },
  oneHandleBecause: "its connections share one session",
});
