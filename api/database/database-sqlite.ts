import { closeSync, fdatasync, fsyncSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";
import pLimit from "p-limit";
import { openSqlite, type SqliteConnection } from "../../sql/sqlite.ts";
import { type ConfigChange, createListeners, type Database, DatabaseError, runWork } from "./database.ts";
import { importDuckdb } from "./import-duckdb.ts";
import { createSqliteSession } from "./sqlite-session.ts";

export interface SqliteFile {
  readonly path: string;
  /** File in which an earlier version kept its config. */
  readonly importFrom?: string;
}

/** Returns the paths of the embedded config database of an installation. */
export const embeddedFile = (dataDir: string): Required<SqliteFile> => ({
  path: join(dataDir, "platform.sqlite"),
  importFrom: join(dataDir, "config.duckdb"),
});

/**
 * Opens the embedded config database, in a file apart from the warehouse's, so that reporting SQL can never reach a secret.
 * A statement takes some ten microseconds and is executed at once; only what waits for the disk is left to another thread.
 */
export async function openSqliteDatabase({ path, importFrom }: SqliteFile): Promise<Database> {
  const connection = await openSqlite(path, "config");
  if (importFrom !== undefined) await importDuckdb(connection, importFrom);
  const disk = path === ":memory:" ? noDisk : openDisk(connection, path);
  const session = createSqliteSession({ connection, sync: disk.sync });
  const gate = createGate();
  const giveWay = createGiveWay();
  const { emit, add } = createListeners<readonly ConfigChange[] | null>();
  let closing: Promise<void> | null = null;

  const refuseIfClosed = (): void => {
    if (closing !== null) throw new DatabaseError("unavailable", "The config database is closed.");
  };
  const close = async (): Promise<void> => {
    await session.close();
    disk.close();
  };

  return {
    async query(sql, params = []) {
      refuseIfClosed();
      await giveWay();
      return gate.shared(() => session.statement(sql, params));
    },
    // One transaction at a time on one connection: without conflicts, none is retried.
    async transaction(work) {
      refuseIfClosed();
      const changed: ConfigChange[] = [];
      const notify = async (changes: readonly ConfigChange[]) => void changed.push(...changes);
      // The next transaction begins before this one is on the disk, so that both can share a sync.
      const [result, committed] = await gate.exclusive(async () => {
        session.begin();
        try {
          const query: Database["query"] = async (sql, params) => {
            await giveWay();
            return session.within(sql, params);
          };
          const result = await runWork({ query, notify }, work);
          return [result, session.commit()] as const;
        } catch (error) {
          session.rollback();
          throw error;
        }
      });
      await committed;
      if (changed.length > 0) emit(changed);
      return result;
    },
    notify: async (changes) => emit(changes),
    onNotification: add,
    // No other process has the file.
    broadcast: () => Promise.resolve(),
    onBroadcast: () => () => undefined,
    close() {
      closing ??= gate.exclusive(close);
      return closing;
    },
  };
}

const noDisk = { sync: () => Promise.resolve(), close: () => undefined };

/**
 * Commits only write to the write-ahead log, and `sync` waits for the disk, in a thread of libuv's pool. Checkpoints, one in
 * some 200 calls, wait for it in this thread.
 */
function openDisk(connection: SqliteConnection, path: string) {
  connection.exec("PRAGMA synchronous = NORMAL");
  const walFile = openSync(`${path}-wal`, "r+");
  syncFolder(dirname(path));
  const sync = promisify(fdatasync);
  return { sync: () => sync(walFile), close: () => closeSync(walFile) };
}

/** A new file's name is as durable as its folder; Windows sees to that itself. */
function syncFolder(path: string): void {
  if (process.platform === "win32") return;
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

const maxTurnMs = 10;

/** Creates a function that lets the event loop turn where statements that follow each other have kept it for too long. */
function createGiveWay() {
  let turnBeganAt: number | null = null;
  const turned = () => {
    turnBeganAt = null;
  };
  return async (): Promise<void> => {
    if (turnBeganAt === null) {
      turnBeganAt = performance.now();
      setImmediate(turned);
    } else if (performance.now() - turnBeganAt > maxTurnMs) await nextTurn();
  };
}

/** Work begins in the order in which it comes, at once unless exclusive work runs, which nothing else interrupts. */
function createGate() {
  const mutex = pLimit(1);
  return {
    exclusive: mutex,
    /** Waits for exclusive work to end; what runs shared does not wait for each other, nor exclusive work for it. */
    async shared<T>(work: () => Promise<T>): Promise<T> {
      if (mutex.activeCount + mutex.pendingCount === 0) return work();
      // Inside an array its promise is not awaited before the mutex is free again.
      const [begun] = await mutex(async () => [work()] as const);
      return begun;
    },
  };
}
