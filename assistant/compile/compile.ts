import { raw, type Statement, sql, time } from "../../warehouse/statement.ts";
import { dayMs } from "../calendar.ts";
import { subjectOf } from "../catalog/catalog.ts";
import type { Period, Plan } from "../plan.ts";
import { comparison } from "./comparison.ts";
import { within } from "./condition.ts";
import type { Dialect, Likely } from "./dialect.ts";
import { grouped, isTopOfMany } from "./figures.ts";
import { listing } from "./listing.ts";
import { limit, ordered } from "./order.ts";
import { all, conditions, type Scope } from "./scope.ts";
import { orderedSeries, series } from "./series.ts";
import { toSource } from "./source.ts";
import { needsWindows, withWindows } from "./windows.ts";

export interface Compiling {
  readonly dialect: Dialect;
  /** Now, by the clock: makes plans of all data cheap, and changes none of their rows. */
  readonly now?: number;
}

/** The plan as one SELECT, fenced to the organization. The answer's columns: grain, dimensions, measures. */
export function compilePlan(plan: Plan, orgId: string, { dialect, now }: Compiling): Statement {
  const scope: Scope = { plan, subject: subjectOf(plan.subject), orgId, dialect, likely: likelyOf(plan, now) };
  if (plan.columns.length > 0) return listing(scope);
  if (plan.compare !== null) return comparison(scope, plan.compare);
  if (needsWindows(plan)) return withWindows(scope, isFilled(plan) ? series(scope) : grouped(scope, plan.period));
  if (isFilled(plan)) return orderedSeries(scope);
  return sql`${ordered(scope, grouped(scope, plan.period))}${isTopOfMany(plan) ? raw("") : limit(plan)}`;
}

/** The plan's periods, from the start of the first to the end of the last; without bounds, the last two years. */
function likelyOf({ period, compare }: Plan, now: number | undefined): Likely | undefined {
  const periods = [period, ...(compare === null ? [] : [compare])];
  const [starts, ends] = [periods.map((each) => each?.from ?? null), periods.map((each) => each?.to ?? null)];
  const isBound = (bound: string | null): bound is string => bound !== null;
  if (starts.every(isBound) && ends.every(isBound))
    return { from: Math.min(...starts.map(Date.parse)), to: Math.max(...ends.map(Date.parse)), isCertain: true };
  return now === undefined ? undefined : { from: now - 731 * dayMs, to: now + dayMs, isCertain: false };
}

/** A series has every bucket; a ranking of buckets, and conditions on them, show only those that have rows. */
const isFilled = (plan: Plan): boolean =>
  plan.grain !== null && plan.having.length === 0 && (plan.limit === null || isTopOfMany(plan));

/** How many rows are `within` the period, and when the nearest outside of it are: `before` and `after`, null without any. */
export function compileNearest(plan: Plan & { readonly period: Period }, orgId: string, dialect: Dialect): Statement {
  const scope: Scope = { plan, subject: subjectOf(plan.subject), orgId, dialect, likely: undefined };
  const column = raw(scope.subject.time);
  const from = time(new Date(plan.period.from ?? plan.period.to));
  return sql`SELECT
  count(*) FILTER (WHERE ${all(within(scope.subject.time, plan.period))}) AS within,
  max(${column}) FILTER (WHERE ${column} < ${from}) AS before,
  min(${column}) FILTER (WHERE ${column} >= ${time(new Date(plan.period.to))}) AS after
FROM ${toSource(plan, scope.subject, orgId)}
WHERE ${conditions(scope, null)}`;
}
