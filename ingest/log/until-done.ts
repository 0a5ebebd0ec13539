import type { Clock } from "../clock.ts";
import { LogError } from "./log.ts";

const firstRetryMs = 250;
const longestRetryMs = 5_000;

export interface Retry {
  readonly clock: Clock;
  /** Ends the trying; for work on a partition its reader's. */
  readonly signal: AbortSignal;
  /** Told of each failed attempt, but not of a partition that goes to another member: the signal aborts next. */
  onTrouble(error: unknown): void;
}

/**
 * Does work that may fail for a time only, such as with a full disk: tries again, ever more slowly, until it is done.
 * null when it was stopped first; the work must be such that it may be done again.
 */
export async function untilDone<T>({ clock, signal, onTrouble }: Retry, work: () => Promise<T>): Promise<T | null> {
  for (let waitMs = firstRetryMs; ; waitMs = Math.min(waitMs * 2, longestRetryMs)) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof LogError && error.code === "partition_moved")) onTrouble(error);
    }
    await clock.sleep(waitMs, signal);
    if (signal.aborted) return null;
  }
}
