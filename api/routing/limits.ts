import type { CallStats, Holder } from "./call-stats.ts";
import { type CapUse, capReached, concurrencyLimit, type Limited, parseCaps } from "./caps.ts";

/** A holder with its own limits, and the zone that its caps are counted in where they name none. */
export interface LimitedHolder {
  readonly holder: Holder;
  readonly limits: Limited;
  readonly timezone: string;
}

/** Whether any of a holder's caps has been used up (semantics 8.12). */
export function isCapped({ holder, limits, timezone }: LimitedHolder, stats: CallStats, now: number): boolean {
  if (limits.advanced_caps.length === 0) return false;
  const used: CapUse = {
    use: (measure, sinceMs) => stats.capUse(holder, measure, sinceMs),
    totalsSince: () => stats.totalsSince(holder),
  };
  return capReached(parseCaps(limits.advanced_caps, timezone), used, now);
}

/** Whether a holder has as many calls as it may have at once. Soft: what counts in the end is the reservation. */
export function isFull({ holder, limits }: LimitedHolder, stats: CallStats): boolean {
  const limit = concurrencyLimit(limits);
  return limit !== null && stats.inUse(holder) >= limit;
}
