import { raw, type Statement, sql, time } from "../../warehouse/statement.ts";
import { dayMs } from "../calendar.ts";
import { overGroupsName, shareName, subjectOf } from "../catalog/catalog.ts";
import { isRecurring, type OverGroups, type Period, type Plan } from "../plan.ts";
import { comparison } from "./comparison.ts";
import { anyOf, compare, toColumn, within } from "./condition.ts";
import type { Dialect, Likely } from "./dialect.ts";
import { grouped, isTopOfMany } from "./figures.ts";
import { limit, ordered } from "./order.ts";
import { all, conditions, groupColumns, indented, lines, readerOf, type Scope } from "./scope.ts";
import { orderedSeries, series } from "./series.ts";
import { toSource } from "./source.ts";
import { needsWindows, withWindows } from "./windows.ts";

export interface Compiling {
  readonly dialect: Dialect;
  /** The clock's time; it makes plans without a period cheap, and does not change their rows. */
  readonly now?: number;
}

/** Compiles the plan to one SELECT, restricted to the organization. Its columns are grain, dimensions, measures. */
export function compilePlan(plan: Plan, orgId: string, { dialect, now }: Compiling): Statement {
  const scope: Scope = { plan, subject: subjectOf(plan.subject), orgId, dialect, likely: likelyOf(plan, now) };
  if (plan.columns.length > 0) return listing(scope);
  if (plan.over_groups.length > 0) return overGroups(scope);
  if (plan.compare !== null) return comparison(scope, plan.compare);
  if (needsWindows(plan)) return withWindows(scope, isFilled(plan) ? series(scope) : grouped(scope, plan.period));
  if (isFilled(plan)) return orderedSeries(scope);
  return sql`${ordered(scope, grouped(scope, plan.period))}${isTopOfMany(plan) ? raw("") : limit(plan)}`;
}

/** A SELECT of the rows themselves, newest first unless a column ranks them. */
function listing(scope: Scope): Statement {
  const { plan, subject, orgId } = scope;
  const order = plan.order ?? { by: subject.time, direction: "desc" as const };
  const newest = raw(order.by === subject.time ? "" : `, ${subject.time} DESC`);
  const key = order.by === subject.time ? raw(order.by) : toColumn(subject, order.by, readerOf(scope));
  return sql`SELECT
  ${lines(plan.columns.map(raw))}
FROM ${toSource(plan, subject, orgId)}
WHERE ${conditions(scope, plan.period)}
ORDER BY ${key} ${raw(order.direction === "desc" ? "DESC" : "ASC")} NULLS LAST${newest}${limit(plan)}`;
}

const aggregates: Readonly<Record<Exclude<OverGroups, "count">, string>> = {
  average: "avg",
  least: "min",
  most: "max",
  total: "sum",
  share: "sum",
};

/**
 * A SELECT of one row over the plan's groups: how many there are, and the mean, least and most of each measure among
 * them. Buckets of time without rows count, with their zeros; rows without a name are no group.
 */
function overGroups(scope: Scope): Statement {
  const { plan, dialect } = scope;
  const isFew = plan.limit !== null;
  const isSeries = plan.grain !== null && !isRecurring(plan.grain) && !isFew;
  // The figures of a series are known once its empty buckets are filled: conditions hold of those.
  const having = isSeries ? [] : plan.having;
  const inner = { ...scope, plan: { ...plan, having, share: plan.over_groups.includes("share") } };
  const gathered = isSeries ? series(inner) : grouped(inner, plan.period);
  const groups = isFew ? withWindows(inner, gathered) : gathered;
  const bounds = isSeries
    ? plan.having.map((filter) => anyOf(filter, (one) => compare(raw(one.field), one, dialect)))
    : [];
  const named = groupColumns(plan).map((group) => sql`${group} IS NOT NULL`);
  const where = [...named, ...bounds];
  const figures = plan.over_groups.flatMap((over) =>
    over === "count"
      ? [sql`count(*) AS ${raw(overGroupsName("", over))}`]
      : plan.measures.map((name) => {
          const figure = raw(over === "share" ? shareName(name) : name);
          return sql`${raw(aggregates[over])}(${figure}) AS ${raw(overGroupsName(name, over))}`;
        }),
  );
  return sql`SELECT
  ${lines(figures)}
FROM (
  ${indented(groups)}
) AS per_group${where.length === 0 ? raw("") : sql`\nWHERE ${all(where)}`}`;
}

/**
 * The span of the plan's periods, from the start of the first to the end of the last; without bounds, the last two
 * years.
 */
function likelyOf({ period, compare }: Plan, now: number | undefined): Likely | undefined {
  const periods = [period, ...(compare === null ? [] : [compare])];
  const [starts, ends] = [periods.map((each) => each?.from ?? null), periods.map((each) => each?.to ?? null)];
  const isBound = (bound: string | null): bound is string => bound !== null;
  if (starts.every(isBound) && ends.every(isBound))
    return { from: Math.min(...starts.map(Date.parse)), to: Math.max(...ends.map(Date.parse)), isCertain: true };
  return now === undefined ? undefined : { from: now - 731 * dayMs, to: now + dayMs, isCertain: false };
}

/** True for a series, which has every bucket; rankings of buckets and conditions on them show those with rows only. */
export const isFilled = (plan: Plan): boolean =>
  plan.grain !== null && plan.having.length === 0 && (plan.limit === null || isTopOfMany(plan));

/**
 * Compiles a SELECT of the count of rows `within` the period, and the times of the nearest `before` and `after` it, or
 * null.
 */
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
