import { remember } from "./remember.ts";
import { toWeekday } from "./weekday.ts";

/** What the clock on the wall and the calendar show, to the minute. */
export interface LocalTime {
  readonly year: number;
  /** 1 for January. */
  readonly month: number;
  readonly day: number;
  /** 0 for Sunday. */
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
}

/** Where an owner says none (semantics 8.4). */
export const defaultTimezone = "America/New_York";
const minuteMs = 60_000;
const dayMs = 86_400_000;

/** About as many as the world has zones: making a formatter takes some hundred times as long as using it. */
const formatterOf = remember(
  500,
  (timeZone) =>
    new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      calendar: "gregory",
      numberingSystem: "latn",
      weekday: "short",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
    }),
);

export function isTimeZone(zone: string): boolean {
  // The runtime also takes offsets such as +02:00, which have no rules for summer time.
  if (!/^[A-Za-z]/.test(zone)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** Throws for a zone that is none: config is checked when it is written. */
export function localTime(timezone: string, ms: number): LocalTime {
  const parts = new Map(
    formatterOf(timezone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  );
  const number = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type));
  return {
    year: number("year"),
    month: number("month"),
    day: number("day"),
    hour: number("hour"),
    minute: number("minute"),
    weekday: toWeekday(parts.get("weekday") ?? "") ?? 0,
  };
}

/** How far the zone's clocks are ahead of UTC, in milliseconds. */
function offsetAt(timezone: string, ms: number): number {
  const { year, month, day, hour, minute } = localTime(timezone, ms);
  return Date.UTC(year, month - 1, day, hour, minute) - Math.floor(ms / minuteMs) * minuteMs;
}

/**
 * The instant at which a date begins in a zone; days beyond the month's run on into the next, as `Date.UTC` has them.
 * Where clocks go back over midnight it is the first of the two midnights, where they go forward over it the instant
 * after the gap.
 */
export function startOfDate(timezone: string, { year, month, day }: Pick<LocalTime, "year" | "month" | "day">): number {
  const midnight = Date.UTC(year, month - 1, day);
  // No zone is further than a day from UTC, so the offsets of both ends cover any change near midnight.
  const before = midnight - offsetAt(timezone, midnight - dayMs);
  const after = midnight - offsetAt(timezone, midnight + dayMs);
  const isMidnight = (ms: number) => ms + offsetAt(timezone, ms) === midnight;
  const [first = before] = [before, after].filter(isMidnight).sort((one, other) => one - other);
  return first;
}
