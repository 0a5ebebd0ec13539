import { findQuantity, subjectOf } from "./catalog/catalog.ts";
import type { Subject } from "./catalog/field.ts";
import { capital } from "./phrasing/figure.ts";
import { labelOf } from "./phrasing/scope.ts";
import { isRecurring, type Period, type Plan, planSchema, type RunningGrain, reach } from "./plan.ts";
import { figureFault } from "./plan-faults-figures.ts";
import { compareFault, groupingFault, rankingFault } from "./plan-faults-groups.ts";

const dayMs = 86_400_000;
const bucketMs: Readonly<Record<RunningGrain, number>> = {
  hour: 3_600_000,
  day: dayMs,
  week: 7 * dayMs,
  month: 30 * dayMs,
  quarter: 91 * dayMs,
  year: 365 * dayMs,
};
/** Nearly 14 years of days, 7 months of hours: every bucket is a row for every name. */
const mostBuckets = 5000;
const [earliest, latest] = [Date.parse(reach.from), Date.parse(reach.to)];

/** Returns why a plan cannot be compiled correctly, or only to an expensive statement. */
export function faultOf(plan: Plan): string | undefined {
  const subject = subjectOf(plan.subject);
  return (
    periodFault(plan) ??
    groupingFault(plan) ??
    rankingFault(plan, subject) ??
    compareFault(plan) ??
    figureFault(plan, subject) ??
    conditionFault(plan, subject) ??
    (planSchema.safeParse(plan).success ? undefined : "That is more than I can hold in one question; ask for less.")
  );
}

function periodFault({ period, compare, grain, limit, having }: Plan): string | undefined {
  for (const each of [period, compare]) {
    if (each !== null && !isWithinReach(each))
      return `I cannot report on ${each.label}; I read dates from ${reach.label}.`;
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

function conditionFault({ filters, portion }: Plan, subject: Subject): string | undefined {
  const odd = [...filters, ...portion].find(({ field, op }) => op.endsWith("contains") && findQuantity(subject, field));
  if (odd !== undefined)
    return `${capital(labelOf(subject, odd.field))} is a number; ask for one, or for more or less than one.`;
  const both = filters.find(
    ({ field, op }) => op === "is" && filters.some((other) => other.field === field && other.op === "is_not"),
  );
  return both === undefined
    ? undefined
    : `I read both "is" and "is not" for ${labelOf(subject, both.field)}; ask for one of them.`;
}
