import { toInstant, toLocal } from "../../ingest/time-zone.ts";
import type { Cell, Column, Data } from "./wire.ts";

const monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const shape = /^(\d{4})-(\d{2})(?:-(\d{2}))?(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?(?:Z|[+-]\d{2}:?\d{2})?$/;
/** A time with an offset; one without is a wall clock's time or a date already. */
const instant = /\d[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/;

type WallClock = {
  readonly year: string;
  readonly month: number;
  readonly day: number;
  readonly hour: string;
  readonly minute: string;
  /** Empty where the time was written without seconds. */
  readonly second: string;
};

const toWallClock = (text: string): WallClock | null => {
  const [, year = "", month = "", day = "01", hour = "00", minute = "00", second = ""] = shape.exec(text) ?? [];
  return year === "" ? null : { year, month: Number(month), day: Number(day), hour, minute, second };
};

const dateOf = (at: WallClock): string => `${monthNames[at.month - 1] ?? at.month} ${at.day}, ${at.year}`;

const minuteOf = (at: WallClock): string => `${at.hour}:${at.minute}`;
/** All seconds are shown, of a full minute too: in a list, the times of the same kind have the same length. */
const clockOf = (at: WallClock): string => `${minuteOf(at)}${at.second === "" ? "" : `:${at.second}`}`;

/** An instant as the zone's wall-clock time, without an offset; any other text unchanged. */
const inZone = (text: string, zone: string): string => {
  const ms = instant.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? text : new Date(toLocal(ms, zone)).toISOString().slice(0, -1);
};

const textOf = (cell: Cell): string => (typeof cell === "number" ? new Date(cell).toISOString() : String(cell));

/** A bucket of time is recognised by the last word of its column's name: `call_month`. */
const buckets = ["year", "quarter", "month", "week", "day", "date"];
/** Buckets that are shown to the minute; their times are instants. */
const shortBuckets = ["hour", "minute"];
const lastWord = (columnName: string): string => columnName.split("_").at(-1) ?? "";

/** True for a column of buckets of time, whose cells may travel as text: "2026-10-01" of a day, "2026-10" of a month. */
export const isBucket = (columnName: string): boolean => [...buckets, ...shortBuckets].includes(lastWord(columnName));

/**
 * Formats a time in the organization's zone: the browser's would move calls to other days. A bucket keeps the time that
 * it was written with, which is in its own zone already.
 */
export const formatTime = (
  cell: Cell,
  { column, zone }: { readonly column: string; readonly zone: string },
): string => {
  const bucket = lastWord(column);
  const text = buckets.includes(bucket) ? textOf(cell) : inZone(textOf(cell), zone);
  const at = toWallClock(text);
  if (at === null) return text;
  switch (bucket) {
    case "year":
      return at.year;
    case "quarter":
      return `Q${Math.ceil(at.month / 3)} ${at.year}`;
    case "month":
      return `${monthNames[at.month - 1] ?? at.month} ${at.year}`;
    case "day":
    case "date":
    case "week":
      return dateOf(at);
    default: {
      const clock = shortBuckets.includes(bucket) ? minuteOf(at) : clockOf(at);
      return /\d[T ]\d/.test(text) ? `${dateOf(at)}, ${clock}` : dateOf(at);
    }
  }
};

/** "Nov 21, 2026, 19:38:48" and "Nov 21, 2026", in the zone. */
export const formatInstant = (time: string, zone: string): string => formatTime(time, { column: "", zone });
export const formatDate = (time: string, zone: string): string =>
  formatTime(inZone(time, zone), { column: "date", zone });

const withoutYear = (text: string): string => text.replace(/, \d{4}/, "");

/** "Nov 21, 19:38:48", for lists of when things happened, which are mostly of one year. */
export const formatShort = (time: string, zone: string): string => withoutYear(formatInstant(time, zone));
/** "Nov 21, 19:38", for when a state begins or ends, such as a pause, a period of a cap or the next run of a schedule. */
export const formatMinute = (time: string, zone: string): string =>
  withoutYear(formatTime(time, { column: "minute", zone }));
/** "19:38:48", for times of one day. */
export const formatClock = (time: string, zone: string): string => formatShort(time, zone).replace(/^.*, /, "");

/** True where rows hold times that are shown in the organization's zone, which is then named beside them. */
export const hasInstants = ({ columns, rows }: Pick<Data, "columns" | "rows">): boolean => {
  const isShownInZone = ({ name, type }: Column): boolean => type === "time" && !buckets.includes(lastWord(name));
  return columns.filter(isShownInZone).some(({ name }) => rows.some((row) => instant.test(textOf(row[name] ?? null))));
};

/** Converts a minute such as `2026-11-21T19:30`, as inputs of `datetime-local` have it, from UTC to the zone. */
export const minuteInZone = (utc: string, zone: string): string => inZone(`${utc}:00Z`, zone).slice(0, utc.length);
/** Converts it back; text that is no minute is unchanged. */
export const minuteOfUtc = (local: string, zone: string): string => {
  const ms = Date.parse(`${local}:00Z`);
  return Number.isNaN(ms) ? local : new Date(toInstant(ms, zone)).toISOString().slice(0, local.length);
};
