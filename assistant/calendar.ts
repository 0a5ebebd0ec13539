import { dayMs, type Local, toInstant, toLocal } from "../ingest/time-zone.ts";
import { unreachable } from "../ingest/unreachable.ts";
import type { Grain, RecurringGrain, RunningGrain } from "./plan.ts";

export { dayMs, isTimeZone, type Local, toInstant, toLocal } from "../ingest/time-zone.ts";

export const dateOf = (year: number, month: number, day = 1): Local => Date.UTC(year, month - 1, day);
export const yearOf = (local: Local): number => new Date(local).getUTCFullYear();
/** 1 to 12. */
export const monthOf = (local: Local): number => new Date(local).getUTCMonth() + 1;
export const weekdayNames = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
/** 1 Monday to 7 Sunday. */
export const weekdayOf = (local: Local): number => new Date(local).getUTCDay() || 7;
export const isoDate = (local: Local): string => new Date(local).toISOString().slice(0, 10);

const monthsIn = { month: 1, quarter: 3, year: 12 } as const;

/** The start of the unit that holds a time; weeks start on Monday. */
export function startOf(unit: RunningGrain, local: Local): Local {
  switch (unit) {
    case "hour":
      return local - (((local % 3_600_000) + 3_600_000) % 3_600_000);
    case "day":
      return dateOf(yearOf(local), monthOf(local), new Date(local).getUTCDate());
    case "week":
      return startOf("day", local) - (weekdayOf(local) - 1) * dayMs;
    default: {
      const months = monthsIn[unit];
      return dateOf(yearOf(local), monthOf(local) - ((monthOf(local) - 1) % months));
    }
  }
}

/** Moves the start of a unit by so many units. */
export function addUnits(unit: RunningGrain, start: Local, count: number): Local {
  switch (unit) {
    case "hour":
      return start + count * 3_600_000;
    case "day":
      return start + count * dayMs;
    case "week":
      return start + count * 7 * dayMs;
    default: {
      const moved = dateOf(yearOf(start), monthOf(start) + count * monthsIn[unit], 1);
      return moved + (start - startOf("month", start));
    }
  }
}

/** The wall-clock starts of the units in a half-open span of wall-clock time. */
export function unitsBetween(
  unit: RunningGrain,
  { from, to, zone }: { readonly from: Local; readonly to: Local; readonly zone: string },
): readonly Local[] {
  const units: Local[] = [];
  for (let at = startOf(unit, from); at < to; at = addUnits(unit, at, 1)) {
    // An hour that the clocks skip is none.
    if (unit !== "hour" || toLocal(toInstant(at, zone), zone) === at) units.push(at);
  }
  return units;
}

/** Monday of an ISO week: the week with the year's first Thursday is week 1. */
export const startOfWeekNumber = (year: number, week: number): Local =>
  startOf("week", dateOf(year, 1, 4)) + (week - 1) * 7 * dayMs;

const hourOf = (local: Local): number => new Date(local).getUTCHours();
/** Monday to Friday. */
export const workdays = 5;

/**
 * The parts of the day in forecasts of the US National Weather Service, six hours each: morning from 6 am,
 * afternoon from noon, evening from 6 pm.
 */
export const partNames = ["overnight", "morning", "afternoon", "evening"];
export const partHours = 6;

/** The labels of recurring grains, in their order. */
export const recurringLabels: Readonly<Record<RecurringGrain, readonly (string | number)[]>> = {
  hour_of_day: Array.from({ length: 24 }, (_, hour) => hour),
  day_of_week: weekdayNames,
  kind_of_day: ["weekday", "weekend"],
  part_of_day: partNames,
};

/**
 * The label of a time's bucket, as the engines write it: "2026-10-05 14:00", "2026-10-05", "2026-10", "2026-Q4", 14,
 * "Monday", "weekend".
 */
export function bucketLabel(grain: Grain, local: Local): string | number {
  switch (grain) {
    case "hour":
      return `${isoDate(local)} ${new Date(local).toISOString().slice(11, 13)}:00`;
    case "day":
      return isoDate(local);
    case "week":
      return isoDate(startOf("week", local));
    case "month":
      return isoDate(local).slice(0, 7);
    case "quarter":
      return `${yearOf(local)}-Q${Math.ceil(monthOf(local) / 3)}`;
    case "year":
      return String(yearOf(local));
    case "hour_of_day":
      return hourOf(local);
    case "day_of_week":
      return weekdayNames[weekdayOf(local) - 1] ?? "";
    case "kind_of_day":
      return weekdayOf(local) > workdays ? "weekend" : "weekday";
    case "part_of_day":
      return partNames[Math.floor(hourOf(local) / partHours)] ?? "";
    default:
      return unreachable(grain);
  }
}
