import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Sqlite from "libsql";
import { type Migration, migrate, readMigrations } from "./migrate.ts";

export type SqliteConnection = Sqlite.Database;

/**
 * Opens a SQLite file (or `:memory:`) with its store's schema brought up to date. The file belongs to this connection
 * alone until it is closed. A commit is on the disk when it returns, until the caller lowers `synchronous` and syncs by itself.
 * Throws where another process has it open.
 */
export async function openSqlite(path: string, store: string): Promise<SqliteConnection> {
  if (path !== ":memory:") mkdirSync(dirname(path), { recursive: true });
  try {
    const connection = new Sqlite(path);
    // Exclusive before WAL: so the file needs no shared memory beside it.
    connection.exec("PRAGMA locking_mode = EXCLUSIVE");
    connection.exec("PRAGMA journal_mode = WAL");
    connection.exec("PRAGMA synchronous = FULL");
    await migrate(sqliteTarget(connection), readMigrations(store, "sqlite"));
    return connection;
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError) || error.code !== "SQLITE_BUSY") throw error;
    throw new Error(`${path} is in use by another process: stop that one, or set DATA_DIR to another folder.`, {
      cause: error,
    });
  }
}

/** Closes the file, whole in itself, and lets go of it: the driver alone would do so when its statements are collected. */
export function closeSqlite(connection: SqliteConnection): void {
  try {
    connection.exec("PRAGMA journal_mode = DELETE");
    connection.exec("PRAGMA locking_mode = NORMAL");
    // The lock is given back by the next read.
    connection.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get();
  } finally {
    connection.close();
  }
}

const sqliteTarget = (connection: SqliteConnection) => ({
  async applied() {
    connection.exec(
      `CREATE TABLE IF NOT EXISTS schema_migrations
         (version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at TEXT NOT NULL)`,
    );
    const rows = connection.prepare("SELECT version, checksum FROM schema_migrations").all() as Migration[];
    return rows.map(({ version, checksum }) => ({ version, checksum }));
  },
  async apply({ version, name, sql, checksum }: Migration) {
    connection.exec("BEGIN IMMEDIATE");
    try {
      connection.exec(sql);
      connection
        .prepare("INSERT INTO schema_migrations VALUES (?, ?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))")
        .run(version, name, checksum);
      connection.exec("COMMIT");
    } catch (error) {
      if (connection.inTransaction) connection.exec("ROLLBACK");
      throw error;
    }
  },
});
