import { PGlite } from "@electric-sql/pglite";

let engine: Promise<PGlite> | undefined;

/**
 * PostgreSQL's own code in this process, without a table. To start it costs some seconds, so tests that come one after
 * the other are given the same one; it ends with the process.
 */
export async function openPglite(): Promise<PGlite> {
  engine ??= PGlite.create();
  const opened = await engine;
  // Whatever the one before has left: a transaction, what it set and listens to, its tables.
  for (const sql of ["ROLLBACK", "DISCARD ALL", "DROP SCHEMA public CASCADE", "CREATE SCHEMA public"]) {
    await opened.exec(sql);
  }
  return opened;
}
