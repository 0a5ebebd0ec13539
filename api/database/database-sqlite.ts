import { once } from "node:events";
import { join } from "node:path";
import { MessageChannel, Worker } from "node:worker_threads";
import pLimit from "p-limit";
import {
  type ConfigChange,
  createListeners,
  type Database,
  DatabaseError,
  type DatabaseRow,
  type DatabaseValue,
  type Queryable,
  runWork,
} from "./database.ts";
import type { FromSqliteService, SqliteFile, ToSqliteService } from "./sqlite-service.ts";
import type { SqliteResult } from "./sqlite-session.ts";
import type { ServedFile } from "./sqlite-worker.ts";

/**
 * Opens the embedded config database, in a file apart from the warehouse's, so that reporting SQL can never reach a secret.
 * A worker thread serves the file; a database in memory is served by this thread.
 */
export async function openSqliteDatabase(file: SqliteFile): Promise<Database> {
  const service = await startService(file);
  const gate = createGate();
  const { emit, add } = createListeners<readonly ConfigChange[] | null>();
  let closing: Promise<void> | null = null;

  const send =
    (kind: "statement" | "within"): Queryable["query"] =>
    async (sql: string, params: readonly DatabaseValue[] = []) =>
      service.toRows(await service.request((id) => ({ kind, id, sql, params })));
  const [statement, within] = [send("statement"), send("within")];

  const refuseIfClosed = (): void => {
    if (closing !== null) throw new DatabaseError("unavailable", "The config database is closed.");
  };

  return {
    async query(sql, params) {
      refuseIfClosed();
      return gate.shared(() => statement(sql, params));
    },
    // One transaction at a time on one connection: without conflicts, none is retried.
    async transaction(work) {
      refuseIfClosed();
      const changed: ConfigChange[] = [];
      const notify = async (changes: readonly ConfigChange[]) => void changed.push(...changes);
      // The next request is sent before the commit is answered, so that both can share the commit.
      const [result, committed] = await gate.exclusive(async () => {
        service.post({ kind: "begin" });
        try {
          const result = await runWork({ query: within, notify }, work);
          return [result, service.request((id) => ({ kind: "commit", id }))] as const;
        } catch (error) {
          service.post({ kind: "rollback" });
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
      closing ??= gate.exclusive(service.close);
      return closing;
    },
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

interface PendingRequest {
  resolve(result: SqliteResult): void;
  reject(error: DatabaseError): void;
}

/** Throws where the file cannot be opened. */
async function startService(file: SqliteFile) {
  const { port1: port, port2 } = new MessageChannel();
  const pending = new Map<number, PendingRequest>();
  let last = 0;
  let isEnded = false;
  const rejectAll = (): void => {
    isEnded = true;
    for (const { reject } of pending.values())
      reject(new DatabaseError("unavailable", "The config database is closed."));
    pending.clear();
  };
  const ended = once(port, "close").then(rejectAll);
  const opened = once(port, "message") as Promise<[FromSqliteService]>;
  if (file.path === ":memory:") {
    // Only here does this thread need the engine.
    const { serveSqlite } = await import("./sqlite-service.ts");
    void serveSqlite(file, port2);
  } else sqliteWorker().postMessage({ file, port: port2 } satisfies ServedFile, [port2]);
  const first = await Promise.race([opened.then(([message]) => message), ended]);
  if (first?.kind !== "opened")
    throw first?.kind === "refused" ? first.error : new Error(`${file.path} cannot be opened.`);

  port.on("message", (message: FromSqliteService) => {
    for (const reply of message.kind === "replies" ? message.replies : []) {
      const one = pending.get(reply.id);
      pending.delete(reply.id);
      if (reply.kind === "rows") one?.resolve(reply);
      else one?.reject(new DatabaseError(reply.code, reply.message));
    }
  });

  const post = (message: ToSqliteService): void => port.postMessage(message);
  return {
    post,
    request: (message: (id: number) => ToSqliteService): Promise<SqliteResult> =>
      new Promise((resolve, reject) => {
        pending.set(++last, { resolve, reject });
        if (isEnded) rejectAll();
        else post(message(last));
      }),
    toRows: ({ columns, rows }: SqliteResult): DatabaseRow[] =>
      rows.map((row) =>
        Object.fromEntries(columns.map((name, index) => [name, toValue(row[index], first.booleans.has(name))])),
      ),
    async close(): Promise<void> {
      post({ kind: "close" });
      await ended;
    },
  };
}

let worker: Worker | undefined;

/** Returns the worker thread that serves the files of this process; it does not keep the process alive by itself. */
function sqliteWorker(): Worker {
  if (worker !== undefined) return worker;
  const started = startWorker();
  started.unref();
  started.once("exit", () => {
    worker = undefined;
  });
  worker = started;
  return started;
}

function startWorker(): Worker {
  const isSource = import.meta.url.endsWith(".ts");
  const script = new URL(isSource ? "sqlite-worker.ts" : "sqlite-worker.js", import.meta.url);
  if (!isSource) return new Worker(script, { execArgv: [] });
  // The loader that lets the sources run is not inherited by worker threads.
  const start = `const { register } = await import(${JSON.stringify(import.meta.resolve("tsx/esm/api"))});
    register();
    await import(${JSON.stringify(script.href)});`;
  return new Worker(new URL(`data:text/javascript,${encodeURIComponent(start)}`), { execArgv: [] });
}

function toValue(value: string | number | null | undefined, isBoolean: boolean): DatabaseValue {
  if (value === null || value === undefined) return null;
  return isBoolean ? value === 1 : value;
}

/** Returns the paths of the embedded config database of an installation. */
export const embeddedFile = (dataDir: string): Required<SqliteFile> => ({
  path: join(dataDir, "platform.sqlite"),
  importFrom: join(dataDir, "config.duckdb"),
});
