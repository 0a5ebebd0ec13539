import { raw, type Statement, sql } from "../../warehouse/statement.ts";
import { measureOf, shareName } from "../catalog/catalog.ts";
import { isRecurring, type Period, type Plan } from "../plan.ts";
import { toAggregate } from "./aggregate.ts";
import { countOfUnits } from "./average.ts";
import { anyOf, compare, toColumn, toCondition } from "./condition.ts";
import { limit, ordered } from "./order.ts";
import {
  all,
  conditions,
  countGroups,
  groupColumn,
  groupColumns,
  indented,
  lines,
  readerOf,
  type Scope,
} from "./scope.ts";
import { toSource } from "./source.ts";

/** The start of a row's bucket, from which its label is made; for recurring grains, the label. */
function bucketOf({ plan: { grain, zone }, subject, dialect, likely }: Scope): Statement | undefined {
  if (grain === null) return undefined;
  const local = dialect.local(raw(subject.time), zone, likely);
  return isRecurring(grain) ? dialect.bucket(local, grain) : dialect.startOf(local, grain);
}

/** A SELECT of one row for each group that has rows: grain, dimensions, figures. */
export function grouped(scope: Scope, period: Period | null): Statement {
  const { plan, dialect } = scope;
  const { grain } = plan;
  if (grain === null || isRecurring(grain)) return gathered(scope, period, grain);
  // Labels are texts, which cost more to make and to group by than times: each is made once for its group.
  const label = sql`${dialect.bucket(raw("bucket"), grain)} AS ${raw(grain)}`;
  const names = plan.measures.flatMap((name) => [
    raw(name),
    ...(plan.portion.length > 0 ? [raw(shareName(name))] : []),
  ]);
  return sql`SELECT
  ${lines([label, ...groupColumns(plan), ...names])}
FROM (
  ${indented(gathered(scope, period, "bucket"))}
) AS gathered`;
}

/** The same with the bucket of `bucketOf` in a column of the given name. */
function gathered(scope: Scope, period: Period | null, bucketName: string | null): Statement {
  const { plan, subject, orgId } = scope;
  const bucket = bucketOf(scope);
  const selected = [
    ...(bucket === undefined ? [] : [sql`${bucket} AS ${raw(bucketName ?? "bucket")}`]),
    ...plan.dimensions.map((name) => sql`${toColumn(subject, name, readerOf(scope))} AS ${groupColumn(name)}`),
    ...plan.measures.flatMap((name) => figures(scope, name, { period, bucket })),
  ];
  const positions = Array.from({ length: countGroups(plan) }, (_, index) => index + 1);
  // Groups by position: an alias may have the name of another column of the table.
  const grouping = positions.length === 0 ? raw("") : sql`\nGROUP BY ${raw(positions.join(", "))}`;
  return sql`SELECT
  ${lines(selected)}
FROM ${toSource(plan, subject, orgId)}
WHERE ${conditions(scope, period)}${amongTop(scope, period)}${grouping}${having(scope)}`;
}

/** True where the limit counts values of the first dimension, not rows: "revenue by day for the top 5 campaigns". */
export const isTopOfMany = (plan: Plan): boolean =>
  plan.limit !== null && plan.limit_per === null && plan.columns.length === 0 && countGroups(plan) > 1;

/** A SELECT of the first dimension's values that rank highest over the whole period. */
function amongTop(scope: Scope, period: Period | null): Statement {
  const { plan, subject } = scope;
  const [name] = plan.dimensions;
  if (!isTopOfMany(plan) || name === undefined) return raw("");
  const alone = { ...plan, grain: null, dimensions: [name], having: [], portion: [], running: null };
  const top = { ...scope, plan: { ...alone, share: false, average_per: null, over_groups: [] } };
  const column = toColumn(subject, name, readerOf(scope));
  return sql`
  AND ${column} IN (
    SELECT ${groupColumn(name)} FROM (
      ${indented(indented(indented(sql`${ordered(top, grouped(top, period))}${limit(plan)}`)))}
    ) AS top
  )`;
}

interface Over {
  readonly period: Period | null;
  readonly bucket: Statement | undefined;
}

/** The columns of a measure: itself, divided by units of time for an average, and the percentage of a portion. */
function figures(scope: Scope, name: string, over: Over): readonly Statement[] {
  const { plan, subject, dialect } = scope;
  const { aggregate } = measureOf(subject, name);
  const figure = toAggregate(aggregate, dialect);
  if (plan.average_per !== null)
    return [sql`1.0 * ${figure} / ${countOfUnits(scope, plan.average_per, over)} AS ${raw(name)}`];
  if (plan.portion.length === 0) return [sql`${figure} AS ${raw(name)}`];
  const part = toAggregate(aggregate, dialect, portionOf(scope));
  return [sql`${part} AS ${raw(name)}`, sql`100.0 * ${part} / nullif(${figure}, 0) AS ${raw(shareName(name))}`];
}

const portionOf = (scope: Scope): Statement =>
  all(scope.plan.portion.map((filter) => toCondition(scope.subject, filter, readerOf(scope))));

function having({ plan, subject, dialect }: Scope): Statement {
  if (plan.having.length === 0) return raw("");
  const each = plan.having.map((filter) =>
    anyOf(filter, (one) => compare(toAggregate(measureOf(subject, one.field).aggregate, dialect), one, dialect)),
  );
  return sql`\nHAVING ${all(each)}`;
}
