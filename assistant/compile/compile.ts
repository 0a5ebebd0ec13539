import { integer, join, raw, type Statement, sql, text, time } from "../../warehouse/statement.ts";
import { dimensionAlias, measureOf, shareName, subjectOf, tagKey } from "../catalog/catalog.ts";
import type { Subject } from "../catalog/field.ts";
import { isRecurring, type Period, type Plan } from "../plan.ts";
import { startOf, toInstant, toLocal } from "../planner/calendar.ts";
import { isAdditive, toAggregate } from "./aggregate.ts";
import { compare, toColumn, toCondition, within } from "./condition.ts";
import type { Dialect } from "./dialect.ts";
import { toSource } from "./source.ts";

interface Scope {
  readonly plan: Plan;
  readonly subject: Subject;
  readonly orgId: string;
  readonly dialect: Dialect;
}

const lines = (statements: readonly Statement[], separator = ",\n  "): Statement => join(statements, separator);
/** The column of a dimension in the answer. What customers name is always quoted: it may be a word of SQL. */
const groupColumn = (name: string): Statement =>
  raw(tagKey(name) === undefined ? name : `"${dimensionAlias(name).replaceAll('"', '""')}"`);
const groupColumns = ({ dimensions }: Plan): readonly Statement[] => dimensions.map(groupColumn);
/** "revenue_share": the group's part of the total, in percent; null where there is no total. */
const shareOf = (figure: Statement, name: string): Statement =>
  sql`100.0 * ${figure} / nullif(sum(${figure}) OVER (), 0) AS ${raw(shareName(name))}`;

/** The plan as one SELECT, fenced to the organization. The answer's columns: grain, dimensions, measures. */
export function compilePlan(plan: Plan, orgId: string, dialect: Dialect): Statement {
  const scope = { plan, subject: subjectOf(plan.subject), orgId, dialect };
  if (plan.columns.length > 0) return listing(scope);
  if (plan.compare !== null) return comparison(scope, plan.compare);
  if (plan.grain !== null && plan.limit === null && plan.having.length === 0) return series(scope);
  return sql`${grouped(scope, plan.period, plan.share)}${having(scope)}${ordering(scope)}${limit(plan)}`;
}

/** How many rows are `within` the period, and when the nearest outside of it are: `before` and `after`, null without any. */
export function compileNearest(plan: Plan & { readonly period: Period }, orgId: string, dialect: Dialect): Statement {
  const scope = { plan, subject: subjectOf(plan.subject), orgId, dialect };
  const column = raw(scope.subject.time);
  const from = time(new Date(plan.period.from ?? plan.period.to));
  return sql`SELECT
  count(*) FILTER (WHERE ${join(within(scope.subject.time, plan.period), " AND ")}) AS within,
  max(${column}) FILTER (WHERE ${column} < ${from}) AS before,
  min(${column}) FILTER (WHERE ${column} >= ${time(new Date(plan.period.to))}) AS after
FROM ${toSource(scope.plan, scope.subject, scope.orgId)}
WHERE ${conditions(scope, null)}`;
}

function conditions({ plan, subject, orgId, dialect }: Scope, period: Period | null): Statement {
  const named = plan.limit === null || plan.columns.length > 0 ? [] : plan.dimensions;
  const reader = { dialect, zone: plan.zone };
  const all = [
    sql`org_id = ${text(orgId)}`,
    ...(period === null ? [] : within(subject.time, period)),
    ...plan.filters.map((filter) => toCondition(subject, filter, reader)),
    // A ranking is of things with a name.
    ...named.map((name) => sql`${toColumn(subject, name, reader)} IS NOT NULL`),
  ];
  return join(all, "\n  AND ");
}

const countGroups = ({ dimensions, grain }: Plan): number => dimensions.length + (grain === null ? 0 : 1);

function grouped(scope: Scope, period: Period | null, share = false): Statement {
  const { plan, subject, dialect } = scope;
  const reader = { dialect, zone: plan.zone };
  const bucket =
    plan.grain === null
      ? []
      : [sql`${dialect.bucket(dialect.local(raw(subject.time), plan.zone), plan.grain)} AS ${raw(plan.grain)}`];
  const selected = [
    ...bucket,
    ...plan.dimensions.map((name) => sql`${toColumn(subject, name, reader)} AS ${groupColumn(name)}`),
    ...plan.measures.flatMap((name) => {
      const figure = toAggregate(measureOf(subject, name).aggregate, dialect);
      return [sql`${figure} AS ${raw(name)}`, ...(share ? [shareOf(figure, name)] : [])];
    }),
  ];
  const positions = Array.from({ length: countGroups(plan) }, (_, index) => index + 1);
  // By position: an alias may bear the name of another column of the table.
  const grouping = positions.length === 0 ? raw("") : sql`\nGROUP BY ${raw(positions.join(", "))}`;
  return sql`SELECT
  ${lines(selected)}
FROM ${toSource(scope.plan, scope.subject, scope.orgId)}
WHERE ${conditions(scope, period)}${grouping}`;
}

function having({ plan, subject, dialect }: Scope): Statement {
  if (plan.having.length === 0) return raw("");
  const all = plan.having.map((filter) =>
    compare(toAggregate(measureOf(subject, filter.field).aggregate, dialect), filter),
  );
  return sql`\nHAVING ${join(all, "\n  AND ")}`;
}

/** Where an expression in the order finds its columns, when several tables of the statement have them. */
interface From {
  readonly grain: Statement;
  readonly names: Statement;
}
const bare: From = { grain: raw(""), names: raw("") };

/** By what was asked for, else by time, else the first measure's highest first; names settle ties. */
function ordering({ plan, subject, dialect }: Scope, from: From = bare): Statement {
  if (countGroups(plan) === 0) return raw("");
  const { order, grain, dimensions } = plan;
  const byTime = grain === null ? [] : [dialect.position(grain, sql`${from.grain}${raw(grain)}`)];
  const chosen = order ?? { by: plan.measures[0] ?? "", direction: "desc" as const };
  const byMeasure = sql`${raw(measureOf(subject, chosen.by).name)} ${raw(chosen.direction === "desc" ? "DESC" : "ASC")} NULLS LAST`;
  const ranked = order !== null || grain === null;
  const many = dimensions.some((name) => !isRecurring(name)) ? [byMeasure] : [];
  const keys = ranked ? [byMeasure, ...byTime] : [...byTime, ...many];
  const names = dimensions.map((name) =>
    isRecurring(name) ? dialect.position(name, sql`${from.names}${groupColumn(name)}`) : groupColumn(name),
  );
  return sql`\nORDER BY ${join([...keys, ...names], ", ")}`;
}

const limit = (plan: Plan): Statement => (plan.limit === null ? raw("") : sql`\nLIMIT ${integer(plan.limit)}`);

/** Every bucket of the period has a row, for every group: nothing is 0 where it adds up, null where it does not. */
function series(scope: Scope): Statement {
  const { plan, subject } = scope;
  const grain = plan.grain ?? "day";
  const groups = groupColumns(plan);
  const figures = plan.measures.flatMap((name) => {
    const filled = sql`coalesce(${raw(name)}, 0)`;
    const figure = isAdditive(measureOf(subject, name)) ? sql`${filled} AS ${raw(name)}` : raw(name);
    return [figure, ...(plan.share ? [shareOf(filled, name)] : [])];
  });
  const keys =
    groups.length === 0 ? [raw(grain)] : [sql`buckets.${raw(grain)}`, ...groups.map((group) => sql`names.${group}`)];
  const names = plan.dimensions.map((name) =>
    isRecurring(name) ? scope.dialect.recurring(name) : sql`SELECT DISTINCT ${groupColumn(name)} FROM figures`,
  );
  return sql`WITH figures AS (
  ${indented(grouped(scope, plan.period))}
),
buckets AS (
  ${bucketsOf(scope)}
)
SELECT
  ${lines([...keys, ...figures])}
FROM buckets${groups.length === 0 ? raw("") : sql`\nCROSS JOIN (${join(names, ", ")}) AS names`}
LEFT JOIN figures ${matching(grain, groups)}${ordering(scope, groups.length === 0 ? bare : { grain: raw("buckets."), names: raw("names.") })}`;
}

/** A group without a name must find itself again. */
function matching(grain: string, groups: readonly Statement[]): Statement {
  if (groups.length === 0) return sql`USING (${raw(grain)})`;
  const same = groups.map((group) => sql`figures.${group} IS NOT DISTINCT FROM names.${group}`);
  return sql`ON figures.${raw(grain)} = buckets.${raw(grain)}\n  AND ${join(same, "\n  AND ")}`;
}

function bucketsOf({ plan, subject, orgId, dialect }: Scope): Statement {
  const grain = plan.grain ?? "day";
  if (isRecurring(grain)) return dialect.recurring(grain);
  const { period, zone } = plan;
  const start = (at: number): Statement => {
    const local = startOf(grain, toLocal(at, zone));
    return sql`${time(new Date(grain === "hour" ? toInstant(local, zone) : local))}`;
  };
  // Without a bound in the plan, the data's own first and last row are the bounds.
  const edge = (aggregate: string): Statement => {
    const row = sql`(SELECT ${raw(aggregate)}(${raw(subject.time)}) FROM ${raw(plan.subject)} WHERE org_id = ${text(orgId)})`;
    return dialect.startOf(grain === "hour" ? row : dialect.local(row, zone), grain);
  };
  const first = period === null || period.from === null ? edge("min") : start(Date.parse(period.from));
  const last = period === null ? edge("max") : lastOf(start(Date.parse(period.to) - 1), period, edge);
  return dialect.buckets(grain, { first, last, zone });
}

/** "Before March", said of data that ended in May of the year before, need not go on to March. */
const lastOf = (end: Statement, { from }: Period, edge: (aggregate: string) => Statement): Statement =>
  from === null ? sql`least(${end}, ${edge("max")})` : end;

/** Each measure with its value of the other period beside it. */
function comparison(scope: Scope, other: Period): Statement {
  const { plan } = scope;
  const groups = groupColumns(plan);
  const figures = plan.measures.flatMap((name) => {
    const [now, before] = [raw(`now.${name}`), raw(`earlier.${name}`)];
    return [
      sql`${now} AS ${raw(name)}`,
      sql`${before} AS ${raw(`${name}_before`)}`,
      sql`100.0 * (${now} - ${before}) / nullif(${before}, 0) AS ${raw(`${name}_change`)}`,
    ];
  });
  const same = groups.map((group) => sql`earlier.${group} IS NOT DISTINCT FROM now.${group}`);
  const joined = groups.length === 0 ? sql`CROSS JOIN earlier` : sql`FULL JOIN earlier ON ${join(same, "\n  AND ")}`;
  const named = groups.map((group) => sql`coalesce(now.${group}, earlier.${group}) AS ${group}`);
  return sql`WITH now AS (
  ${indented(grouped(scope, plan.period))}
),
earlier AS (
  ${indented(grouped(scope, other))}
)
SELECT
  ${lines([...named, ...figures])}
FROM now
${joined}${ordering(scope)}${limit(plan)}`;
}

function listing(scope: Scope): Statement {
  const { plan, subject, dialect } = scope;
  const order = plan.order ?? { by: subject.time, direction: "desc" as const };
  const key = order.by === subject.time ? raw(order.by) : toColumn(subject, order.by, { dialect, zone: plan.zone });
  return sql`SELECT
  ${lines(plan.columns.map(raw))}
FROM ${toSource(scope.plan, scope.subject, scope.orgId)}
WHERE ${conditions(scope, plan.period)}
ORDER BY ${key} ${raw(order.direction === "desc" ? "DESC" : "ASC")} NULLS LAST${limit(plan)}`;
}

/** A statement inside another, two spaces further in; bound values are left alone. */
const indented = (statement: Statement): Statement => ({
  parts: statement.parts.map((part) => (typeof part === "string" ? part.replaceAll("\n", "\n  ") : part)),
});
