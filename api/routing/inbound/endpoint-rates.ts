import type { Resource } from "../../config/registry.ts";
import { createSlidingWindow, type SlidingWindow } from "../rtb/sliding-window.ts";

const periodMs = { min: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

export interface Rate {
  readonly isOver: boolean;
  readonly limit: number;
  /** Whole seconds after which another ping may pass; 0 where this one did. */
  readonly retryAfterSeconds: number;
}

/** How often each endpoint is pinged, in a window that slides (semantics 8.9); pings beyond its limit do not count. */
export function createEndpointRates() {
  const windows = new Map<string, { readonly period: string; readonly window: SlidingWindow }>();

  function windowOf({ id, rate_period: period }: Resource<"inbound_rtb">): SlidingWindow {
    const known = windows.get(id);
    if (known?.period === period) return known.window;
    const window = createSlidingWindow(periodMs[period]);
    windows.set(id, { period, window });
    return window;
  }

  return {
    count(inboundRtb: Resource<"inbound_rtb">, now: number): Rate {
      const { rate_limit: limit } = inboundRtb;
      const window = windowOf(inboundRtb);
      if (window.count(now) < limit) {
        window.add(now, limit);
        return { isOver: false, limit, retryAfterSeconds: 0 };
      }
      const waitMs = (window.nextLeavesAt() ?? now) - now;
      return { isOver: true, limit, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) };
    },

    /** Forgets endpoints that nothing counts for any more, such as deleted ones; returns how many are left. */
    forget(now: number): number {
      for (const [id, { window }] of windows) if (window.count(now) === 0) windows.delete(id);
      return windows.size;
    },
  };
}
