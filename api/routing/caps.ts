import { roundMoney } from "../../ingest/money.ts";
import { isTimeZone, localTime, startOfDate } from "../../ingest/time-zone.ts";
import type { HoursOfOperation } from "../config/resources/shapes.ts";
import { toWeekday } from "../config/weekday.ts";
import { type CallStats, type Holder, type Measure, measures } from "./call-stats.ts";
import { isOpen, parseHours } from "./hours.ts";

/** `all` counts since ever, `total` since the counters were last set back. */
export const capPeriods = ["hour", "day", "week", "month", "all", "total"] as const;
export type CapPeriod = (typeof capPeriods)[number];

/** A limit on what a holder may get in a calendar period of a zone. */
export interface Cap {
  readonly measure: Measure;
  readonly period: CapPeriod;
  /** Calls, or dollars; 0 allows none. */
  readonly limit: number;
  readonly timezone: string;
  /** Hours in which the cap is in force; it counts the whole period all the same. */
  readonly when?: HoursOfOperation;
}

/** Counters for caps: `CallStats` of one holder. */
export interface CapUse {
  use(measure: Measure, sinceMs: number): number;
  totalsSince(): number;
}

type Row = Readonly<Record<string, unknown>>;

/** The rows of `advanced_caps` that can be read; customers keep others in them for purposes of their own. */
export const parseCaps = (rows: readonly Row[], timezone: string): readonly Cap[] =>
  rows.flatMap((row) => parseCap(row, timezone) ?? []);

function parseCap(row: Row, ownersTimezone: string): Cap | null {
  const measure = oneOf(measures, row["type"] ?? "connected");
  const period = oneOf(capPeriods, row["period"]);
  const limit = toLimit(row["limit"] ?? row["cap"] ?? row["max"] ?? row["value"]);
  const timezone = row["timezone"] ?? ownersTimezone;
  const when = parseWhen(row["days"], row["hours"]);
  if (measure === null || period === null || limit === null || when === null) return null;
  if (typeof timezone !== "string" || !isTimeZone(timezone)) return null;
  return { measure, period, limit, timezone, ...(when === undefined ? {} : { when }) };
}

const oneOf = <T extends string>(names: readonly T[], value: unknown): T | null =>
  names.find((name) => typeof value === "string" && value.trim().toLowerCase() === name) ?? null;

/** A number of 0 or more, as text too; null for anything else. */
function toLimit(value: unknown): number | null {
  const isText = typeof value === "string" && /^\s*\d+(\.\d+)?\s*$/.test(value);
  const limit = isText || typeof value === "number" ? Number(value) : Number.NaN;
  return Number.isFinite(limit) && limit >= 0 ? limit : null;
}

/** Names or numbers of days, and hours as `09:00-17:00`, either left out; null when they are anything else. */
function parseWhen(days: unknown, hours: unknown): HoursOfOperation | null | undefined {
  if (days == null && hours == null) return undefined;
  const named = days == null ? [0, 1, 2, 3, 4, 5, 6] : parseDays(days);
  if (named === null || (hours != null && (typeof hours !== "string" || parseHours(hours) === null))) return null;
  return { days: named.map((day) => ({ day, hours: hours ?? undefined })) };
}

function parseDays(days: unknown): readonly number[] | null {
  if (!Array.isArray(days)) return null;
  const named = days.map((day) => (typeof day === "string" || typeof day === "number" ? toWeekday(day) : null));
  return named.includes(null) ? null : (named as number[]);
}

/** Returns true if any cap that is in force now has been used up. */
export const capReached = (caps: readonly Cap[], used: CapUse, now: number): boolean =>
  caps.some((cap) => (cap.when === undefined || isOpen(cap.when, cap.timezone, now)) && isUsedUp(cap, used, now));

function isUsedUp(cap: Cap, used: CapUse, now: number): boolean {
  const since = cap.period === "total" ? used.totalsSince() : startOfPeriod(cap, now);
  // Sums of dollars may be a binary fraction short of a limit that they have reached.
  return roundMoney(used.use(cap.measure, since)) >= roundMoney(cap.limit);
}

const minuteMs = 60_000;

/** Returns when the current calendar period began in the cap's zone; weeks begin on Monday, as ISO 8601 has them. */
export function startOfPeriod({ period, timezone }: Pick<Cap, "period" | "timezone">, now: number): number {
  if (period === "all" || period === "total") return 0;
  const { year, month, day, weekday, minute } = localTime(timezone, now);
  switch (period) {
    case "hour":
      return Math.floor(now / minuteMs) * minuteMs - minute * minuteMs;
    case "day":
      return startOfDate(timezone, { year, month, day });
    case "week":
      return startOfDate(timezone, { year, month, day: day - ((weekday + 6) % 7) });
    case "month":
      return startOfDate(timezone, { year, month, day: 1 });
  }
}

/** The fields that limit a holder. */
export interface Limited {
  readonly max_concurrency?: number | undefined;
  readonly advanced_caps: readonly Row[];
}

/**
 * Returns how many calls a holder may have at once; null for no limit, which 0 means, too. A campaign has no field for it:
 * a row of `advanced_caps` of the type `concurrency` limits any holder, and of several limits the lowest holds.
 */
export function concurrencyLimit({ max_concurrency, advanced_caps }: Limited): number | null {
  const rows = advanced_caps.filter(({ type }) => oneOf(["concurrency"], type) !== null);
  const limits = [
    max_concurrency ?? 0,
    ...rows.map(({ limit, cap, max, value }) => toLimit(limit ?? cap ?? max ?? value) ?? 0),
  ];
  const set = limits.filter((limit) => limit > 0);
  return set.length === 0 ? null : Math.min(...set);
}

/** A holder with its limits, and the time zone of its caps that name none. */
export interface LimitedHolder {
  readonly holder: Holder;
  readonly limits: Limited;
  readonly timezone: string;
}

/** Returns the judge of a holder's caps: true if any of them has been used up. Null for a holder without caps. */
export function compileCaps({ holder, limits, timezone }: LimitedHolder) {
  const caps = limits.advanced_caps.length === 0 ? [] : parseCaps(limits.advanced_caps, timezone);
  if (caps.length === 0) return null;
  return (stats: CallStats, now: number): boolean => {
    const used: CapUse = {
      use: (measure, sinceMs) => stats.capUse(holder, measure, sinceMs),
      totalsSince: () => stats.totalsSince(holder),
    };
    return capReached(caps, used, now);
  };
}

/** Returns true if any of a holder's caps has been used up. */
export const isCapped = (limited: LimitedHolder, stats: CallStats, now: number): boolean =>
  compileCaps(limited)?.(stats, now) ?? false;

/** Returns true if a holder has as many calls as it may have at once. A soft check: the reservation decides. */
export function isFull({ holder, limits }: LimitedHolder, stats: CallStats): boolean {
  const limit = concurrencyLimit(limits);
  return limit !== null && stats.inUse(holder) >= limit;
}
