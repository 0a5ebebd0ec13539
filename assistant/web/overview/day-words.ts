import { formatDate } from "../format-time.ts";
import type { Overview } from "./overview.ts";

/** How the day of the overview and the days that it is held against are called. */
export type DayWords = {
  /** "today", "that day": of what happened on it. */
  readonly on: string;
  /** "Today", "Nov 26, 2026": its name. */
  readonly name: string;
  readonly yesterday: string;
  readonly lastWeek: string;
  /** Behind the days before: their same part, while the day is not over. */
  readonly byNow: string;
};

const weekdayName = (time: string, zone: string): string =>
  new Intl.DateTimeFormat("en-US", { weekday: "long", timeZone: zone }).format(new Date(time));

/** The day of the week of the overview's day; empty before it is read. */
export const weekdayOf = (overview: Pick<Overview, "periods" | "timezone"> | null): string =>
  overview === null ? "" : weekdayName(overview.periods.today.from, overview.timezone);

export const dayWords = (day: string | null, overview: Pick<Overview, "periods" | "timezone"> | null): DayWords => {
  const weekday = weekdayOf(overview) || "week";
  if (day === null) {
    return { on: "today", name: "Today", yesterday: "Yesterday", lastWeek: `Last ${weekday}`, byNow: " by now" };
  }
  const zone = overview?.timezone ?? "UTC";
  const name = overview === null ? day : formatDate(overview.periods.today.from, zone);
  return { on: "that day", name, yesterday: "The day before", lastWeek: `The ${weekday} before`, byNow: "" };
};
