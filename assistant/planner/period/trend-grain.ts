import { dayMs } from "../../calendar.ts";
import type { Grain, Period } from "../../plan.ts";

/** Hours of a day or two, days of a quarter, weeks of a year, else months. */
export function trendGrain(period: Period | null): Grain {
  if (period === null || period.from === null) return "month";
  const days = (Date.parse(period.to) - Date.parse(period.from)) / dayMs;
  if (days <= 2) return "hour";
  if (days <= 93) return "day";
  return days <= 370 ? "week" : "month";
}
