import { z } from "zod";
import { createBoundedCache } from "../../../ingest/bounded-cache.ts";
import { createSlidingWindow, type SlidingWindow } from "../sliding-window.ts";
import type { Peers } from "./peers.ts";

/** Lengths of sliding windows, not of the calendar's units. */
const periodMs = { min: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

/** The endpoint or formula whose pings are counted. */
export interface Counted {
  readonly orgId: string;
  readonly id: string;
  readonly period: keyof typeof periodMs;
}

/** The pings that a process has counted in slots of a window, by the instants at which they begin. */
const peerCountsSchema = z.object({
  orgId: z.string(),
  id: z.string(),
  period: z.enum(["min", "hour", "day"]),
  slots: z.array(z.tuple([z.number(), z.int().min(0)])),
});
type Slots = z.infer<typeof peerCountsSchema>["slots"];

/** Windows that are counted at once; beyond them, those that were asked for longest ago are forgotten. */
const maxWindows = 20_000;

/** The sliding windows of everything of one kind that is counted, in which pings of all processes meet. */
export function createRateWindows(name: "inbound_rate" | "outbound_rate", peers: Peers | null) {
  const windows = createBoundedCache<ReturnType<typeof open>>(maxWindows);

  const publish = peers?.join({
    name,
    schema: peerCountsSchema,
    receive: ({ slots, ...counted }, from) => windowOf(counted).receive(from, slots),
    *current() {
      for (const [key, { counted, ownSlots }] of windows) yield [key, { ...counted, slots: ownSlots() }];
    },
  });

  function open(key: string, { orgId, id, period }: Counted) {
    const counted = { orgId, id, period };
    const send = (slot: Slots[number]) => publish?.(`${key} ${slot[0]}`, { ...counted, slots: [slot] });
    return { counted, ...createSharedWindow(periodMs[period], send) };
  }

  function windowOf(counted: Counted) {
    const key = `${counted.orgId} ${counted.id} ${counted.period}`;
    const known = windows.get(key);
    if (known !== undefined) return known;
    const window = open(key, counted);
    windows.set(key, window);
    return window;
  }

  return {
    of: (counted: Counted): SlidingWindow => windowOf(counted),
    /** Forgets windows in which nothing counts any more; returns how many are left. */
    forget(now: number): number {
      for (const [key, window] of windows) if (window.count(now) === 0) windows.delete(key);
      return windows.size;
    },
  };
}

/** Counts of others leave a window by slots, late rather than early: of a minute's by 250 ms, of a day's by 6 minutes. */
const slotsOfWindow = 240;

/** A window that counts this process's pings at their instants, and those of other processes by slots. */
export function createSharedWindow(windowMs: number, send: (slot: Slots[number]) => void) {
  const own = createSlidingWindow(windowMs);
  const slotMs = windowMs / slotsOfWindow;
  const slotOf = (at: number): number => at - (at % slotMs);
  const others = new Map<string, { readonly count: number; readonly leavesAt: number }>();
  let othersCount = 0;
  let othersLeaveAt = Number.POSITIVE_INFINITY;
  let newest: Slots[number] = [Number.NEGATIVE_INFINITY, 0];

  function leave(now: number): void {
    if (now < othersLeaveAt) return;
    othersLeaveAt = Number.POSITIVE_INFINITY;
    for (const [key, { count, leavesAt }] of others) {
      if (leavesAt > now) othersLeaveAt = Math.min(othersLeaveAt, leavesAt);
      else if (others.delete(key)) othersCount -= count;
    }
  }

  return {
    count(now: number): number {
      leave(now);
      return own.count(now) + othersCount;
    },
    add(now: number, limit: number): void {
      own.add(now, limit);
      const at = slotOf(now);
      newest = [at, newest[0] === at ? newest[1] + 1 : 1];
      send(newest);
    },
    nextLeavesAt(): number | null {
      const next = Math.min(own.nextLeavesAt() ?? Number.POSITIVE_INFINITY, othersLeaveAt);
      return Number.isFinite(next) ? next : null;
    },
    /** Takes another process's counts, in place of what is known of the same slots. */
    receive(process: string, slots: Slots): void {
      for (const [at, count] of slots) {
        leave(at);
        const [key, leavesAt] = [`${process} ${at}`, at + slotMs + windowMs];
        othersCount += count - (others.get(key)?.count ?? 0);
        others.set(key, { count, leavesAt });
        othersLeaveAt = Math.min(othersLeaveAt, leavesAt);
      }
    },
    /** Returns what this process has counted itself. */
    ownSlots(): Slots {
      const slots = new Map<number, number>();
      for (const { first, count } of own.entries()) slots.set(slotOf(first), (slots.get(slotOf(first)) ?? 0) + count);
      return [...slots];
    },
  };
}
