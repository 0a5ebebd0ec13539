import { localTime, startOfDate } from "../../../ingest/time-zone.ts";
import type { CallStats } from "../call-stats.ts";
import type { LimitedHolder } from "../caps.ts";
import { type Cap, type CapUse, capReached, parseCaps, startOfPeriod } from "../caps.ts";

/** The use of one cap. Times are milliseconds since 1970. */
export interface CapCount extends Pick<Cap, "measure" | "period" | "limit" | "timezone"> {
  /** Calls, or dollars. */
  readonly used: number;
  /** When its period began; null for one that counts since ever. */
  readonly since: number | null;
  /** When its period ends; null for one that no time ends. */
  readonly resetsAt: number | null;
  /** True if it refuses calls now: one that limits at certain hours does so only then. */
  readonly reached: boolean;
}

/** Counts the readable rows of a holder's `advanced_caps`, in their order, as routing does. */
export function countCaps({ holder, limits, timezone }: LimitedHolder, stats: CallStats, now: number): CapCount[] {
  const used: CapUse = {
    use: (measure, sinceMs) => stats.capUse(holder, measure, sinceMs),
    totalsSince: () => stats.totalsSince(holder),
  };
  return parseCaps(limits.advanced_caps, timezone).map((cap) => {
    const { measure, period, limit } = cap;
    const since = period === "total" ? used.totalsSince() : startOfPeriod(cap, now);
    return {
      measure,
      period,
      limit,
      timezone: cap.timezone,
      used: used.use(measure, since),
      since: since === 0 ? null : since,
      resetsAt: endOfPeriod(cap, since),
      reached: capReached([cap], used, now),
    };
  });
}

const hourMs = 3_600_000;

/** When the calendar period that began at `start` is over; null for those that are of no calendar. */
function endOfPeriod({ period, timezone }: Cap, start: number): number | null {
  if (period === "all" || period === "total") return null;
  if (period === "hour") return start + hourMs;
  const { year, month, day } = localTime(timezone, start);
  if (period === "month") return startOfDate(timezone, { year, month: month + 1, day: 1 });
  return startOfDate(timezone, { year, month, day: day + (period === "week" ? 7 : 1) });
}
