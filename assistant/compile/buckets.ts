import { join, raw, type Statement, sql, text, time } from "../../warehouse/statement.ts";
import { startOf, toInstant, toLocal } from "../calendar.ts";
import { type Grain, isRecurring, type Period, reach } from "../plan.ts";
import { compare, within } from "./condition.ts";
import type { Scope } from "./scope.ts";

/** The recurring units that follow from a bucket: an hour has an hour of the day and a day of the week. */
const saidBy: Partial<Record<Grain, readonly string[]>> = {
  hour: ["hour_of_day", "day_of_week", "kind_of_day", "part_of_day"],
  day: ["day_of_week", "kind_of_day"],
};

/** A SELECT of the labels of a recurring grain that the plan's conditions leave: "on weekdays" there is no Saturday, not even 0. */
export function recurringOf({ plan, dialect }: Pick<Scope, "plan" | "dialect">, grain: Grain): Statement {
  const own = plan.filters.filter(({ field, or }) => field === grain && or === undefined);
  const all = dialect.recurring(grain);
  if (own.length === 0) return all;
  const conditions = own.map((filter) => compare(raw(grain), filter, dialect));
  return sql`SELECT ${raw(grain)} FROM (${all}) AS all_of_them WHERE ${join(conditions, " AND ")}`;
}

/** A SELECT of the labels of all buckets of the plan's grain in its period that its conditions leave. */
export function bucketsOf(scope: Scope): Statement {
  const { plan, dialect } = scope;
  const grain = plan.grain ?? "day";
  if (isRecurring(grain)) return recurringOf(scope, grain);
  const { period, zone } = plan;
  const start = (at: number): Statement => {
    const local = startOf(grain, toLocal(at, zone));
    return sql`${time(new Date(grain === "hour" ? toInstant(local, zone) : local))}`;
  };
  // Without a bound in the plan, the data's own first and last row are the bounds.
  const edge = (aggregate: "min" | "max"): Statement => {
    const row = sql`(${outermost(scope, aggregate, reach)})`;
    if (grain !== "hour") return dialect.startOf(dialect.local(row, zone), grain);
    return aggregate === "max" ? row : dialect.startOf(row, "hour");
  };
  const first = period === null || period.from === null ? edge("min") : start(Date.parse(period.from));
  const last = period === null ? edge("max") : lastOf(start(Date.parse(period.to) - 1), period, edge);
  const told = plan.filters.filter(({ field, or }) => or === undefined && saidBy[grain]?.includes(field));
  return dialect.buckets(grain, {
    first,
    last,
    zone,
    where: (local) => told.map((filter) => compare(dialect.bucket(local, filter.field as Grain), filter, dialect)),
  });
}

/**
 * A SELECT of the time of the organization's first or last record in the period, whatever the plan's conditions are.
 * Within `reach`, since one row of a year that nobody can mean would make a row of every hour since.
 */
const outermost = ({ plan, subject, orgId }: Scope, aggregate: "min" | "max", period: Period): Statement =>
  sql`SELECT ${raw(aggregate)}(${raw(subject.time)}) FROM ${raw(plan.subject)} WHERE org_id = ${text(orgId)} AND ${join(within(subject.time, period), " AND ")}`;

/**
 * A SELECT of the label of the bucket in which the organization's records begin, or of any that has records before the period:
 * that there was nothing yet is no figure. Undefined where the buckets begin with the records anyway.
 */
export function firstKnown(scope: Scope): Statement | undefined {
  const { plan, subject, orgId, dialect } = scope;
  const { grain, period, zone } = plan;
  if (grain === null || isRecurring(grain) || period === null || period.from === null) return undefined;
  const earlier = join(within(subject.time, { ...reach, to: period.from }), " AND ");
  // Any record before the period will do: to find the first of all would cost more than the answer.
  const one = sql`SELECT ${raw(subject.time)} AS known FROM ${raw(plan.subject)} WHERE org_id = ${text(orgId)} AND ${earlier} LIMIT 1`;
  return sql`SELECT ${dialect.bucket(dialect.local(raw("moment"), zone), grain)} AS ${raw(grain)}
  FROM (
    SELECT min(known) AS moment FROM (
      SELECT known FROM (${one}) AS earlier
      UNION ALL
      ${outermost(scope, "min", period)}
    ) AS records
  ) AS beginning`;
}

/** The last bucket; a period without a beginning ("before March") ends with its data, if that ends earlier. */
const lastOf = (end: Statement, { from }: Period, edge: (aggregate: "max") => Statement): Statement =>
  from === null ? sql`least(${end}, ${edge("max")})` : end;
