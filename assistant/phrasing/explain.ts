import type { Interpretation } from "../answer.ts";
import { measureOf, subjectOf } from "../catalog/catalog.ts";
import type { Plan } from "../plan.ts";
import { capital } from "./figure.ts";
import {
  describeDates,
  describeFilter,
  describePeriod,
  describeScope,
  figureLabel,
  groupingOf,
  measureLabel,
} from "./scope.ts";

/** How the SQL works, for someone who reads it: what each measure means, the period, what is left out. */
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
    `Reads the ${subject.noun.many} of your organization ${describePeriod(plan)}, by ${subject.time}.`,
    ...(plan.compare === null
      ? []
      : [`Compared with ${plan.compare.label} (${describeDates(plan.compare, plan.zone)}).`]),
    ...measures,
    ...(plan.share ? ["Shares are each row's part of the total of all rows, in percent."] : []),
    ...(groups.length === 0 ? [] : [`One row for each ${groups.join(" and ")}.`]),
    ...(plan.grain !== null && plan.limit === null ? ["Stretches without any are kept, so that gaps show."] : []),
    ...(cut ? ["Weeks start on Monday; the period may cut the first and the last one."] : []),
    ...(ranked ? [`${capital(subject.noun.many)} without a ${groups.join(" or ")} are left out of the ranking.`] : []),
  ].join(" ");
}

export function interpret(plan: Plan, notes: readonly string[]): Interpretation {
  const subject = subjectOf(plan.subject);
  const { period } = plan;
  const groups = groupingOf(plan);
  const what =
    plan.columns.length > 0
      ? `a list of ${subject.noun.many}`
      : plan.measures.map((name) => figureLabel(plan, name)).join(" and ");
  return {
    summary: `${capital(what)}${groups.length === 0 ? "" : ` by ${groups.join(" and ")}`}, ${describeScope(plan)}`,
    measures: plan.measures.map((name) => {
      const { unit, definition } = measureOf(subject, name);
      return { name, unit, definition };
    }),
    grouping: [...groups],
    filters: [...plan.filters, ...plan.having].map((filter) => describeFilter(subject, filter)),
    period: { from: period?.from ?? null, to: period?.to ?? null, zone: plan.zone, label: period?.label ?? "all data" },
    notes: [...notes],
  };
}
