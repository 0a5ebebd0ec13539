import { addUnits, dayMs, isoDate, type Local, startOf, toInstant, toLocal } from "../../calendar.ts";
import type { Grain, Period, RunningGrain } from "../../plan.ts";

const isoOf = (local: Local, zone: string): string => new Date(toInstant(local, zone)).toISOString();
const localOf = (time: string, zone: string): Local => toLocal(Date.parse(time), zone);

/** How many days a period has; of all time there is no end of them. */
export const daysIn = (period: Period | null | undefined): number =>
  period?.from == null ? Number.POSITIVE_INFINITY : (Date.parse(period.to) - Date.parse(period.from)) / dayMs;

/** Hours of a day or two, days of a quarter, weeks of a year, else months. */
export function trendGrain(period: Period | null): Grain {
  const days = daysIn(period);
  if (days <= 2) return "hour";
  if (days <= 93) return "day";
  return days <= 370 ? "week" : "month";
}

/** The unit before the one that a period is, or has begun; null where it is no such unit. */
export function earlierOf(period: Period, unit: RunningGrain | "period", zone: string): Period | null {
  if (period.from === null) return null;
  const [from, to] = [localOf(period.from, zone), localOf(period.to, zone)];
  const label = `the ${unit} before ${period.label}`;
  if (unit === "period") {
    const earlier = previousOf(period, zone);
    return startOf("day", to) === to && earlier !== null ? { ...earlier, label } : null;
  }
  if (startOf(unit, from) !== from || to > addUnits(unit, from, 1)) return null;
  return { from: isoOf(addUnits(unit, from, -1), zone), to: period.from, label };
}

/** As much of the other period as the first one has; the other one itself where it has no more. */
export function samePart(period: Period, other: Period, zone: string): Period {
  if (period.from === null || other.from === null) return other;
  const elapsed = localOf(period.to, zone) - localOf(period.from, zone);
  const to = isoOf(localOf(other.from, zone) + elapsed, zone);
  return Date.parse(to) >= Date.parse(other.to) ? other : { ...other, to, label: `${other.label}, same part` };
}

/** The same part of the calendar a year earlier; weeks go back 52 weeks. null: the period is no such unit. */
export function yearEarlier(period: Period, unit: string, zone: string): Period | null {
  if (period.from === null) return null;
  const [from, to] = [localOf(period.from, zone), localOf(period.to, zone)];
  if (unit === "day" || unit === "week" || unit === "month" || unit === "quarter") {
    const starts = startOf(unit, from) === from && to <= addUnits(unit, from, 1);
    const isWhole = to === addUnits(unit, from, 1);
    if (!starts || !(isWhole || unit === "day" || period.label.includes(unit))) return null;
  }
  const back = (local: number) => (unit === "week" ? local - 364 * dayMs : addUnits("year", local, -1));
  return { from: isoOf(back(from), zone), to: isoOf(back(to), zone), label: `${period.label} a year earlier` };
}

/** The same hours so many days earlier; null where the period is longer than those. */
export function daysEarlier(period: Period, days: number, zone: string): Period | null {
  if (period.from === null || daysIn(period) > days + 1 / 24) return null;
  const back = (time: string) => isoOf(localOf(time, zone) - days * dayMs, zone);
  const label = `${period.label} ${days === 1 ? "a day" : "a week"} earlier`;
  return { from: back(period.from), to: back(period.to), label };
}

/** Months before months, else as many milliseconds. */
export function previousOf(period: Period, zone: string): Period | null {
  if (period.from === null) return null;
  const [from, to] = [localOf(period.from, zone), localOf(period.to, zone)];
  const whole = startOf("month", from) === from && startOf("month", to) === to;
  const months = Math.round((to - from) / (30.4 * dayMs));
  const start = whole ? addUnits("month", from, -months) : from - (to - from);
  return { from: isoOf(start, zone), to: period.from, label: "the period before" };
}

/** "On Monday only", behind last week: the Monday of that week; undefined where it is no weekday, or that is no week. */
export function weekdayWithin(day: Period, before: Period | null, zone: string): Period | undefined {
  if (day.from === null || before?.from == null) return undefined;
  const [first, end] = [localOf(before.from, zone), localOf(before.to, zone)];
  if (end - first > 7 * dayMs || localOf(day.from, zone) < end) return undefined;
  const found = weekdayBefore(day, before.to, zone);
  return found?.from != null && localOf(found.from, zone) >= first ? found : undefined;
}

/** "The Friday before": the last such day that ends before a time; undefined where the day is no weekday. */
export function weekdayBefore(day: Period, time: string, zone: string): Period | undefined {
  const weekday = /^(\w+day) \d{4}-\d\d-\d\d$/.exec(day.label)?.[1];
  if (weekday === undefined || day.from === null) return undefined;
  const [said, end] = [localOf(day.from, zone), localOf(time, zone)];
  const from = said < end ? said : said - Math.ceil((said - end + 1) / (7 * dayMs)) * 7 * dayMs;
  return { from: isoOf(from, zone), to: isoOf(addUnits("day", from, 1), zone), label: `${weekday} ${isoDate(from)}` };
}
