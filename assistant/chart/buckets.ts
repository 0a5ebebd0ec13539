import { addUnits, bucketLabel, type Local, recurringLabels, unitsBetween, weekdayOf } from "../calendar.ts";
import { grainWords } from "../catalog/catalog.ts";
import { capital } from "../phrasing/figure.ts";
import { type Grain, isRecurring, type RunningGrain } from "../plan.ts";
import { startOfBucket, toSay } from "./bucket-labels.ts";
import type { Spec } from "./encode.ts";
import { distinct, type Shape } from "./shape.ts";

/** More buckets than these are not filled up: a drawing has as many rows at most. */
const mostBuckets = 2000;
/** More ticks than these are thinned out; of so many, the page draws as many as have room for their labels. */
const mostTicks = 31;

/**
 * The shape with every bucket from its first to its last in order, each under the label by which a reader knows it: the
 * axis is one of names, so that no zone and no parser of dates can shift, repeat or drop a bucket.
 */
export function withBuckets(shape: Shape): Shape {
  const { grain, rows, categories, zone } = shape;
  if (grain === null || rows.length === 0) return shape;
  const known = distinct(rows, grain);
  const all = isRecurring(grain) ? recurringLabels[grain].map(String) : bucketsBetween(known, grain, zone);
  const place = new Map(all.map((label, index) => [label, index]));
  const names = Object.fromEntries(categories.map(({ name }) => [name, rows[0]?.[name] ?? null]));
  const missing = all.filter((label) => !known.includes(label)).map((label) => ({ ...names, [grain]: label }));
  const before = `${grain}_before`;
  const say = toSay(grain, [...all, ...(rows.some((row) => before in row) ? distinct(rows, before) : [])]);
  const said = [...rows, ...missing]
    .toSorted((a, b) => (place.get(String(a[grain])) ?? 0) - (place.get(String(b[grain])) ?? 0))
    .map((row) => ({
      ...row,
      [grain]: say(String(row[grain])),
      ...(typeof row[before] === "string" ? { [before]: say(row[before]) } : {}),
    }));
  return { ...shape, rows: said, ticks: ticksOf(grain, all).map(say) };
}

/** The time axis. Labels of two parts stand on two lines: the hour over its day, the day over its year. */
export function timeAxis({ grain, zone, ticks = [] }: Shape): Spec {
  const name = grain ?? "day";
  const isOneDay = name === "hour" && new Set(ticks.map((tick) => tick.slice(0, -7))).size === 1;
  const hours = isOneDay ? "slice(datum.label, -5)" : "[slice(datum.label, -5), slice(datum.label, 0, -7)]";
  const axis = {
    values: ticks,
    labelAngle: 0,
    labelOverlap: true,
    labelSeparation: 8,
    ...(name === "hour" ? { labelExpr: hours } : {}),
    ...(name === "day" || name === "week" ? { labelExpr: "split(datum.label, ', ')" } : {}),
  };
  return { field: name, type: "ordinal", title: `${capital(grainWords[name])} (${zone})`, sort: null, axis };
}

/** The labels of all buckets from the first to the last of these; these alone, where they are too many. */
function bucketsBetween(known: readonly string[], grain: RunningGrain, zone: string): readonly string[] {
  const sorted = known.toSorted();
  const [first = "", last = ""] = [sorted[0], sorted.at(-1)];
  const [from, to] = [startOfBucket(grain, first), startOfBucket(grain, last)];
  if (Number.isNaN(from) || Number.isNaN(to) || addUnits(grain, from, mostBuckets) < to) return sorted;
  const units = unitsBetween(grain, { from, to: addUnits(grain, to, 1), zone });
  return [...new Set([...units.map((at) => String(bucketLabel(grain, at))), ...sorted])].toSorted();
}

type Picks = (at: Local) => boolean;
const hour = (at: Local): number => new Date(at).getUTCHours();
const month = (at: Local): number => new Date(at).getUTCMonth();
const date = (at: Local): number => new Date(at).getUTCDate();

/** The buckets that get a tick where all would be too many: ever fewer, at round times. */
const rounder: Readonly<Record<RunningGrain, readonly Picks[]>> = {
  hour: [(at) => hour(at) % 3 === 0, (at) => hour(at) % 6 === 0, (at) => hour(at) === 0],
  day: [(at) => weekdayOf(at) === 1, (at) => date(at) === 1],
  week: [(at) => date(at) <= 7],
  month: [(at) => month(at) % 3 === 0, (at) => month(at) === 0],
  quarter: [(at) => month(at) === 0],
  year: [],
};

function ticksOf(grain: Grain, labels: readonly string[]): readonly string[] {
  if (isRecurring(grain) || labels.length <= mostTicks) return labels;
  const picked = rounder[grain].map((picks) => labels.filter((label) => picks(startOfBucket(grain, label))));
  const few = picked.find((each) => each.length <= mostTicks && each.length > 1);
  if (few !== undefined) return few;
  const fewest = picked.findLast((each) => each.length > 1) ?? labels;
  const step = Math.ceil(fewest.length / mostTicks);
  return fewest.filter((_, index) => index % step === 0);
}
