import { integer, join, raw, type Statement, sql } from "../../warehouse/statement.ts";
import { isBin } from "../catalog/bins.ts";
import { measureOf } from "../catalog/catalog.ts";
import { isRecurring, type Plan } from "../plan.ts";
import { countGroups, groupColumn, type Scope } from "./scope.ts";

/** The tables of columns in the order, where several tables of the statement have them. */
export interface From {
  readonly grain: Statement;
  readonly names: Statement;
}
const bare: From = { grain: raw(""), names: raw("") };

export const ordering = (scope: Scope, from: From = bare): Statement =>
  countGroups(scope.plan) === 0 ? raw("") : sql`\nORDER BY ${join(orderKeys(scope, from), ", ")}`;

/** A SELECT in the plan's order. */
export const ordered = (scope: Scope, select: Statement, from?: From): Statement =>
  scope.dialect.ordered(select, { inside: ordering(scope, from), outside: ordering(scope) });

/** The requested order, else time or steps, else the first measure, highest first; names settle ties. */
function orderKeys(scope: Scope, from: From = bare): readonly Statement[] {
  const { grain, dimensions, order } = scope.plan;
  const many = dimensions.some((name) => !isRecurring(name) && !isBin(name)) ? [byFigure(scope)] : [];
  const ranked = order !== null || (grain === null && !dimensions.some(isBin));
  const keys = ranked
    ? [byFigure(scope), ...byTime(scope, from)]
    : [...byTime(scope, from), ...bySteps(scope), ...many];
  return [...keys, ...byName(scope, from)];
}

const byTime = ({ plan: { grain }, dialect }: Scope, from: From): readonly Statement[] =>
  grain === null ? [] : [dialect.position(grain, sql`${from.grain}${raw(grain)}`)];

const bySteps = ({ plan }: Scope): readonly Statement[] => plan.dimensions.filter(isBin).map(groupColumn);

const byName = ({ plan, dialect }: Scope, from: From): readonly Statement[] =>
  plan.dimensions.map((name) =>
    isRecurring(name)
      ? dialect.position(name, sql`${from.names}${groupColumn(name)}`)
      : sql`${groupColumn(name)} NULLS LAST`,
  );

/** The order by the ranking figure. */
function byFigure({ plan, subject }: Scope): Statement {
  const chosen = plan.order ?? { by: plan.measures[0] ?? "", direction: "desc" as const };
  const { name } = measureOf(subject, chosen.by);
  const figure =
    plan.order?.of === "difference"
      ? sql`coalesce(${raw(name)}, 0) - coalesce(${raw(`${name}_before`)}, 0)`
      : raw(name);
  return sql`${figure} ${raw(chosen.direction === "desc" ? "DESC" : "ASC")} NULLS LAST`;
}

/** The order within a group that is ranked by itself: the figure, then the columns that distinguish its members. */
export const rankKeys = (scope: Scope): readonly Statement[] => [
  byFigure(scope),
  ...byTime(scope, bare),
  ...byName(scope, bare),
];

export const limit = ({ limit, order }: Plan): Statement => {
  const skipped = order?.skip === undefined ? raw("") : sql` OFFSET ${integer(order.skip)}`;
  return limit === null ? raw("") : sql`\nLIMIT ${integer(limit)}${skipped}`;
};
