import { dimensionAlias, measureOf, subjectOf } from "./catalog/catalog.ts";
import type { Subject } from "./catalog/field.ts";
import { capital } from "./phrasing/figure.ts";
import { labelOf, measureLabel } from "./phrasing/scope.ts";
import { isRecurring, type Period, type Plan, planSchema, type RunningGrain } from "./plan.ts";

const dayMs = 86_400_000;
const bucketMs: Readonly<Record<RunningGrain, number>> = {
  hour: 3_600_000,
  day: dayMs,
  week: 7 * dayMs,
  month: 30 * dayMs,
  quarter: 91 * dayMs,
  year: 365 * dayMs,
};
/** Nearly 14 years of days, 7 months of hours: every bucket is a row, for every name. */
const mostBuckets = 5000;
const earliest = Date.parse("2000-01-01T00:00:00Z");
const latest = Date.parse("2100-01-01T00:00:00Z");

/** What the compiler cannot say without saying something else than was asked, or without undue work. */
export function faultOf(plan: Plan): string | undefined {
  const subject = subjectOf(plan.subject);
  return (
    periodFault(plan) ??
    groupingFault(plan) ??
    rankingFault(plan, subject) ??
    compareFault(plan) ??
    shareFault(plan, subject) ??
    conditionFault(plan, subject) ??
    (planSchema.safeParse(plan).success ? undefined : "That is more than I can hold in one question; ask for less.")
  );
}

const countGroups = ({ dimensions, grain }: Plan): number => dimensions.length + (grain === null ? 0 : 1);

function periodFault({ period, compare, grain, limit, having }: Plan): string | undefined {
  for (const each of [period, compare]) {
    if (each !== null && !isWithinReach(each))
      return `I cannot report on ${each.label}; I read dates from 2000 to 2099.`;
  }
  // Without a start the data's own first row is the start; a ranking shows only the buckets that have rows.
  if (period === null || period.from === null || limit !== null || having.length > 0) return undefined;
  if (grain === null || isRecurring(grain)) return undefined;
  const count = Math.ceil((Date.parse(period.to) - Date.parse(period.from)) / bucketMs[grain]);
  if (count <= mostBuckets) return undefined;
  return `${capital(period.label)} by ${grain} would be about ${count.toLocaleString("en-US")} rows; ask for a shorter period or longer units of time.`;
}

function isWithinReach({ from, to }: Period): boolean {
  const [start, end] = [from === null ? earliest : Date.parse(from), Date.parse(to)];
  return earliest <= start && start < end && end <= latest;
}

function groupingFault({ dimensions, grain, measures }: Plan): string | undefined {
  if (dimensions.length > 2) return "I can group by two things at most.";
  if (grain !== null && dimensions.length > 1) return "I can group by time and one more thing, not by two.";
  if (grain === null && dimensions.some(isRecurring)) return "I can group by one more thing beside time.";
  if (grain !== null && dimensions.some((name) => name === grain)) return "Those are the same unit of time twice.";
  if (measures.length > 5) return "I can show five measures at most.";
  // Engines tell column names apart by their letters, not by capitals.
  if (new Set(dimensions.map((name) => dimensionAlias(name).toLowerCase())).size < dimensions.length)
    return "I cannot group by two things of the same name.";
  return undefined;
}

function rankingFault(plan: Plan, subject: Subject): string | undefined {
  const { limit, columns, measures } = plan;
  const groups = countGroups(plan);
  if (limit !== null && groups > 1)
    return "I can rank one thing at a time: ask for the top of one grouping, or for both groupings without a ranking.";
  if (plan.having.length > 0 && groups === 0)
    return "Say what to group by, so that I know whose figure to hold against the limit.";
  if (limit !== null && groups === 0 && columns.length === 0)
    return `Say what to rank, such as campaigns by ${measureOf(subject, measures[0] ?? subject.defaultMeasure).words[0]}.`;
  return undefined;
}

function compareFault({ compare, period, grain, having, columns }: Plan): string | undefined {
  if (compare === null) return undefined;
  if (period === null) return "Say which period to compare that one with.";
  return grain !== null || having.length > 0 || columns.length > 0
    ? "I can compare two periods as totals or by one grouping, not over time."
    : undefined;
}

function shareFault(plan: Plan, subject: Subject): string | undefined {
  if (!plan.share) return undefined;
  if (plan.limit !== null || plan.order !== null || plan.having.length > 0 || plan.compare !== null)
    return "I can show the share that every group has, not shares of a ranking, with a limit or against another period.";
  const other = plan.measures.find((name) => !canBeShared(subject, name));
  if (other === undefined)
    return countGroups(plan) === 1
      ? undefined
      : `Say the one thing to split it by, such as “share of ${subject.noun.many} by ${subject.dimensions[0]?.words[0]}”.`;
  return `A share of ${measureLabel(subject, other)} could mean several things; I can show it by group, or the share of ${subject.noun.many}.`;
}

/** Totals of all rows; a part of some rows ("share of converted calls") might be meant as a rate. */
function canBeShared(subject: Subject, name: string): boolean {
  const { aggregate } = measureOf(subject, name);
  return (aggregate.kind === "count" || aggregate.kind === "sum") && aggregate.where === undefined;
}

function conditionFault({ filters }: Plan, subject: Subject): string | undefined {
  const both = filters.find(
    ({ field, op }) => op === "is" && filters.some((other) => other.field === field && other.op === "is_not"),
  );
  return both === undefined
    ? undefined
    : `I read both "is" and "is not" for ${labelOf(subject, both.field)}; ask for one of them.`;
}
