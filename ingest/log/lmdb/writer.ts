import { LogError } from "../log.ts";
import { reserveSpace } from "./reserve-space.ts";
import { logClosed, type Store } from "./store.ts";

/** One piece of a transaction. */
interface Job {
  readonly bytes: number;
  /** Returns what settles the caller's promise once the transaction is durable. */
  run(): () => void;
  reject(error: LogError): void;
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

/** Group commit: all that arrives while one transaction is on its way to the disk shares the next one. */
export function createWriter(store: Store, onDurable: () => void): Writer {
  let queue: Job[] = [];
  let waitingBytes = 0;
  let draining: Promise<void> | undefined;
  let isClosed = false;

  const takeGroup = () => {
    let bytes = 0;
    let size = 0;
    for (const job of queue) {
      if (size > 0 && (size >= maxGroupJobs || bytes + job.bytes > maxGroupBytes)) break;
      bytes += job.bytes;
      size += 1;
    }
    const group = queue.slice(0, size);
    queue = queue.slice(size);
    waitingBytes -= bytes;
    return { group, bytes };
  };

  const drain = async () => {
    // What is published in the same turn goes into the same transaction.
    await Promise.resolve();
    while (queue.length > 0) {
      const { group, bytes } = takeGroup();
      try {
        // A child transaction, because only that is undone when a callback throws.
        const settle = await store.root.childTransaction(() => {
          reserveSpace(store, bytes);
          return group.map((job) => job.run());
        });
        for (const done of settle) done();
        onDurable();
      } catch (cause) {
        const error = await toLogError(store.dir, cause);
        for (const job of group) job.reject(error);
      }
    }
    draining = undefined;
  };

  return {
    write<T>(bytes: number, run: () => T | LogError): Promise<T> {
      if (isClosed) return Promise.reject(logClosed());
      if (waitingBytes + bytes > maxWaitingBytes && queue.length > 0) return Promise.reject(tooMuchWaiting());
      return new Promise<T>((resolve, reject) => {
        const settled = () => {
          const outcome = run();
          return () => (outcome instanceof LogError ? reject(outcome) : resolve(outcome));
        };
        queue.push({ bytes, run: settled, reject });
        waitingBytes += bytes;
        draining ??= drain();
      });
    },
    async close() {
      isClosed = true;
      await draining;
    },
  };
}

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
