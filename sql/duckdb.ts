import { mkdirSync } from "node:fs";
import { totalmem } from "node:os";
import { dirname } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { type Migration, migrate, readMigrations } from "./migrate.ts";

export interface DuckdbOptions {
  /** Its SQL may read and write files of the machine: only for a tool that exports. */
  readonly allowFiles?: boolean;
  /**
   * Memory limit of the engine; beyond it the engine works on disk, beside the file. Default: half of the machine's.
   */
  readonly memoryLimitBytes?: number;
  /** The file stays as it is, and other processes may read it, too. */
  readonly readOnly?: boolean;
  /** Threads of the engine; default: one for each core. Statements that touch a few rows are quicker with one. */
  readonly threads?: number;
}

/**
 * Opens a DuckDB file (or `:memory:`) with its store's schema brought up to date. Nothing outside the file can be
 * reached from its SQL unless files are allowed, no extension is fetched or loaded, and no statement can change that.
 */
export async function openDuckdb(path: string, store: string, options: DuckdbOptions = {}): Promise<DuckDBInstance> {
  if (path !== ":memory:") mkdirSync(dirname(path), { recursive: true });
  const instance = await create(path, options);
  const connection = await instance.connect();
  try {
    await migrate(duckdbTarget(connection), readMigrations(store, "duckdb"));
  } catch (error) {
    instance.closeSync();
    throw error;
  } finally {
    connection.closeSync();
  }
  return instance;
}

/** Opening failed because another process has the file open. */
export class DuckdbFileInUse extends Error {
  override readonly name = "DuckdbFileInUse";
}

/**
 * Opens a DuckDB file of a store for reading alone, with what a killed process has left beside it. Throws `DuckdbFileInUse`,
 * and an error where its schema is of another version than this program's.
 */
export async function openDuckdbToRead(path: string, store: string): Promise<DuckDBInstance> {
  const instance = await create(path, { readOnly: true });
  const connection = await instance.connect();
  try {
    const rows = await connection.runAndReadAll("SELECT max(version) FROM schema_migrations");
    const version = Number(rows.getRows()[0]?.[0] ?? 0);
    const newest = Math.max(...readMigrations(store, "duckdb").map((migration) => migration.version));
    if (version !== newest) {
      const [age, advice] = version < newest ? ["an older", "make it anew"] : ["a newer", "use that one"];
      throw new Error(`${path} was written by ${age} version of this program: ${advice}.`);
    }
    return instance;
  } catch (error) {
    instance.closeSync();
    throw error;
  } finally {
    connection.closeSync();
  }
}

/** Disk space that all statements together may use beyond memory; the engine's own limit is nearly the whole disk. */
const mostOnDisk = "16GB";
/** Bytes of this machine, or of the container that the process is in. */
export const memoryOfMachine = (): number =>
  Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);

/**
 * Size of the write-ahead log at which its rows move into the file. Each time the part that fills up (122,880 rows of a table)
 * is written anew: with the engine's 16 MB that took 30 % of the work of loading records of pings, with this 15. Whoever opens
 * the file then, or a copy, reads the log for up to 0.25 s.
 */
const checkpointAt = "64MB";

async function create(path: string, options: DuckdbOptions): Promise<DuckDBInstance> {
  const { allowFiles = false, memoryLimitBytes = memoryOfMachine() / 2, readOnly = false, threads } = options;
  try {
    return await DuckDBInstance.create(path, {
      autoinstall_known_extensions: "false",
      autoload_known_extensions: "false",
      allow_community_extensions: "false",
      enable_external_access: String(allowFiles),
      max_temp_directory_size: mostOnDisk,
      memory_limit: `${Math.floor(memoryLimitBytes)}B`,
      checkpoint_threshold: checkpointAt,
      lock_configuration: "true",
      ...(readOnly ? { access_mode: "READ_ONLY" } : {}),
      ...(threads === undefined ? {} : { threads: String(threads) }),
    });
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes("Could not set lock")) throw error;
    const advice = "stop that one, or set DATA_DIR to another folder";
    throw new DuckdbFileInUse(`${path} is in use by another process: ${advice}.`, { cause: error });
  }
}

function duckdbTarget(connection: DuckDBConnection) {
  return {
    async applied() {
      await connection.run(
        `CREATE TABLE IF NOT EXISTS schema_migrations
           (version INTEGER PRIMARY KEY, name VARCHAR NOT NULL, checksum VARCHAR NOT NULL, applied_at TIMESTAMP NOT NULL)`,
      );
      const rows = await connection.runAndReadAll("SELECT version, checksum FROM schema_migrations");
      return rows.getRows().map(([version, checksum]) => ({ version: Number(version), checksum: String(checksum) }));
    },
    apply: ({ version, name, sql, checksum }: Migration) =>
      inTransaction(connection, async () => {
        await connection.run(sql);
        await connection.run(
          "INSERT INTO schema_migrations VALUES ($1, $2, $3, current_timestamp::TIMESTAMPTZ AT TIME ZONE 'UTC')",
          [version, name, checksum],
        );
      }),
  };
}

/** Commits what `work` did on the connection, or rolls it back when it throws. */
export async function inTransaction<T>(connection: DuckDBConnection, work: () => Promise<T>): Promise<T> {
  await connection.run("BEGIN");
  try {
    const result = await work();
    await connection.run("COMMIT");
    return result;
  } catch (error) {
    // A failed COMMIT has ended the transaction already; then there is nothing to roll back.
    await connection.run("ROLLBACK").catch(() => undefined);
    throw error;
  }
}
