import { createSlidingWindow, type SlidingWindow } from "../sliding-window.ts";

/** Sliding, not of the calendar (semantics 8.7, 8.9). */
export const periodMs = { min: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
export type Period = keyof typeof periodMs;

/** Those of one slot leave a window together, with its end: of a minute a slot is 250 ms, of a day 6 minutes. */
const slotsOfWindow = 240;

/** How many one process has counted in the slot that begins at this instant, and when they leave the window. */
export interface Slot {
  readonly at: number;
  readonly count: number;
  readonly leavesAt: number;
}

/**
 * A window that counts what other processes have told, too. Its own are counted at their instants; theirs by slots, which
 * leave late rather than early.
 */
export function createSharedWindow(windowMs: number, tell: (slot: Slot) => void) {
  const own = createSlidingWindow(windowMs);
  const slotMs = windowMs / slotsOfWindow;
  const heard = new Map<string, Slot>();
  let heardCount = 0;
  let nextHeardLeavesAt = Number.POSITIVE_INFINITY;
  let newest = { at: Number.NEGATIVE_INFINITY, count: 0 };

  function leave(now: number): void {
    if (now < nextHeardLeavesAt) return;
    nextHeardLeavesAt = Number.POSITIVE_INFINITY;
    for (const [key, { count, leavesAt }] of heard) {
      if (leavesAt > now) nextHeardLeavesAt = Math.min(nextHeardLeavesAt, leavesAt);
      else {
        heard.delete(key);
        heardCount -= count;
      }
    }
  }

  const window: SlidingWindow = {
    count(now) {
      leave(now);
      return own.count(now) + heardCount;
    },
    add(now, limit) {
      own.add(now, limit);
      const at = now - (now % slotMs);
      newest = { at, count: newest.at === at ? newest.count + 1 : 1 };
      tell({ ...newest, leavesAt: at + slotMs + windowMs });
    },
    nextLeavesAt() {
      const next = Math.min(own.nextLeavesAt() ?? Number.POSITIVE_INFINITY, nextHeardLeavesAt);
      return Number.isFinite(next) ? next : null;
    },
  };
  return {
    ...window,
    /** Slots of others that are held now. */
    size: (): number => heard.size,
    /**
     * Another process's slot; told again, it counts as it was told last. What has left the window by then is forgotten,
     * whether anybody here counts or not.
     */
    hear(process: string, slot: Slot): void {
      leave(slot.at);
      const key = `${process} ${slot.at}`;
      heardCount += slot.count - (heard.get(key)?.count ?? 0);
      heard.set(key, slot);
      nextHeardLeavesAt = Math.min(nextHeardLeavesAt, slot.leavesAt);
    },
  };
}
