import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Consumer, EventLog, PartitionReader } from "../../ingest/log/log.ts";
import type { GuardedWarehouse } from "../guarded/guarded.ts";
import type { LoaderOptions } from "../loader.ts";
import { loadedTopics } from "../tables.ts";
import { createTracker } from "../tracker.ts";
import { WarehouseError } from "../warehouse.ts";
import type { LoadedPlace, OwnerMethods, ThreadFiles, ThreadMethods } from "./methods.ts";
import { connect, fromPlainError } from "./remote-calls.ts";

export interface WarehouseThreadOptions extends ThreadFiles {
  /** Receives the errors of work that the warehouse tries again. */
  onTrouble?(error: unknown): void;
}

/** The embedded warehouse in a thread of its own, and its loader there. */
export interface WarehouseThread extends GuardedWarehouse {
  /** Runs the loader in the thread, on the partitions that this consumer of the log is assigned. */
  runLoader(options: ThreadLoaderOptions): Consumer[];
}
export type ThreadLoaderOptions = Pick<LoaderOptions, "onBatch" | "onTrouble"> & {
  readonly log: Pick<EventLog, "consume" | "publish">;
};

/** Sources are compiled as they are loaded, once the worker itself has what compiles them. */
function startThread(): Worker {
  const isSource = import.meta.url.endsWith(".ts");
  const file = new URL(isSource ? "thread.ts" : "thread.js", import.meta.url);
  if (!isSource) return new Worker(file);
  const [compiler, script] = [import.meta.resolve("tsx/esm/api"), file.href];
  const code = `import("${compiler}").then(({ register }) => { register(); return import("${script}"); })`;
  return new Worker(code, { eval: true, execArgv: [] });
}

/**
 * Opens the embedded warehouse in a thread of its own, so that neither loading nor reading rows holds up this one, which
 * answers calls and pings. The thread reads the embedded log by itself; this one writes to it.
 *
 * A thread that ends by itself is not started again: the engine's file must never be open twice in a process, and nobody
 * can tell what a thread that crashed has left. All that waits for it fails, and so do the loader's consumers.
 */
export async function openWarehouseThread(
  options: WarehouseThreadOptions,
  start: () => Worker = startThread,
): Promise<WarehouseThread> {
  const { path, retentionDays, logDir, onTrouble = () => undefined } = options;
  const worker = start();
  const loading = createLoading();
  const { call, fail } = connect<ThreadMethods>(worker, {
    ...loading.methods,
    failed: (error) => onTrouble(fromPlainError(error)),
  } satisfies OwnerMethods);
  worker.once("error", (cause) => fail(ended(String(cause), cause)));
  const exited = once(worker, "exit").then(([code]) => fail(ended(`exit code ${code}`)));
  // An error is told by both events.
  exited.catch(() => undefined);
  const { track, close } = createTracker((error) =>
    error instanceof WarehouseError ? error : ended(String(error), error),
  );
  try {
    await call("open", { path, retentionDays, logDir });
  } catch (error) {
    await worker.terminate();
    throw error;
  }
  return {
    store: (range) => track(() => call("store", range)),
    position: (topic, partition) => track(() => call("position", { topic, partition })),
    takePast: (all) => track(() => call("takePast", all)),
    query: (statement, { signal, ...limits } = {}) => track(() => call("query", { statement, limits }, signal)),
    guarded: {
      engine: "DuckDB",
      select: ({ signal, ...query }) => track(() => call("select", query, signal)),
    },
    runLoader: (given) =>
      loading.start(given, (reader) => {
        const { topic, partition, signal } = reader;
        return call("load", { topic, partition }, signal);
      }),
    close: () =>
      close(async () => {
        await call("close", null).finally(() => worker.terminate());
        await exited;
      }),
  };
}

/** The part of loading that this thread does: it holds the partitions, and writes to the log. */
function createLoading() {
  const readers = new Map<string, PartitionReader>();
  let options: ThreadLoaderOptions | undefined;
  const keyOf = ({ topic, partition }: Omit<LoadedPlace, "offset">) => `${topic}:${partition}`;
  const readerOf = (place: LoadedPlace): PartitionReader => {
    const reader = readers.get(keyOf(place));
    if (reader === undefined) throw new Error(`Nothing of ${keyOf(place)} is being loaded.`);
    return reader;
  };
  const methods = {
    publish: async (messages) => options?.log.publish(messages),
    async commit(place) {
      const reader = readerOf(place);
      // Whoever watches progress takes what lies behind for done.
      reader.seek(place.offset);
      await reader.commit(place.offset);
    },
    seek: (place) => readerOf(place).seek(place.offset),
    loaded: (batch) => options?.onBatch?.(batch),
    loaderFailed: (error) => options?.onTrouble(fromPlainError(error)),
  } satisfies Omit<OwnerMethods, "failed">;

  return {
    methods,
    start(given: ThreadLoaderOptions, load: (reader: PartitionReader) => Promise<unknown>): Consumer[] {
      options = given;
      return loadedTopics.map((topic) =>
        given.log.consume({
          group: "loader",
          topic,
          async work(reader) {
            readers.set(keyOf(reader), reader);
            try {
              await load(reader);
            } finally {
              readers.delete(keyOf(reader));
            }
          },
        }),
      );
    },
  };
}

const ended = (why: string, cause?: unknown) =>
  new WarehouseError("unavailable", `The warehouse's thread has ended: ${why}.`, { cause });
