import type { Row } from "../../warehouse/warehouse.ts";
import { measureOf, overGroupsName, subjectOf } from "../catalog/catalog.ts";
import type { Unit } from "../catalog/field.ts";
import type { OverGroups, Plan } from "../plan.ts";
import { listOf, toFigure } from "./figure.ts";
import { describeScope, groupingOf, measureLabel } from "./scope.ts";

interface Column {
  readonly name: string;
  /** "publishers", "average calls per day", "most calls of a publisher". */
  readonly label: string;
  readonly unit: Unit;
  readonly over: OverGroups;
}

/** "Publishers", "countries", "hours of day". */
const plural = (noun: string): string =>
  noun.replace(/^(.*?)( of .*)?$/, (_, head: string, of = "") => `${head.replace(/(?<![aeiou])y$/, "ie")}s${of}`);

/** "The top 3 publishers", of which the figures are. */
export function fewOf(plan: Plan): string {
  const { limit, order, measures } = plan;
  const group = groupingOf(plan).join(" and ");
  const by = order === null || order.by === measures[0] ? "" : ` by ${measureLabel(subjectOf(plan.subject), order.by)}`;
  return `the ${order?.direction === "asc" ? "bottom" : "top"} ${limit === 1 ? group : `${limit} ${plural(group)}`}${by}`;
}

/** The columns of a plan that tells figures over all its groups, in their order. */
export function columnsOverGroups(plan: Plan): readonly Column[] {
  const subject = subjectOf(plan.subject);
  const group = groupingOf(plan).join(" and ");
  const per = plan.grain === null ? `of a ${group}` : `in a ${group}`;
  const labelOf = (over: OverGroups, figure: string): string => {
    if (over === "share") return `share of ${figure} of ${fewOf(plan)}`;
    if (over === "total") return plan.limit === null ? figure : `${figure} of ${fewOf(plan)}`;
    return over === "average" ? `average ${figure} per ${group}` : `${over} ${figure} ${per}`;
  };
  return plan.over_groups.flatMap((over): Column[] =>
    over === "count"
      ? [{ name: overGroupsName("", over), label: plural(group), unit: "count", over }]
      : plan.measures.map((name) => ({
          name: overGroupsName(name, over),
          label: labelOf(over, measureLabel(subject, name)),
          unit: over === "share" ? "percent" : measureOf(subject, name).unit,
          over,
        })),
  );
}

/** "7 publishers in October 2026 (…) where conversion rate under 45%", "52.7% ($8,465.75) of revenue came from the top 3 publishers". */
export function sayOverGroups(plan: Plan, row: Row): string {
  if (plan.over_groups.includes("share"))
    return `${sayShares(plan, row)} came from ${fewOf(plan)} ${describeScope(plan)}`;
  const said = columnsOverGroups(plan).map(({ name, label, unit, over }) => {
    const figure = toFigure(row[name], unit);
    if (over !== "count") return `${label} ${figure}`;
    return `${figure} ${row[name] === 1 ? groupingOf(plan).join(" and ") : label}`;
  });
  return `${listOf(said)} ${describeScope(plan)}`;
}

function sayShares({ subject: kind, measures }: Plan, row: Row): string {
  const subject = subjectOf(kind);
  const said = measures.map((name) => {
    const total = row[overGroupsName(name, "total")];
    const figure = total === undefined ? "" : ` (${toFigure(total, measureOf(subject, name).unit)})`;
    return `${toFigure(row[overGroupsName(name, "share")], "percent")}${figure} of ${measureLabel(subject, name)}`;
  });
  return listOf(said);
}
