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

const plural = (noun: string): string => `${noun.replace(/(?<![aeiou])y$/, "ie")}s`;

/** The columns of a plan that tells figures over all its groups, in their order. */
export function columnsOverGroups(plan: Plan): readonly Column[] {
  const subject = subjectOf(plan.subject);
  const group = groupingOf(plan).join(" and ");
  const per = plan.grain === null ? `of a ${group}` : `in a ${group}`;
  return plan.over_groups.flatMap((over): Column[] =>
    over === "count"
      ? [{ name: overGroupsName("", over), label: plural(group), unit: "count", over }]
      : plan.measures.map((name) => ({
          name: overGroupsName(name, over),
          label:
            over === "average"
              ? `average ${measureLabel(subject, name)} per ${group}`
              : `${over} ${measureLabel(subject, name)} ${per}`,
          unit: measureOf(subject, name).unit,
          over,
        })),
  );
}

/** "7 publishers in October 2026 (…) where conversion rate under 45%". */
export function sayOverGroups(plan: Plan, row: Row): string {
  const said = columnsOverGroups(plan).map(({ name, label, unit, over }) => {
    const figure = toFigure(row[name], unit);
    if (over !== "count") return `${label} ${figure}`;
    return `${figure} ${row[name] === 1 ? groupingOf(plan).join(" and ") : label}`;
  });
  return `${listOf(said)} ${describeScope(plan)}`;
}
