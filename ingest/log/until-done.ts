import type { Clock } from "../clock.ts";
import { LogError } from "./log.ts";

const firstRetryMs = 250;
const longestRetryMs = 5_000;

export interface Retry {
  readonly clock: Clock;
  /** Ends the trying; for work on a partition its reader's. */
  readonly signal: AbortSignal;
  /** Receives the error of each failed attempt, except when the partition was reassigned: the signal aborts next. */
  onTrouble(error: unknown): void;
}

/**
 * Retries work that fails temporarily, such as with a full disk, with growing delays, until it is done. Returns null if
 * it was stopped first; the work must be repeatable.
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
