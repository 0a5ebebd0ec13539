import { integer, join, raw, type Statement, sql, text, time } from "../../warehouse/statement.ts";
import { dimensionAlias, measureOf, subjectOf } from "../catalog/catalog.ts";
import type { Subject } from "../catalog/field.ts";
import { type Period, type Plan, type RunningGrain, recurringGrains } from "../plan.ts";
import { startOf, toInstant, toLocal } from "../planner/calendar.ts";
import { isAdditive, toAggregate } from "./aggregate.ts";
import { compare, toColumn, toCondition, within } from "./condition.ts";
import type { Dialect } from "./dialect.ts";

interface Scope {
  readonly plan: Plan;
  readonly subject: Subject;
  readonly orgId: string;
  readonly dialect: Dialect;
}

const lines = (statements: readonly Statement[], separator = ",\n  "): Statement => join(statements, separator);
const quoted = (name: string): Statement =>
  raw(/^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`);

/** The plan as one SELECT, fenced to the organization. The answer's columns: grain, dimensions, measures. */
export function compilePlan(plan: Plan, orgId: string, dialect: Dialect): Statement {
  const scope = { plan, subject: subjectOf(plan.subject), orgId, dialect };
  if (plan.columns.length > 0) return listing(scope);
  if (plan.compare !== null) return comparison(scope, plan.compare);
  if (plan.grain !== null && plan.limit === null && plan.having.length === 0) return series(scope);
  return sql`${grouped(scope, plan.period)}${having(scope)}${ordering(scope)}${limit(plan)}`;
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
FROM ${raw(plan.subject)}
WHERE ${conditions(scope, null)}`;
}

function conditions({ plan, subject, orgId, dialect }: Scope, period: Period | null): Statement {
  const named = plan.limit === null || plan.columns.length > 0 ? [] : plan.dimensions;
  const all = [
    sql`org_id = ${text(orgId)}`,
    ...(period === null ? [] : within(subject.time, period)),
    ...plan.filters.map((filter) => toCondition(subject, filter, { dialect, zone: plan.zone })),
    // A ranking is of things with a name.
    ...named.map((name) => sql`${toColumn(subject, name, dialect)} IS NOT NULL`),
  ];
  return join(all, "\n  AND ");
}

const groupNames = ({ dimensions, grain }: Plan): readonly string[] => [
  ...(grain === null ? [] : [grain]),
  ...dimensions.map(dimensionAlias),
];

function grouped(scope: Scope, period: Period | null): Statement {
  const { plan, subject, dialect } = scope;
  const bucket =
    plan.grain === null
      ? []
      : [sql`${dialect.bucket(dialect.local(raw(subject.time), plan.zone), plan.grain)} AS ${raw(plan.grain)}`];
  const selected = [
    ...bucket,
    ...plan.dimensions.map((name) => sql`${toColumn(subject, name, dialect)} AS ${quoted(dimensionAlias(name))}`),
    ...plan.measures.map((name) => sql`${toAggregate(measureOf(subject, name).aggregate, dialect)} AS ${raw(name)}`),
  ];
  const names = groupNames(plan);
  // By position: an alias may bear the name of another column of the table.
  const grouping = names.length === 0 ? raw("") : sql`\nGROUP BY ${raw(names.map((_, index) => index + 1).join(", "))}`;
  return sql`SELECT
  ${lines(selected)}
FROM ${raw(plan.subject)}
WHERE ${conditions(scope, period)}${grouping}`;
}

function having({ plan, subject, dialect }: Scope): Statement {
  if (plan.having.length === 0) return raw("");
  const all = plan.having.map((filter) =>
    compare(toAggregate(measureOf(subject, filter.field).aggregate, dialect), filter),
  );
  return sql`\nHAVING ${join(all, "\n  AND ")}`;
}

/** By what was asked for, else by time, else the first measure's highest first; names settle ties. */
function ordering({ plan, dialect }: Scope): Statement {
  const names = groupNames(plan);
  if (names.length === 0) return raw("");
  const { order, grain } = plan;
  const byTime = grain === null ? [] : [dialect.position(grain, raw(grain))];
  const chosen = order ?? { by: plan.measures[0] ?? "", direction: "desc" as const };
  const byMeasure = sql`${raw(chosen.by)} ${raw(chosen.direction === "desc" ? "DESC" : "ASC")} NULLS LAST`;
  const ranked = order !== null || grain === null;
  const many = plan.dimensions.length > 0 ? [byMeasure] : [];
  const keys = ranked ? [byMeasure, ...byTime] : [...byTime, ...many];
  return sql`\nORDER BY ${join([...keys, ...plan.dimensions.map((name) => quoted(dimensionAlias(name)))], ", ")}`;
}

const limit = (plan: Plan): Statement => (plan.limit === null ? raw("") : sql`\nLIMIT ${integer(plan.limit)}`);

/** Every bucket of the period has a row, for every group: nothing is 0 where it adds up, null where it does not. */
function series(scope: Scope): Statement {
  const { plan, subject } = scope;
  const grain = plan.grain ?? "day";
  const groups = plan.dimensions.map((name) => quoted(dimensionAlias(name)));
  const figures = plan.measures.map((name) =>
    isAdditive(measureOf(subject, name)) ? sql`coalesce(${raw(name)}, 0) AS ${raw(name)}` : raw(name),
  );
  const keys =
    groups.length === 0 ? [raw(grain)] : [sql`buckets.${raw(grain)}`, ...groups.map((group) => sql`names.${group}`)];
  const distinct = sql`\nCROSS JOIN (SELECT DISTINCT ${join(groups, ", ")} FROM figures) AS names`;
  return sql`WITH figures AS (
  ${indented(grouped(scope, plan.period))}
),
buckets AS (
  ${bucketsOf(scope)}
)
SELECT
  ${lines([...keys, ...figures])}
FROM buckets${groups.length === 0 ? raw("") : distinct}
LEFT JOIN figures ${matching(grain, groups)}${ordering(scope)}`;
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
  const last = period === null ? edge("max") : start(Date.parse(period.to) - 1);
  return dialect.buckets(grain, { first, last, zone });
}

const isRecurring = (grain: string): grain is Exclude<Plan["grain"], RunningGrain | null> =>
  (recurringGrains as readonly string[]).includes(grain);

/** Each measure with its value of the other period beside it. */
function comparison(scope: Scope, other: Period): Statement {
  const { plan } = scope;
  const groups = plan.dimensions.map((name) => quoted(dimensionAlias(name)));
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
  const key = order.by === subject.time ? raw(order.by) : toColumn(subject, order.by, dialect);
  return sql`SELECT
  ${lines(plan.columns.map(quoted))}
FROM ${raw(plan.subject)}
WHERE ${conditions(scope, plan.period)}
ORDER BY ${key} ${raw(order.direction === "desc" ? "DESC" : "ASC")} NULLS LAST${limit(plan)}`;
}

/** A statement inside another, two spaces further in; bound values are left alone. */
const indented = (statement: Statement): Statement => ({
  parts: statement.parts.map((part) => (typeof part === "string" ? part.replaceAll("\n", "\n  ") : part)),
});
