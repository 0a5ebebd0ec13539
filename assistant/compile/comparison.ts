import { join, raw, type Statement, sql } from "../../warehouse/statement.ts";
import { measureOf } from "../catalog/catalog.ts";
import type { Subject } from "../catalog/field.ts";
import { isGrain, isRecurring, type Period, type Plan } from "../plan.ts";
import { isAdditive } from "./aggregate.ts";
import { isNamed } from "./dialect.ts";
import { grouped } from "./figures.ts";
import { limit, ordered } from "./order.ts";
import { groupColumns, indented, lines, type Scope } from "./scope.ts";
import { series } from "./series.ts";

/** A SELECT of each measure with its value of the compared period beside it. */
export function comparison(scope: Scope, other: Period): Statement {
  const { grain } = scope.plan;
  return grain === null || isRecurring(grain) ? byGroup(scope, other) : bucketByBucket(scope, other, grain);
}

/** A group without rows on one side has 0 there of what adds up, and no rate. */
const sided = (name: string, subject: Subject) => (side: "now" | "earlier") =>
  raw(isAdditive(measureOf(subject, name)) ? `coalesce(${side}.${name}, 0)` : `${side}.${name}`);

const figures = ({ measures }: Plan, of: (name: string) => (side: "now" | "earlier") => Statement) =>
  measures.flatMap((name) => {
    const [now, before] = [of(name)("now"), of(name)("earlier")];
    return [
      sql`${now} AS ${raw(name)}`,
      sql`${before} AS ${raw(`${name}_before`)}`,
      sql`100.0 * (${now} - ${before}) / nullif(${before}, 0) AS ${raw(`${name}_change`)}`,
    ];
  });

const whole = (name: string) => (side: "now" | "earlier") => raw(`${side}.${name}`);

function byGroup(scope: Scope, other: Period): Statement {
  const { plan, subject } = scope;
  const groups = [...(plan.grain === null ? [] : [raw(plan.grain)]), ...groupColumns(plan)];
  const same = groups.map((group) => sql`earlier.${group} IS NOT DISTINCT FROM now.${group}`);
  const joined = groups.length === 0 ? sql`CROSS JOIN earlier` : sql`FULL JOIN earlier ON ${join(same, "\n  AND ")}`;
  const named = groups.map((group) => sql`coalesce(now.${group}, earlier.${group}) AS ${group}`);
  const select = sql`WITH now AS (
  ${indented(grouped(scope, plan.period))}
),
earlier AS (
  ${indented(grouped(scope, other))}
)
SELECT
  ${lines([...named, ...figures(plan, (name) => (groups.length === 0 ? whole(name) : sided(name, subject)))])}
FROM now
${joined}${moved(plan, subject)}`;
  // The number that weekdays are ordered by is no column of the result, and both sides have one.
  const hasNamed = [plan.grain, ...plan.dimensions].some((name) => name !== null && isGrain(name) && isNamed(name));
  // An expression of the result's names cannot tell them from those of both sides.
  const isDifference = plan.order?.of === "difference";
  const table = hasNamed || isDifference ? sql`SELECT * FROM (\n  ${indented(select)}\n) AS compared` : select;
  return sql`${ordered(scope, table)}${limit(plan)}`;
}

/** The condition of the groups whose figure rose, or fell. */
function moved({ order }: Plan, subject: Subject): Statement {
  if (order?.only !== true) return raw("");
  const of = sided(order.by, subject);
  return sql`\nWHERE ${of("now")} ${raw(order.direction === "desc" ? ">" : "<")} ${of("earlier")}`;
}

/** Joins buckets by their position: the first day with the first day, whatever their dates are. */
function bucketByBucket(scope: Scope, other: Period, grain: string): Statement {
  const { plan, dialect } = scope;
  const position = dialect.position(plan.grain ?? "day", raw(grain));
  const numbered = (period: Period | null) => sql`SELECT *, row_number() OVER (ORDER BY ${position}) AS place
  FROM (
    ${indented(indented(series({ ...scope, plan: { ...plan, period } })))}
  ) AS buckets`;
  return sql`WITH now AS (
  ${numbered(plan.period)}
),
earlier AS (
  ${numbered(other)}
)
SELECT
  ${lines([sql`now.${raw(grain)} AS ${raw(grain)}`, sql`earlier.${raw(grain)} AS ${raw(`${grain}_before`)}`, ...figures(plan, whole)])}
FROM now
LEFT JOIN earlier ON earlier.place = now.place
ORDER BY now.place`;
}
