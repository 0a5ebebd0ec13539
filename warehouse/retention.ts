import { type Clock, systemClock } from "../ingest/clock.ts";
import { slotMs } from "./history/slot-range.ts";
import type { TableOfTopic } from "./tables.ts";

/** The time that the warehouse shows rows, and keeps them. */
export interface Retention {
  /** Whole days of UTC beside the one under way; null: for ever; "as it is": whatever was set last, which stays. */
  readonly days: number | null | "as it is";
  readonly clock: Clock;
  /** Receives the errors of deletions, which are tried again. */
  onTrouble?(error: unknown): void;
}

export const keepAll: Retention = { days: null, clock: systemClock };

/**
 * Days between hiding and deleting rows: until then a wrong setting can be corrected, and no row is shown that may be
 * deleted at the same moment, whichever clock is right.
 */
export const graceDays = 7;

/**
 * The time from which on rows are shown: the beginning of a day of UTC, so that it cuts through no day or minute that
 * rows are counted by.
 */
export const cutoffOf = (days: number, now: number): Date =>
  new Date((Math.floor(now / slotMs.day) - days) * slotMs.day);

/** Returns the later of two times, if there is one. */
export const later = (one: Date | null, other: Date | null): Date | null => {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
};

/** Holds for rows that are shown; `bound` is the time, in the words of the engine. */
export const isShown = ({ time, wholeTime }: TableOfTopic, bound: string): string =>
  [time, ...(wholeTime === undefined ? [] : [wholeTime])].map((column) => `${column} >= ${bound}`).join(" AND ");

/**
 * Returns a function to be awaited before rows are read: when the cutoff has moved, it has called `show`, once for all.
 */
export function followCutoff({ days, clock }: Retention, show: (cutoff: Date) => Promise<void>): () => Promise<void> {
  let shown = Number.NEGATIVE_INFINITY;
  let moving: Promise<void> | undefined;
  if (typeof days !== "number") return () => Promise.resolve();

  async function move(cutoff: Date): Promise<void> {
    await show(cutoff);
    shown = cutoff.getTime();
  }
  return async () => {
    const cutoff = cutoffOf(days, clock.now());
    // A clock that is set back shows nothing again.
    if (cutoff.getTime() <= shown) return;
    moving ??= move(cutoff).finally(() => {
      moving = undefined;
    });
    await moving;
  };
}
