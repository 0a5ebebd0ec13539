import Sqlite from "libsql";

/**
 * Reads the whole of a file with what its log of writes (`-wal`) adds to it, checks it as the engine can, and returns how
 * many rows the table has. Throws what is wrong. Changes nothing, as it leaves the file open: closing it would write what is
 * in the log to it. So the process is to end then, as the engine may make it.
 */
export function readWholeSqlite(path: string, table: string): number {
  const connection = new Sqlite(path, { readonly: true, fileMustExist: true });
  // In this mode it reads the write-ahead log without creating a file beside it.
  connection.exec("PRAGMA locking_mode = EXCLUSIVE");
  const faults = connection.prepare("PRAGMA integrity_check(1)").pluck().all();
  if (faults[0] !== "ok") throw new Error(String(faults[0]));
  // A process that was killed as it made the file may have left it without.
  const isThere = connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?").get(table) !== undefined;
  return isThere ? Number(connection.prepare(`SELECT count(*) FROM ${table}`).pluck().all()[0]) : 0;
}
