import { isDeepStrictEqual } from "node:util";
import { findMeasure, grainWords } from "../../catalog/catalog.ts";
import type { Subject } from "../../catalog/field.ts";
import { isLessBetter } from "../../catalog/less-is-better.ts";
import { capital, listOf as inWords } from "../../phrasing/figure.ts";
import { type Grain, isGrain, isRecurring, type Period, type Plan, type RunningGrain } from "../../plan.ts";
import {
  daysEarlier,
  daysIn,
  earlierOf,
  previousOf,
  samePart,
  trendGrain,
  weekdayBefore,
  yearEarlier,
} from "../period/earlier.ts";
import { readPeriod } from "../period/period.ts";
import { binOf } from "./book/spreads.ts";
import type { Piece } from "./piece.ts";
import { defaultTop, type Setting } from "./production.ts";
import { crossing, throughout } from "./times.ts";

/** What a ranking is of: by which figure, or by the first one that is shown. */
interface Shape {
  readonly order: { readonly by: string | null; readonly direction: "asc" | "desc" } | null;
  /** "Best", "worst": which end that is depends on the figure. */
  readonly ofQuality: boolean;
  readonly listing: boolean;
  readonly dimensions: readonly string[];
  readonly grain: Plan["grain"];
  readonly filters: Plan["filters"];
}

/** "The busiest day by …": what is ranked by is shown too. */
export function withOrder(measures: readonly string[], { order }: Pick<Shape, "order">, subject: Subject): string[] {
  const by = order?.by ?? null;
  return by === null || measures.includes(by) || findMeasure(subject, by) === undefined
    ? [...measures]
    : [...measures, by];
}

export function toOrder(
  { order, ofQuality, listing, dimensions, grain, filters }: Shape,
  measures: readonly string[],
  subject: Subject,
): Plan["order"] {
  if (order === null) return null;
  if (!listing && dimensions.length === 0 && grain === null) return null;
  const by = order.by ?? measures[0];
  if (by === undefined) return null;
  // The worst day of what failed is that of the most.
  const count =
    by === subject.defaultMeasure
      ? subject.flags.find(({ name }) => filters.some(({ field, values }) => field === name && values[0] === true))
      : undefined;
  const turns = ofQuality && isLessBetter(subject.name, count?.measure ?? by);
  return { by, direction: turns ? opposite[order.direction] : order.direction };
}
const opposite = { asc: "desc", desc: "asc" } as const;

export interface Groups {
  readonly dimensions: string[];
  readonly grain: Grain | null;
}

/** Two units of time cross where one recurs. The hour that is ranked is one of the day. */
export function groupsOf(
  said: Piece,
  setting: Setting,
  { grain: trend, period }: Times,
  notes: string[],
): Groups | undefined {
  const bin = binOf(said, setting);
  if (bin === undefined) return undefined;
  const compared = said.compares === true && said.versus === undefined ? severalIn(said) : [];
  const { subject } = setting;
  const reason = said.counts === undefined ? undefined : subject.dimensions.find(({ reasonOf }) => reasonOf)?.name;
  const first = (said.groups ?? []).filter((name) => name !== reason && !said.last?.includes(name));
  const all = [...(bin === null ? [] : [bin]), ...first, ...(said.groups ?? []), ...(said.last ?? []), ...compared];
  const names = [...new Set(all.map((name) => (name === "hour" && isOfDay(said, period) ? "hour_of_day" : name)))];
  const readAsOfDay = () => notes.push("I read hour as hour of day.");
  if (names.includes("hour_of_day") && said.groups?.includes("hour")) readAsOfDay();
  const fields = names.filter((name) => !isGrain(name));
  // "At what hours? Count by hour of day."
  const units = names.filter(isGrain).filter((name) => name !== "hour" || !names.includes("hour_of_day"));
  const isFact = (name: string) => subject.flags.some((flag) => flag.name === name);
  const dimensions = [...fields.filter((name) => !isFact(name)), ...fields.filter(isFact)];
  const [main, across, more] = units;
  if (more !== undefined) return undefined;
  if (main === undefined || across === undefined) return { dimensions, grain: main ?? trend };
  const crossed = crossing(main, across) ?? crossing(across, main);
  if (crossed !== undefined && crossed.main !== main && crossed.main !== across) readAsOfDay();
  return crossed && { dimensions: [...dimensions, crossed.across], grain: crossed.main };
}

/** Units of time that do not cross. */
export function oneUnit(groups: readonly string[]): string {
  const units = [...new Set(groups.filter(isGrain))].map((grain) => grainWords[grain]);
  return `I can group by one unit of time at a time, not by ${inWords(units)}.`;
}

/** The fields of which several names are said. */
const severalIn = ({ filters = [] }: Piece): readonly string[] =>
  filters.filter(({ op, values }) => op === "is" && values.length > 1).map(({ field }) => field);

const isOfDay = (said: Piece, period: Period | null): boolean =>
  (said.asked !== undefined || (said.limit ?? limitOf(said)) !== null) && daysIn(period) > 1;

interface Times {
  readonly period: Period | null;
  readonly compare: Period | null;
  readonly grain: Grain | null;
  readonly running: Plan["running"];
}

/** What the period is held against; a period that still runs with as much of the other one. */
export function timesOf(said: Piece, { now, zone }: Pick<Setting, "now" | "zone">, notes: string[]): Times | undefined {
  const period = said.period ?? null;
  const { versus } = said;
  const isSeries = said.groups?.some((name) => isGrain(name) && !isRecurring(name)) === true;
  const isTrend = said.trend === true || said.running != null;
  const plain = { period, compare: null, grain: isTrend ? trendGrain(period) : null, running: said.running ?? null };
  switch (versus?.kind) {
    case undefined:
      if (said.moves && isSeries) return { ...plain, running: "change" };
      if (!said.changes && !said.moves) return plain;
      // "Better since last month": what that is held against is not said.
      return period === null || period.label.startsWith("since ")
        ? undefined
        : compared(plain, previousOf(period, zone));
    case "period": {
      if (period === null) {
        const running = versus.mayBeNow && said.period === undefined ? nowOf(versus.period, { now, zone }) : undefined;
        return running && timesOf({ ...said, period: running }, { now, zone }, notes);
      }
      if (isDeepStrictEqual(bounds(period), bounds(versus.period)))
        return /^last \d/.test(period.label) ? compared(plain, previousOf(period, zone)) : undefined;
      const all = versus.isJoined && isSeries ? throughout(period, versus.period) : undefined;
      if (all !== undefined) return { ...plain, period: all };
      if (versus.isSame && Date.parse(period.to) !== now) return undefined;
      if (Date.parse(period.to) !== now) return { ...plain, compare: versus.period };
      const part = samePart(period, versus.period, zone);
      if (part !== versus.period)
        notes.push(
          `${capital(period.label)} is not over, so only the same part of ${versus.period.label} is compared.`,
        );
      return { ...plain, compare: part };
    }
    case "weekday before": {
      const compare = period?.from == null ? undefined : weekdayBefore(versus.day, period.from, zone);
      return compare && { ...plain, compare };
    }
    case "before": {
      // "The 4 weeks before" the last 7 days are another length.
      if (versus.length !== undefined && !new RegExp(`\\b${versus.length}s?$`).test(period?.label ?? ""))
        return undefined;
      const unit = versus.isUnit && period !== null ? runningUnit(period.label) : undefined;
      const earlier = unit && period ? earlierOf(period, unit, zone) : null;
      if (earlier !== null && period !== null) return compared(plain, samePart(period, earlier, zone));
      return period === null ? undefined : compared(plain, previousOf(period, zone));
    }
    case "days before":
      return period === null ? undefined : compared(plain, daysEarlier(period, versus.days, zone));
    case "year before":
      return period === null ? undefined : compared(plain, yearEarlier(period, versus.unit, zone));
    case "over": {
      const { grain } = versus;
      if (grain === "year" && period !== null) return compared(plain, yearEarlier(period, "period", zone));
      const earlier = period === null || isSeries ? null : earlierOf(period, grain as RunningGrain, zone);
      if (earlier !== null && period !== null) return compared(plain, samePart(period, earlier, zone));
      return { ...plain, grain: isSeries ? null : (grain as Grain), running: "change" };
    }
  }
}

/** "Up on last week": this week, of which there is as much as of that one. */
function nowOf({ label }: Period, { now, zone }: Pick<Setting, "now" | "zone">): Period | undefined {
  const unit = /^last (week|month|quarter|year)$/.exec(label)?.[1];
  const words = label === "yesterday" ? ["today"] : unit === undefined ? [] : ["this", unit];
  return readPeriod(words, now, zone)?.period ?? undefined;
}

/** "This month", which still runs. */
const runningUnit = (label: string) => /^this (week|month|quarter|year)$/.exec(label)?.[1] as RunningGrain | undefined;

const bounds = ({ from, to }: Period) => [from, to];
const compared = (times: Times, compare: Period | null): Times | undefined =>
  compare === null ? undefined : { ...times, compare };

/** "Which publisher has the most calls" and "the worst rate by publisher" ask for one, "which publishers" for several. */
export const limitOf = ({ asked, direction, groups = [], isHighest, by = [] }: Piece): number | null => {
  if (direction === undefined) return null;
  // "Who sends us the most duplicates? October, by publisher".
  if (asked !== undefined && groups.every((name) => by.includes(name) || by.includes(`${name}_of_day`))) return null;
  if (asked !== undefined) return asked === "one" ? 1 : defaultTop;
  return isHighest && groups.length > 0 ? 1 : null;
};
