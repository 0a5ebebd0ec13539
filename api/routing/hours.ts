import { type LocalTime, localTime } from "../../ingest/time-zone.ts";
import { memoizeByObject } from "../conditions/memoize.ts";
import type { HoursOfOperation } from "../config/resources/shapes.ts";
import { toWeekday } from "../config/weekday.ts";

type DayHours = NonNullable<HoursOfOperation["days"]>[number];

/** Minutes of the local day, from `start` on and up to `end`; a smaller `end` lies on the next day. */
interface Range {
  readonly start: number;
  readonly end: number;
}

const minutesPerDay = 1440;
const wholeDay: Range = { start: 0, end: minutesPerDay };

/** The minutes of each day of a week, from Sunday on, in which hours of operation are open. */
export type OpenRanges = readonly (readonly Range[])[];

/** Returns when hours of operation are open; null for always. Made once for as long as the config has them. */
export const openRangesOf = (hours: HoursOfOperation | null | undefined): OpenRanges | null =>
  hours == null || isAlwaysOpen(hours) ? null : compileDays(hours);

const isAlwaysOpen = ({ always_open, days }: HoursOfOperation): boolean =>
  always_open === true || (days === undefined && always_open !== false);

const compileDays = memoizeByObject(({ days = [] }: HoursOfOperation): OpenRanges => {
  const own = Array.from({ length: 7 }, (_, weekday) => rangesOf(days, weekday));
  return own.map((ranges, weekday) => [
    ...ranges.map((range) => (range.end < range.start ? { start: range.start, end: minutesPerDay } : range)),
    // Hours that begin on the day before and cross midnight.
    ...(own[(weekday + 6) % 7] ?? []).flatMap(({ start, end }) => (end < start ? [{ start: 0, end }] : [])),
  ]);
});

/**
 * Returns true if a wall clock is within the ranges: nothing is open in the hour that spring leaves out, and what is
 * open in the hour that autumn repeats is so twice.
 */
export function isOpenAt(ranges: OpenRanges, { weekday, hour, minute }: LocalTime): boolean {
  const at = hour * 60 + minute;
  return (ranges[weekday] ?? []).some(({ start, end }) => start <= at && at < end);
}

/** Returns true if hours of operation are open at `now` by the wall clock of the zone. */
export function isOpen(hours: HoursOfOperation | null | undefined, timezone: string, now: number): boolean {
  const ranges = openRangesOf(hours);
  return ranges === null || isOpenAt(ranges, localTime(timezone, now));
}

/** All ranges that begin on a day: several entries for it add up, closed ones have none. */
const rangesOf = (days: readonly DayHours[], weekday: number): readonly Range[] =>
  days.flatMap((entry) => (toWeekday(entry.day) === weekday && entry.isOpen !== false ? rangesOfEntry(entry) : []));

function rangesOfEntry({ timeRanges, hours }: DayHours): readonly Range[] {
  const ranges = timeRanges?.length ? timeRanges.map(toRange) : typeof hours === "string" ? parseHours(hours) : null;
  return ranges ?? [wholeDay];
}

const clock = "(?:[01]?\\d|2[0-3]):[0-5]\\d|24:00";
const textRange = new RegExp(`^\\s*(${clock})\\s*-\\s*(${clock})\\s*$`);

/** Ranges of a text like `09:00-12:00,13:00-17:00`; null when it is anything else. */
export function parseHours(text: string): readonly Range[] | null {
  const ranges = text.split(",").map((part) => {
    const [, start, end] = textRange.exec(part) ?? [];
    return start === undefined || end === undefined ? null : toRange({ start, end });
  });
  return ranges.includes(null) ? null : (ranges as Range[]);
}

function toRange({ start, end }: { readonly start: string; readonly end: string }): Range {
  const [from, to] = [toMinutes(start), toMinutes(end)];
  if (from === to) return wholeDay;
  // The last minute that many forms let people choose stands for the end of the day.
  return { start: from, end: to === minutesPerDay - 1 ? minutesPerDay : to };
}

function toMinutes(time: string): number {
  const [hours, minutes] = time.split(":").map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0);
}
