import { once } from "node:events";
import { join } from "node:path";
import { MessageChannel, Worker } from "node:worker_threads";
import pLimit from "p-limit";
import {
  type ConfigChange,
  type Database,
  DatabaseError,
  type DatabaseRow,
  type DatabaseValue,
  type Queryable,
  runWork,
} from "./database.ts";
import { createListeners } from "./listeners.ts";
import type { FromSqliteService, SqliteFile, ToSqliteService } from "./sqlite-service.ts";
import type { SqliteResult } from "./sqlite-session.ts";
import type { ServedFile } from "./sqlite-thread.ts";

/**
 * The embedded config database, a file apart from the warehouse's: no reporting SQL can ever reach a secret. A thread of
 * its own serves the file; one in memory is served by this thread.
 */
export async function openSqliteDatabase(file: SqliteFile): Promise<Database> {
  const service = await startService(file);
  const gate = createGate();
  const { emit, add } = createListeners<readonly ConfigChange[] | null>();
  let closing: Promise<void> | null = null;

  const send =
    (kind: "statement" | "within"): Queryable["query"] =>
    async (sql: string, params: readonly DatabaseValue[] = []) =>
      service.toRows(await service.ask((id) => ({ kind, id, sql, params })));
  const [statement, within] = [send("statement"), send("within")];

  const refuseIfClosed = (): void => {
    if (closing !== null) throw new DatabaseError("unavailable", "The config database is closed.");
  };

  return {
    async query(sql, params) {
      refuseIfClosed();
      return gate.shared(() => statement(sql, params));
    },
    // One connection, one transaction at a time: none can come between, so none is tried again.
    async transaction(work) {
      refuseIfClosed();
      const announced: ConfigChange[] = [];
      const announce = async (changes: readonly ConfigChange[]) => void announced.push(...changes);
      // What comes next is sent before the commit is answered, so that it can share it.
      const [result, committed] = await gate.exclusive(async () => {
        service.tell({ kind: "begin" });
        try {
          const result = await runWork({ query: within, announce }, work);
          return [result, service.ask((id) => ({ kind: "commit", id }))] as const;
        } catch (error) {
          service.tell({ kind: "rollback" });
          throw error;
        }
      });
      await committed;
      if (announced.length > 0) emit(announced);
      return result;
    },
    announce: async (changes) => emit(changes),
    onAnnounced: add,
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

interface Asked {
  resolve(result: SqliteResult): void;
  reject(error: DatabaseError): void;
}

/** Throws where the file cannot be opened. */
async function startService(file: SqliteFile) {
  const { port1: port, port2 } = new MessageChannel();
  const asked = new Map<number, Asked>();
  let last = 0;
  let isEnded = false;
  const refuseAll = (): void => {
    isEnded = true;
    for (const { reject } of asked.values()) reject(new DatabaseError("unavailable", "The config database is closed."));
    asked.clear();
  };
  const ended = once(port, "close").then(refuseAll);
  const opened = once(port, "message") as Promise<[FromSqliteService]>;
  if (file.path === ":memory:") {
    // Here alone does this thread need the engine.
    const { serveSqlite } = await import("./sqlite-service.ts");
    void serveSqlite(file, port2);
  } else sqliteThread().postMessage({ file, port: port2 } satisfies ServedFile, [port2]);
  const first = await Promise.race([opened.then(([message]) => message), ended]);
  if (first?.kind !== "opened")
    throw first?.kind === "refused" ? first.error : new Error(`${file.path} cannot be opened.`);

  port.on("message", (message: FromSqliteService) => {
    for (const reply of message.kind === "replies" ? message.replies : []) {
      const one = asked.get(reply.id);
      asked.delete(reply.id);
      if (reply.kind === "rows") one?.resolve(reply);
      else one?.reject(new DatabaseError(reply.code, reply.message));
    }
  });

  const tell = (message: ToSqliteService): void => port.postMessage(message);
  return {
    tell,
    ask: (request: (id: number) => ToSqliteService): Promise<SqliteResult> =>
      new Promise((resolve, reject) => {
        asked.set(++last, { resolve, reject });
        if (isEnded) refuseAll();
        else tell(request(last));
      }),
    toRows: ({ columns, rows }: SqliteResult): DatabaseRow[] =>
      rows.map((row) =>
        Object.fromEntries(columns.map((name, index) => [name, toValue(row[index], first.booleans.has(name))])),
      ),
    async close(): Promise<void> {
      tell({ kind: "close" });
      await ended;
    },
  };
}

let thread: Worker | undefined;

/** The one that serves the files of this process; it does not keep the process alive by itself. */
function sqliteThread(): Worker {
  if (thread !== undefined) return thread;
  const started = startThread();
  started.unref();
  started.once("exit", () => {
    thread = undefined;
  });
  thread = started;
  return started;
}

function startThread(): Worker {
  const isSource = import.meta.url.endsWith(".ts");
  const script = new URL(isSource ? "sqlite-thread.ts" : "sqlite-thread.js", import.meta.url);
  if (!isSource) return new Worker(script, { execArgv: [] });
  // What lets the sources run by themselves does not reach into threads.
  const start = `const { register } = await import(${JSON.stringify(import.meta.resolve("tsx/esm/api"))});
    register();
    await import(${JSON.stringify(script.href)});`;
  return new Worker(new URL(`data:text/javascript,${encodeURIComponent(start)}`), { execArgv: [] });
}

function toValue(value: string | number | null | undefined, isBoolean: boolean): DatabaseValue {
  if (value === null || value === undefined) return null;
  return isBoolean ? value === 1 : value;
}

/** The embedded config database of an installation. */
export const embeddedFile = (dataDir: string): Required<SqliteFile> => ({
  path: join(dataDir, "platform.sqlite"),
  importFrom: join(dataDir, "config.duckdb"),
});
