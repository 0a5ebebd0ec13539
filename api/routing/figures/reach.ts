import type { OrgConfig } from "../../config/org-config.ts";
import type { Reach } from "./counted-calls.ts";
import { dayMs, dayOf } from "./tallies.ts";

/** A calendar month in any zone; it covers a month of predictive routing and of preconverted callers, too. */
const leastDays = 32;

/** How many days back routing looks for duplicates by this config. */
export function longestIntervalDays(config: OrgConfig): number {
  const rules = [...config.all("target"), ...config.all("rtb_formula")].filter((each) => each.consider_duplicate);
  return rules.reduce((days, each) => Math.max(days, each.consider_duplicate_interval), 0);
}

/** By whole days, so that what lies before can be summed up by the day. */
export const reachOf = (days: number, now: number): Reach => ({
  callsFrom: dayOf(now - Math.max(days, leastDays) * dayMs),
  hoursFrom: dayOf(now - leastDays * dayMs),
});
