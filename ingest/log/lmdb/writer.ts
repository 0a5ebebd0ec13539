import { closeSync, openSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createBatcher, upToWeight } from "../../concurrency/batcher.ts";
import { LogError } from "../log.ts";
import { logClosed, type Store } from "./store.ts";

/** One piece of a transaction. */
interface Job {
  readonly bytes: number;
  run(): unknown;
}

export interface Writer {
  /**
   * Runs `run` in a write transaction, which others may share, and resolves once it is durable. `run` may refuse by
   * returning a LogError; what it throws undoes the whole transaction. `bytes` is about what it will write.
   */
  write<T>(bytes: number, run: () => T | LogError): Promise<T>;
  /** Refuses further writes, and resolves when those accepted are durable. Twice safely. */
  close(): Promise<void>;
}

/** A transaction's limits: its callbacks hold up everything else in the process (about 2 µs a message). */
const maxGroupBytes = 8 * 1024 * 1024;
const maxGroupJobs = 1_000;
/** Bytes that may wait in memory to be written. */
const maxWaitingBytes = 256 * 1024 * 1024;

/** Group commit: writes that come while one transaction is on its way to the disk share the next one. */
export function createWriter(store: Store, onDurable: () => void): Writer {
  /** Bytes of jobs that wait or are on their way to the disk. */
  let unwrittenBytes = 0;
  let isClosed = false;

  const jobs = createBatcher<Job, unknown>({
    countNext: (waiting) => Math.min(maxGroupJobs, countWithinBytes(waiting)),
    async work(group) {
      try {
        // A child transaction, because only that is undone when a callback throws.
        const outcomes = await store.root.childTransaction(() => {
          reserveSpace(store, sum(group));
          return group.map((job) => job.run());
        });
        onDurable();
        return outcomes;
      } catch (cause) {
        throw await toLogError(store.dir, cause);
      }
    },
  });

  return {
    async write<T>(bytes: number, run: () => T | LogError): Promise<T> {
      if (isClosed) throw logClosed();
      if (unwrittenBytes + bytes > maxWaitingBytes && unwrittenBytes > 0) throw tooMuchWaiting();
      unwrittenBytes += bytes;
      const outcome = await jobs.add({ bytes, run }).finally(() => {
        unwrittenBytes -= bytes;
      });
      if (outcome instanceof LogError) throw outcome;
      return outcome as T;
    },
    async close() {
      isClosed = true;
      await jobs.idle();
    },
  };
}

/** Space in addition to messages: tree pages, free pages and pages that retention rewrites. */
const slackBytes = 2 * 1024 * 1024;
const timesMessages = 4;
const chunk = Buffer.alloc(512 * 1024);

/**
 * Gives the file room on the disk before a transaction needs it. For the engine must meet no full disk: where a page
 * cannot be written, LMDB as lmdb-js brings it writes over memory of the process, which ends a moment later. Only within a
 * write transaction, as no other process writes then; throws `log_unavailable` where there is no room.
 */
function reserveSpace({ dir, root }: Store, bytes: number): void {
  const { lastPageNumber, pageSize } = root.getStats() as {
    readonly lastPageNumber: number;
    readonly pageSize: number;
  };
  const needed = (lastPageNumber + 1) * pageSize + timesMessages * bytes + slackBytes;
  const path = join(dir, "data.mdb");
  let { size } = statSync(path);
  if (size >= needed) return;
  const file = openSync(path, "r+");
  try {
    while (size < needed) size += writeSync(file, chunk, 0, chunk.length, size);
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : String(cause);
    throw new LogError(
      "log_unavailable",
      `The log in ${dir} has no room: ${text}. Nothing of it counts as published; make room on the disk, then try again.`,
      { cause },
    );
  } finally {
    closeSync(file);
  }
}

const countWithinBytes = upToWeight<Job>(maxGroupBytes, ({ bytes }) => bytes);
const sum = (jobs: readonly Job[]): number => jobs.reduce((total, { bytes }) => total + bytes, 0);

const tooMuchWaiting = () =>
  new LogError(
    "log_full",
    `More than ${maxWaitingBytes / 1024 / 1024} MiB wait to be written to the log. Wait for earlier publishes before publishing more.`,
  );

/** lmdb rejects with a bare "Commit failed"; the reason comes with a second promise, a moment later. */
async function toLogError(dir: string, thrown: unknown): Promise<LogError> {
  if (thrown instanceof LogError) return thrown;
  const cause = await reasonOf(thrown);
  const text = cause instanceof Error ? cause.message : String(cause);
  return new LogError(
    "log_unavailable",
    `The log in ${dir} could not be written: ${text}. Nothing of it counts as published; check the disk and its free space, then try again.`,
    { cause },
  );
}

async function reasonOf(thrown: unknown): Promise<unknown> {
  if (!(thrown instanceof Error && "commitError" in thrown)) return thrown;
  const later = new Promise((resolve) => setImmediate(resolve, thrown));
  const reason = Promise.resolve(thrown.commitError).catch((error: unknown) => error);
  return Promise.race([reason, later]);
}
