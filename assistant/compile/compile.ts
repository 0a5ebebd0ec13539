import { raw, type Statement, sql, time } from "../../warehouse/statement.ts";
import { subjectOf } from "../catalog/catalog.ts";
import type { Period, Plan } from "../plan.ts";
import { comparison } from "./comparison.ts";
import { within } from "./condition.ts";
import type { Dialect } from "./dialect.ts";
import { grouped, isTopOfMany } from "./figures.ts";
import { listing } from "./listing.ts";
import { limit, ordered } from "./order.ts";
import { all, conditions, type Scope } from "./scope.ts";
import { orderedSeries, series } from "./series.ts";
import { toSource } from "./source.ts";
import { needsWindows, withWindows } from "./windows.ts";

/** The plan as one SELECT, fenced to the organization. The answer's columns: grain, dimensions, measures. */
export function compilePlan(plan: Plan, orgId: string, dialect: Dialect): Statement {
  const scope = { plan, subject: subjectOf(plan.subject), orgId, dialect };
  if (plan.columns.length > 0) return listing(scope);
  if (plan.compare !== null) return comparison(scope, plan.compare);
  if (needsWindows(plan)) return withWindows(scope, isFilled(plan) ? series(scope) : grouped(scope, plan.period));
  if (isFilled(plan)) return orderedSeries(scope);
  return sql`${ordered(scope, grouped(scope, plan.period))}${isTopOfMany(plan) ? raw("") : limit(plan)}`;
}

/** A series has every bucket; a ranking of buckets, and conditions on them, show only those that have rows. */
const isFilled = (plan: Plan): boolean =>
  plan.grain !== null && plan.having.length === 0 && (plan.limit === null || isTopOfMany(plan));

/** How many rows are `within` the period, and when the nearest outside of it are: `before` and `after`, null without any. */
export function compileNearest(plan: Plan & { readonly period: Period }, orgId: string, dialect: Dialect): Statement {
  const scope: Scope = { plan, subject: subjectOf(plan.subject), orgId, dialect };
  const column = raw(scope.subject.time);
  const from = time(new Date(plan.period.from ?? plan.period.to));
  return sql`SELECT
  count(*) FILTER (WHERE ${all(within(scope.subject.time, plan.period))}) AS within,
  max(${column}) FILTER (WHERE ${column} < ${from}) AS before,
  min(${column}) FILTER (WHERE ${column} >= ${time(new Date(plan.period.to))}) AS after
FROM ${toSource(plan, scope.subject, orgId)}
WHERE ${conditions(scope, null)}`;
}
