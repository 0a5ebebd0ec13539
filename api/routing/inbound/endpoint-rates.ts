import type { Resource } from "../../config/registry.ts";
import type { Peers } from "../peers/peers.ts";
import { createRateWindows } from "../peers/rate-windows.ts";

export interface Rate {
  readonly isOver: boolean;
  readonly limit: number;
  /** Whole seconds after which another ping may pass; 0 where this one did. */
  readonly retryAfterSeconds: number;
}

/**
 * How often each endpoint is pinged, in a window that slides (semantics 8.9); pings beyond its limit do not count. Those
 * that other processes count are known a moment later: until then, more than the limit may pass.
 */
export function createEndpointRates(peers: Peers | null = null) {
  const windows = createRateWindows("inbound_rate", peers);

  return {
    count(inboundRtb: Resource<"inbound_rtb">, now: number): Rate {
      const { org_id: orgId, id, rate_limit: limit, rate_period: period } = inboundRtb;
      const window = windows.of({ orgId, id, period });
      if (window.count(now) < limit) {
        window.add(now, limit);
        return { isOver: false, limit, retryAfterSeconds: 0 };
      }
      const waitMs = (window.nextLeavesAt() ?? now) - now;
      return { isOver: true, limit, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) };
    },

    /** Forgets endpoints that nothing counts for any more, such as deleted ones; returns how many are left. */
    forget: windows.forget,
  };
}
