import { LRUCache } from "lru-cache";
import { z } from "zod";
import { createSlidingWindow, type SlidingWindow } from "../sliding-window.ts";
import type { Heard, Notices } from "./notices.ts";
import { createSharedWindow, type Period, periodMs, type Slot } from "./shared-window.ts";

/** Whose pings are counted. */
export interface Counted {
  readonly orgId: string;
  readonly id: string;
  readonly period: Period;
}

export interface SharedWindowsOptions {
  readonly kind: "inbound_rate" | "outbound_rate";
  /** Null in an installation of one process. */
  readonly notices: Notices | null;
}

/** Counted at once; beyond them, those that were asked for longest ago are forgotten. */
const mostWindows = 20_000;

interface Window extends SlidingWindow {
  /** Only where there are others. */
  hear?(process: string, slot: Slot): void;
}

const slotSchema = z.tuple([z.enum(["min", "hour", "day"]), z.coerce.number().int()]);
const countSchema = z.coerce.number().int().min(0);

/** The windows of everything of one kind that is counted, in which pings of all processes meet. */
export function createSharedWindows({ kind, notices }: SharedWindowsOptions) {
  const windows = new LRUCache<string, Window>({ max: mostWindows });

  function windowOf(counted: Counted): Window {
    const key = `${counted.orgId} ${counted.id} ${counted.period}`;
    const known = windows.get(key);
    if (known !== undefined) return known;
    const window = notices === null ? createSlidingWindow(periodMs[counted.period]) : open(notices, counted);
    windows.set(key, window);
    return window;
  }

  const open = ({ tell }: Notices, { orgId, id, period }: Counted) =>
    createSharedWindow(periodMs[period], ({ at, count, leavesAt }) =>
      tell({ kind, orgId, id, slot: `${period} ${at}`, value: String(count), expiresAt: leavesAt }),
    );

  function hear({ process, orgId, id, slot, value, expiresAt }: Heard): void {
    const [period, at] = slotSchema.parse(slot.split(" "));
    windowOf({ orgId, id, period }).hear?.(process, { at, count: countSchema.parse(value), leavesAt: expiresAt });
  }
  notices?.onHeard(kind, hear);

  return {
    of: (counted: Counted): SlidingWindow => windowOf(counted),
    /** Forgets what nothing counts for any more; returns how many are left. */
    forget(now: number): number {
      for (const [key, window] of windows) if (window.count(now) === 0) windows.delete(key);
      return windows.size;
    },
  };
}
