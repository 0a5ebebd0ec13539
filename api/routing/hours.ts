import { localTime } from "../../ingest/time-zone.ts";
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

/**
 * Returns true if hours of operation are open at `now`, by the wall clock of the zone alone: nothing is open in the hour that
 * spring leaves out, and what is open in the hour that autumn repeats is so twice (semantics 8.4).
 */
export function isOpen(hours: HoursOfOperation | null | undefined, timezone: string, now: number): boolean {
  if (hours == null || hours.always_open === true) return true;
  if (hours.days === undefined) return hours.always_open !== false;
  const { weekday, hour, minute } = localTime(timezone, now);
  const at = hour * 60 + minute;
  const yesterday = (weekday + 6) % 7;
  return (
    rangesOf(hours.days, weekday).some((range) => isWithin(range, at)) ||
    rangesOf(hours.days, yesterday).some((range) => range.end < range.start && at < range.end)
  );
}

/** Within the part of the range that lies on its own day. */
const isWithin = ({ start, end }: Range, at: number): boolean => start <= at && (at < end || end < start);

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
