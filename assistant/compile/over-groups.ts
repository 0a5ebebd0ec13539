import { raw, type Statement, sql } from "../../warehouse/statement.ts";
import { overGroupsName } from "../catalog/catalog.ts";
import { isRecurring, type OverGroups } from "../plan.ts";
import { compare } from "./condition.ts";
import { grouped } from "./figures.ts";
import { all, groupColumns, indented, lines, type Scope } from "./scope.ts";
import { series } from "./series.ts";

const aggregates: Readonly<Record<Exclude<OverGroups, "count">, string>> = {
  average: "avg",
  least: "min",
  most: "max",
};

/**
 * A SELECT of one row over the plan's groups: how many there are, and the mean, least and most of each measure among
 * them. Buckets of time without rows count, with their zeros; rows without a name are no group.
 */
export function overGroups(scope: Scope): Statement {
  const { plan, dialect } = scope;
  const isSeries = plan.grain !== null && !isRecurring(plan.grain);
  // The figures of a series are known once its empty buckets are filled: conditions hold of those.
  const inner = { ...scope, plan: { ...plan, having: isSeries ? [] : plan.having } };
  const groups = isSeries ? series(inner) : grouped(inner, plan.period);
  const bounds = isSeries ? plan.having.map((filter) => compare(raw(filter.field), filter, dialect)) : [];
  const named = groupColumns(plan).map((group) => sql`${group} IS NOT NULL`);
  const where = [...named, ...bounds];
  const figures = plan.over_groups.flatMap((over) =>
    over === "count"
      ? [sql`count(*) AS ${raw(overGroupsName("", over))}`]
      : plan.measures.map((name) => sql`${raw(aggregates[over])}(${raw(name)}) AS ${raw(overGroupsName(name, over))}`),
  );
  return sql`SELECT
  ${lines(figures)}
FROM (
  ${indented(groups)}
) AS per_group${where.length === 0 ? raw("") : sql`\nWHERE ${all(where)}`}`;
}
