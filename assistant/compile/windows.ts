import { integer, join, raw, type Statement, sql } from "../../warehouse/statement.ts";
import { movingName, runningName, shareName } from "../catalog/catalog.ts";
import { isGrain, type Plan } from "../plan.ts";
import { limit, ordering, rankKeys } from "./order.ts";
import { groupColumn, groupColumns, indented, lines, type Scope } from "./scope.ts";

/** True where a group's figures depend on those of other groups. */
export const needsWindows = ({ share, running, limit_per }: Plan): boolean =>
  share || running !== null || limit_per !== null;

/** Adds shares, running totals, changes from bucket to bucket and rankings within groups to the rows of `figures`. */
export function withWindows(scope: Scope, figures: Statement): Statement {
  const { plan } = scope;
  const keys = [...(plan.grain === null ? [] : [raw(plan.grain)]), ...groupColumns(plan)];
  const shown = [...keys, ...plan.measures.flatMap((name) => [raw(name), ...besides(scope, name)])];
  const cut = cutting(scope);
  const figured = sql`WITH figured AS (
  ${indented(figures)}
)`;
  if (cut === undefined)
    return sql`${figured}\nSELECT
  ${lines(shown)}
FROM figured${ordering(scope)}${limit(plan)}`;
  const names = [...keys, ...plan.measures.flatMap((name) => [raw(name), ...besideNames(plan, name).map(raw)])];
  return sql`${figured},
placed AS (
  SELECT
    ${lines([...shown, ...placing(scope)], ",\n    ")}
  FROM figured
)
SELECT
  ${lines(names)}
FROM placed
WHERE ${cut}${plan.limit_per === null ? sql`${ordering(scope)}${limit(plan)}` : byGroup(scope)}`;
}

const besideNames = ({ share, running }: Plan, name: string): readonly string[] => [
  ...(share ? [shareName(name)] : []),
  ...(running === "total" ? [runningName(name)] : []),
  ...(running === "average" ? [movingName(name)] : []),
  ...(running === "change" ? [`${name}_before`, `${name}_change`] : []),
];

function besides(scope: Scope, name: string): readonly Statement[] {
  const { plan } = scope;
  const figure = raw(name);
  const whole = sql`nullif(sum(${figure}) OVER (${partition(shareWithin(plan))}), 0)`;
  const share = plan.share ? [sql`100.0 * ${figure} / ${whole} AS ${raw(shareName(name))}`] : [];
  if (plan.running === null) return share;
  if (plan.running === "total")
    return [
      ...share,
      sql`sum(${figure}) ${over(scope, "UNBOUNDED PRECEDING AND CURRENT ROW")} AS ${raw(runningName(name))}`,
    ];
  if (plan.running === "average") {
    const frame = `${(plan.running_over ?? 2) - 1} PRECEDING AND CURRENT ROW`;
    return [...share, sql`avg(${figure}) ${over(scope, frame)} AS ${raw(movingName(name))}`];
  }
  // The maximum of a window of one row is that row's value: every engine has it, but `lag` has several names.
  const before = sql`max(${figure}) ${over(scope, "1 PRECEDING AND 1 PRECEDING")}`;
  return [
    ...share,
    sql`${before} AS ${raw(`${name}_before`)}`,
    sql`100.0 * (${figure} - ${before}) / nullif(${before}, 0) AS ${raw(`${name}_change`)}`,
  ];
}

/** The window of a group's own buckets, in their order. */
function over({ plan, dialect }: Scope, frame: string): Statement {
  const grain = plan.grain ?? "day";
  const order = sql`ORDER BY ${dialect.position(grain, raw(grain))}`;
  return sql`OVER (${partition(groupColumns(plan))} ${order} ROWS BETWEEN ${raw(frame)})`;
}

/** The window of a share; over time, a share is of its bucket. */
const shareWithin = ({ grain, dimensions }: Plan): readonly Statement[] =>
  grain !== null && dimensions.length > 0 ? [raw(grain)] : [];
const partition = (columns: readonly Statement[]): Statement =>
  columns.length === 0 ? raw("") : sql`PARTITION BY ${join(columns, ", ")}`;

/** The rank of each row within its group. */
function placing(scope: Scope): readonly Statement[] {
  const { limit_per } = scope.plan;
  if (limit_per === null) return [];
  const keys = join(rankKeys(scope), ", ");
  return [sql`row_number() OVER (PARTITION BY ${groupColumn(limit_per)} ORDER BY ${keys}) AS place`];
}

/** The condition on rows that applies after the windows are computed. */
function cutting({ plan }: Scope): Statement | undefined {
  const skipped = plan.order?.skip ?? 0;
  if (plan.limit_per !== null)
    return sql`place BETWEEN ${integer(skipped + 1)} AND ${integer(skipped + (plan.limit ?? 1))}`;
  if (plan.limit === null) return undefined;
  const names = groupColumns(plan).map((name) => sql`${name} IS NOT NULL`);
  return names.length === 0 ? undefined : join(names, " AND ");
}

/** Orders rows by group, and within it by rank. */
function byGroup(scope: Scope): Statement {
  const name = scope.plan.limit_per ?? "";
  const group = isGrain(name) ? scope.dialect.position(name, raw(name)) : groupColumn(name);
  return sql`\nORDER BY ${join([group, ...rankKeys(scope)], ", ")}`;
}
