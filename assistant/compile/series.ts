import { join, raw, type Statement, sql } from "../../warehouse/statement.ts";
import { measureOf, shareName } from "../catalog/catalog.ts";
import { isRecurring } from "../plan.ts";
import { isAdditive } from "./aggregate.ts";
import { bucketsOf, firstKnown, recurringOf } from "./buckets.ts";
import { grouped } from "./figures.ts";
import { ordered } from "./order.ts";
import { groupColumn, groupColumns, indented, lines, type Scope } from "./scope.ts";

/**
 * A SELECT with a row for every bucket of the period and every group; figures without rows are 0 where they add up
 * and the organization had records by then, else null.
 */
export function series(scope: Scope): Statement {
  const { plan, subject } = scope;
  const grain = plan.grain ?? "day";
  const groups = groupColumns(plan);
  const first = firstKnown(scope);
  const zero =
    first === undefined
      ? raw("0")
      : sql`CASE WHEN buckets.${raw(grain)} >= (SELECT ${raw(grain)} FROM known) THEN 0 END`;
  const figures = plan.measures.flatMap((name) => {
    const figure = isAdditive(measureOf(subject, name))
      ? sql`coalesce(${raw(name)}, ${zero}) AS ${raw(name)}`
      : raw(name);
    return [figure, ...(plan.portion.length > 0 ? [raw(shareName(name))] : [])];
  });
  const keys =
    groups.length === 0
      ? [raw(grain)]
      : [sql`buckets.${raw(grain)} AS ${raw(grain)}`, ...groups.map((group) => sql`names.${group} AS ${group}`)];
  return sql`WITH figures AS (
  ${indented(grouped(scope, plan.period))}
),
buckets AS (
  ${bucketsOf(scope)}
)${
    first === undefined
      ? raw("")
      : sql`,
known AS (
  ${first}
)`
  }
SELECT
  ${lines([...keys, ...figures])}
FROM buckets${groups.length === 0 ? raw("") : sql`\nCROSS JOIN (${names(scope)}) AS names`}
LEFT JOIN figures ${matching(grain, groups)}`;
}

export const orderedSeries = (scope: Scope): Statement =>
  ordered(
    scope,
    series(scope),
    scope.plan.dimensions.length === 0 ? undefined : { grain: raw("buckets."), names: raw("names.") },
  );

/** The combinations of groups that have rows, each with every label of a recurring group. */
function names({ plan, dialect }: Scope): Statement {
  const own = plan.dimensions.filter((name) => !isRecurring(name)).map(groupColumn);
  const distinct = own.length === 0 ? [] : [sql`(SELECT DISTINCT ${join(own, ", ")} FROM figures) AS own`];
  const again = plan.dimensions
    .filter(isRecurring)
    .map((name) => sql`(${recurringOf({ plan, dialect }, name)}) AS all_${raw(name)}`);
  return sql`SELECT * FROM ${join([...distinct, ...again], " CROSS JOIN ")}`;
}

/** The join's condition; groups without a name are equal to each other. */
function matching(grain: string, groups: readonly Statement[]): Statement {
  if (groups.length === 0) return sql`USING (${raw(grain)})`;
  const same = groups.map((group) => sql`figures.${group} IS NOT DISTINCT FROM names.${group}`);
  return sql`ON figures.${raw(grain)} = buckets.${raw(grain)}\n  AND ${join(same, "\n  AND ")}`;
}
