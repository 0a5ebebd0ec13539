import type { Interpretation } from "../answer.ts";
import { findBin } from "../catalog/bins.ts";
import { measureOf, subjectOf } from "../catalog/catalog.ts";
import type { Plan } from "../plan.ts";
import { describePeriod, nameOther } from "./dates.ts";
import { capital, listOf } from "./figure.ts";
import { columnsOverGroups, fewOf } from "./over-groups.ts";
import {
  describeFigures,
  describeFilter,
  describePortion,
  describeScope,
  groupingOf,
  labelOf,
  measureLabel,
} from "./scope.ts";

/** Explains the SQL to its reader: the meaning of each measure, the period, and which rows are left out. */
export function explain(plan: Plan, notes: readonly string[]): string {
  const subject = subjectOf(plan.subject);
  const measures = plan.measures.map(
    (name) => `${capital(measureLabel(subject, name))}: ${measureOf(subject, name).definition}`,
  );
  const groups = groupingOf(plan);
  const cut = plan.grain === "week" && plan.period !== null;
  const ranked = plan.limit !== null && plan.dimensions.length > 0;
  return [
    ...notes,
    `Reads the ${subject.noun.many} of your organization ${describePeriod(plan)}, by ${subject.time} in ${plan.zone}.`,
    ...(plan.compare === null ? [] : [`Compared with ${nameOther(plan.compare, plan.zone)}.`]),
    ...(plan.order?.of === "difference" ? ["Ranked by the difference between the two periods."] : []),
    ...measures,
    ...figureNotes(plan),
    ...(plan.over_groups.length > 0
      ? [
          plan.limit === null
            ? `One row over all ${groups.join(" and ")}s; those without a name are left out.`
            : `One row over ${fewOf(plan)} together.`,
        ]
      : []),
    ...(groups.length === 0 || plan.over_groups.length > 0 ? [] : [`One row for each ${groups.join(" and ")}.`]),
    ...stepNotes(plan),
    ...(plan.grain !== null && plan.limit === null && plan.over_groups.length === 0
      ? ["Stretches without any are kept, so that gaps show."]
      : []),
    ...(cut ? ["Weeks start on Monday; the period may cut the first and the last one."] : []),
    ...(ranked ? [`${capital(subject.noun.many)} without a ${groups.join(" or ")} are left out of the ranking.`] : []),
  ].join(" ");
}

function stepNotes(plan: Plan): readonly string[] {
  const subject = subjectOf(plan.subject);
  const binned = plan.dimensions.flatMap((name) => findBin(subject, name)?.quantity.words[0] ?? []);
  if (binned.length === 0) return [];
  const [many, what] = [capital(subject.noun.many), binned.join(" or ")];
  return [`A step begins at its figure and ends before the next. ${many} without ${what} are left out.`];
}

function figureNotes(plan: Plan): readonly string[] {
  const over = plan.grain !== null && plan.dimensions.length > 0 ? `its ${plan.grain}` : "all rows";
  return [
    ...(plan.share ? [`Shares are each row's part of the total of ${over}, in percent.`] : []),
    ...(plan.portion.length > 0 ? [`The share is the part with ${describePortion(plan)}, in percent of all.`] : []),
    ...(plan.running === "total" ? ["Each row adds up all until then."] : []),
    ...(plan.running === "average"
      ? [`Each row has the mean of its ${plan.grain} and those before it in the period, ${plan.running_over} at most.`]
      : []),
    ...(plan.running === "change" ? [`Each ${plan.grain} is held against the one before it.`] : []),
    ...(plan.average_per === null
      ? []
      : [`Divided by the ${plan.average_per}s of the period, those without any included.`]),
    ...(plan.limit_per === null ? [] : [`Ranked within each ${labelOf(subjectOf(plan.subject), plan.limit_per)}.`]),
  ];
}

export function interpret(plan: Plan, notes: readonly string[]): Interpretation {
  const subject = subjectOf(plan.subject);
  const { period } = plan;
  const groups = groupingOf(plan);
  return {
    summary: describePlan(plan),
    measures: plan.measures.map((name) => {
      const { unit, definition } = measureOf(subject, name);
      return { name, unit, definition };
    }),
    grouping: [...groups],
    filters: [...plan.filters, ...plan.portion, ...plan.having].map((filter) => describeFilter(subject, filter)),
    period: { from: period?.from ?? null, to: period?.to ?? null, zone: plan.zone, label: period?.label ?? "all data" },
    notes: [...notes],
  };
}

/** Describes the plan in the words of a question: "Revenue by campaign last month (…)". */
export function describePlan(plan: Plan): string {
  const groups = groupingOf(plan);
  const what =
    plan.columns.length > 0
      ? `a list of ${subjectOf(plan.subject).noun.many}`
      : plan.over_groups.length > 0
        ? listOf(columnsOverGroups(plan).map(({ label }) => label))
        : describeFigures(plan);
  return `${capital(what)}${groups.length === 0 ? "" : ` by ${listOf(groups)}`} ${describeScope(plan)}`;
}
