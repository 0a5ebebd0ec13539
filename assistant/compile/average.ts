import { integer, join, type Statement, sql, text } from "../../warehouse/statement.ts";
import { bucketLabel, isoDate, toLocal, unitsBetween } from "../calendar.ts";
import { type Grain, isRecurring, type Period, type RunningGrain } from "../plan.ts";
import { bucketsOf } from "./buckets.ts";
import type { Scope } from "./scope.ts";

interface Over {
  readonly period: Period | null;
  /** The expression of the figure's bucket: its start, or the label of a recurring one; undefined without a grain. */
  readonly bucket: Statement | undefined;
}

/**
 * The number of units of time in the period, or in each of its buckets, which an average divides by, so that units
 * without rows count too. A unit that is cut by the period's ends counts as one.
 */
export function countOfUnits(scope: Scope, unit: RunningGrain, { period, bucket }: Over): Statement {
  const { plan, dialect } = scope;
  if (period === null || period.from === null) {
    const units = bucketsOf({ ...scope, plan: { ...plan, grain: unit, period } });
    return sql`(SELECT count(*) FROM (${units}) AS units)`;
  }
  if (plan.grain === null || bucket === undefined)
    return sql`${integer(Math.max(1, unitsOf(period, { unit, zone: plan.zone }).length))}`;
  const cases = [...countByBucket(period, { unit, grain: plan.grain, zone: plan.zone })].map(
    ([label, count]) => sql`WHEN ${labelValue(label)} THEN ${integer(count)}`,
  );
  // All rows of a group are of one bucket; engines that bind the zone twice do not see it.
  const one = sql`max(${bucket})`;
  return sql`CASE ${isRecurring(plan.grain) ? one : dialect.bucket(one, plan.grain)} ${join(cases, " ")} END`;
}

const labelValue = (label: string | number) => (typeof label === "number" ? integer(label) : text(label));

/** The wall-clock starts of the units in the period. */
const unitsOf = (
  { from, to }: Period,
  { unit, zone }: { readonly unit: RunningGrain; readonly zone: string },
): readonly number[] =>
  unitsBetween(unit, { from: toLocal(Date.parse(from ?? to), zone), to: toLocal(Date.parse(to), zone), zone });

/** The number of units in each bucket; hours of the day count hours, parts of the day count days. */
function countByBucket(
  period: Period,
  { unit, grain, zone }: { readonly unit: RunningGrain; readonly grain: Grain; readonly zone: string },
): ReadonlyMap<string | number, number> {
  const counts = new Map<string | number, number>();
  const isWithinDay = grain === "hour_of_day" || grain === "part_of_day";
  let last: string | undefined;
  for (const at of unitsOf(period, { unit: isWithinDay ? "hour" : unit, zone })) {
    const label = bucketLabel(grain, at);
    const part = `${isoDate(at)} ${label}`;
    if (grain === "part_of_day" && unit !== "hour" && part === last) continue;
    last = part;
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  return counts;
}
