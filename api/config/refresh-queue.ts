import type { Clock } from "../../ingest/clock.ts";

export interface RefreshQueueDeps {
  readonly clock: Clock;
  /** Reads everything again, after a refresh that failed. */
  readAll(): Promise<void>;
  /** Called with the error of each refresh that failed. */
  onTrouble(error: unknown): void;
}

const firstRetryMs = 100;
const maxRetryMs = 10_000;

/**
 * Creates a queue that runs refreshes of a cache one at a time, so that an older reading never overwrites a newer one.
 * After a failure everything is read again, with exponential backoff until that succeeds.
 */
export function createRefreshQueue({ clock, readAll, onTrouble }: RefreshQueueDeps) {
  const closing = new AbortController();
  let last: Promise<void> = Promise.resolve();
  let isStale = false;
  let retrying: Promise<void> | null = null;

  function enqueue(refresh: () => Promise<void>): Promise<void> {
    last = last.then(refresh).catch((error: unknown) => {
      isStale = true;
      onTrouble(error);
      retrying ??= retry();
    });
    return last;
  }

  async function retry(): Promise<void> {
    for (let waitMs = firstRetryMs; isStale; waitMs = Math.min(waitMs * 2, maxRetryMs)) {
      await clock.sleep(waitMs, closing.signal);
      if (closing.signal.aborted) return;
      isStale = false;
      await enqueue(readAll);
    }
    retrying = null;
  }

  return {
    enqueue,
    /** Reads everything for the first time; rejects if that fails. Refreshes enqueued meanwhile run after it. */
    start(): Promise<void> {
      const reading = last.then(readAll);
      last = reading.catch(() => undefined);
      return reading;
    },
    /** Resolves when each refresh enqueued before has been attempted. */
    settled: (): Promise<void> => last,
    /** Finishes the running refresh and retries no more. */
    async close(): Promise<void> {
      closing.abort();
      await retrying;
      await last;
    },
  };
}
