import type { Clock } from "../../ingest/clock.ts";

export interface RefresherDeps {
  readonly clock: Clock;
  /** Reads everything again: what makes good a refresh that failed. */
  readAll(): Promise<void>;
  /** Told of each refresh that failed. */
  onTrouble(error: unknown): void;
}

const firstRetryMs = 100;
const longestRetryMs = 10_000;

/**
 * Refreshes one after the other, so that a newer reading is never overwritten by an older one. After one that failed,
 * all is read again, at growing intervals until that succeeds.
 */
export function createRefresher({ clock, readAll, onTrouble }: RefresherDeps) {
  const closing = new AbortController();
  let refreshing: Promise<void> = Promise.resolve();
  let stale = false;
  let catchingUp: Promise<void> | null = null;

  function run(work: () => Promise<void>): Promise<void> {
    refreshing = refreshing.then(work).catch((error: unknown) => {
      stale = true;
      onTrouble(error);
      catchingUp ??= catchUp();
    });
    return refreshing;
  }

  async function catchUp(): Promise<void> {
    for (let waitMs = firstRetryMs; stale; waitMs = Math.min(waitMs * 2, longestRetryMs)) {
      await clock.sleep(waitMs, closing.signal);
      if (closing.signal.aborted) return;
      stale = false;
      await run(readAll);
    }
    catchingUp = null;
  }

  return {
    run,
    /** The first reading, before which nothing is run that came meanwhile. Rejects where it fails. */
    begin(): Promise<void> {
      const reading = refreshing.then(readAll);
      refreshing = reading.catch(() => undefined);
      return reading;
    },
    /** Resolves when each refresh that was asked for before has been tried. */
    settled: (): Promise<void> => refreshing,
    /** Finishes the refresh in hand and tries no more. */
    async close(): Promise<void> {
      closing.abort();
      await catchingUp;
      await refreshing;
    },
  };
}
