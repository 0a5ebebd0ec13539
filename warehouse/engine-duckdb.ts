import { availableParallelism } from "node:os";
import type { DuckDBInstance } from "@duckdb/node-api";
import pLimit from "p-limit";
import { type DuckdbOptions, openDuckdb } from "../sql/duckdb.ts";
import { isInvalidated } from "./duckdb/errors.ts";
import { openRetention } from "./duckdb/retention.ts";
import { createDuckdbStore } from "./duckdb/store.ts";
import { createSnapshots } from "./guarded/snapshot-duckdb.ts";
import { keepAll, type Retention } from "./retention.ts";

export interface DuckdbFile extends Pick<DuckdbOptions, "memoryLimitBytes"> {
  readonly path: string;
  /** Default: every row is kept. */
  readonly retention?: Retention;
}

/**
 * One core is left to calls and pings. On two cores that is also what costs least: handing small tasks from thread to thread
 * doubles the work of storing a few hundred records (104 against 50 µs each).
 */
const threads = Math.max(1, availableParallelism() - 1);

async function openEngine({ path, retention = keepAll, ...options }: DuckdbFile) {
  const instance = await openDuckdb(path, "warehouse", { threads, ...options });
  try {
    return await equip(instance, path, retention);
  } catch (error) {
    // One file is never open twice in a process.
    instance.closeSync();
    throw error;
  }
}

/** Opens one connection for writing; each query has its own. */
async function equip(instance: DuckDBInstance, path: string, retention: Retention) {
  const writer = await instance.connect();
  const store = await createDuckdbStore(writer);
  const mutex = pLimit(1);
  let writes = 0;
  const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
    mutex(() => {
      writes += 1;
      return work();
    });
  const kept = await openRetention({ writer, inTurn }, retention);
  const snapshots = createSnapshots({
    path,
    writes: () => writes,
    whileStill: (work) =>
      mutex(async () => {
        const before = writes;
        await work();
        return before;
      }),
  });
  return {
    instance,
    inTurn,
    store,
    kept,
    snapshots,
    async close() {
      await kept.close();
      await snapshots.close();
      writer.closeSync();
      instance.closeSync();
    },
  };
}
export type Engine = Awaited<ReturnType<typeof openEngine>>;

interface OpenEngine {
  readonly engine: Engine;
  readonly running: Set<Promise<unknown>>;
}

/**
 * The engine on one file. A disk that is full while it tidies the file up leaves it refusing all that follows, until the
 * file is opened anew: that is done when the work in hand has ended, and tried with each new work until it succeeds. What
 * was stored is in the file. Of `:memory:` nothing would be left, so there it stays as it is.
 */
export async function openEngineKeeper(file: DuckdbFile) {
  const open = async (): Promise<OpenEngine> => ({ engine: await openEngine(file), running: new Set() });
  let current: OpenEngine | undefined = await open();
  let broken: OpenEngine | undefined;
  let reopening: Promise<OpenEngine> | undefined;

  async function reopen(): Promise<OpenEngine> {
    if (broken !== undefined) {
      await Promise.all(broken.running);
      await broken.engine.close();
      broken = undefined;
    }
    current = await open();
    return current;
  }

  function take(): Promise<OpenEngine> {
    reopening ??= reopen().finally(() => {
      reopening = undefined;
    });
    return reopening;
  }

  function giveUp(used: OpenEngine, error: unknown): void {
    if (used !== current || file.path === ":memory:" || !isInvalidated(error)) return;
    broken = used;
    current = undefined;
  }

  return {
    async use<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
      const used = current ?? (await take());
      const working = work(used.engine);
      const settled: Promise<unknown> = working.catch(() => undefined).finally(() => used.running.delete(settled));
      used.running.add(settled);
      return working.catch((error: unknown) => {
        giveUp(used, error);
        throw error;
      });
    },
    /** Closes when no work is in progress. */
    async close(): Promise<void> {
      await broken?.engine.close();
      await current?.engine.close();
    },
  };
}
