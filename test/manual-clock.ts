import type { Clock } from "../ingest/clock.ts";

export interface ManualClock extends Clock {
  /** Moves time on; what was asleep until then wakes. */
  advance(ms: number): void;
  /** How many sleep now. */
  sleepers(): number;
}

/** A clock that stands still until a test moves it. */
export function createManualClock(now: number): ManualClock {
  let time = now;
  const sleepers = new Set<{ readonly until: number; wake(): void }>();
  return {
    now: () => time,
    sleepers: () => sleepers.size,
    sleep(ms, signal) {
      if (signal?.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const sleeper = {
          until: time + ms,
          wake() {
            sleepers.delete(sleeper);
            signal?.removeEventListener("abort", sleeper.wake);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", sleeper.wake, { once: true });
      });
    },
    advance(ms) {
      time += ms;
      for (const sleeper of sleepers) if (sleeper.until <= time) sleeper.wake();
    },
  };
}
