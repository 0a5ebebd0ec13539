import { measureOf } from "./catalog/catalog.ts";
import type { Measure, Subject } from "./catalog/field.ts";
import { measureLabel } from "./phrasing/scope.ts";
import { isRecurring, type Plan, type RunningGrain, runningGrains } from "./plan.ts";
import { countGroups } from "./plan-faults-groups.ts";

/** Returns the fault of a plan's share, portion, running total or average by time, of which it can have one. */
export function figureFault(plan: Plan, subject: Subject): string | undefined {
  const { share, portion, running, average_per, over_groups } = plan;
  const kinds = [share, portion.length > 0, running !== null, average_per !== null, over_groups.length > 0].filter(
    Boolean,
  ).length;
  if (kinds > 1)
    return "I can show shares, running figures, averages over time or figures over groups, one of them at a time.";
  if (kinds > 0 && plan.compare !== null && average_per === null)
    return "I can compare the figures of two periods, not their shares or running totals.";
  return (
    shareFault(plan, subject) ??
    portionFault(plan, subject) ??
    runningFault(plan, subject) ??
    averageFault(plan, subject) ??
    overGroupsFault(plan)
  );
}

function overGroupsFault(plan: Plan): string | undefined {
  const { over_groups, having, measures, compare, limit, order } = plan;
  if (over_groups.length === 0) return undefined;
  if (countGroups(plan) !== 1) return "Say the one thing whose groups I should count, such as publishers or days.";
  if (compare !== null || limit !== null || order !== null)
    return "I can tell figures over groups, without ranking them or comparing two periods.";
  return having.every(({ field }) => measures.includes(field))
    ? undefined
    : "I can count groups by the figures that are shown of them.";
}

/** True where the parts of a measure add up to a whole. */
const addsUp = ({ aggregate: { kind } }: Measure): boolean => kind === "count" || kind === "sum";
const findOther = ({ measures }: Plan, subject: Subject, fits: (measure: Measure) => boolean): string | undefined => {
  const other = measures.find((name) => !fits(measureOf(subject, name)));
  return other && measureLabel(subject, other);
};

function shareFault(plan: Plan, subject: Subject): string | undefined {
  if (!plan.share) return undefined;
  const other = findOther(plan, subject, addsUp);
  if (other !== undefined) return `${other} does not add up, so that groups have no share of it.`;
  if (plan.having.length > 0) return "I can show the share that every group has, not under a condition on groups.";
  const groups = countGroups(plan);
  if (groups === 1 || (groups === 2 && plan.grain !== null && plan.limit === null)) return undefined;
  return `Say the one thing to split it by, such as “share of ${subject.noun.many} by ${subject.dimensions[0]?.words[0]}”.`;
}

function portionFault(plan: Plan, subject: Subject): string | undefined {
  if (plan.portion.length === 0) return undefined;
  const other = findOther(
    plan,
    subject,
    ({ aggregate: { kind } }) => kind !== "ratio" && kind !== "average" && kind !== "quantile",
  );
  return other === undefined ? undefined : `A percentage of ${other} would mean nothing; ask for its value instead.`;
}

function runningFault(plan: Plan, subject: Subject): string | undefined {
  if (plan.running === null) return undefined;
  if (plan.grain === null || isRecurring(plan.grain)) return "Say over which unit of time, such as by day or by month.";
  if (plan.limit !== null || plan.having.length > 0)
    return "I can show running figures of whole series, not of rankings or under conditions on groups.";
  const other = plan.running === "total" ? findOther(plan, subject, addsUp) : undefined;
  return other === undefined ? undefined : `${other} does not add up, so there is no running total of it.`;
}

/** The statement contains each bucket with its divisor. */
const mostDivided = 400;

function averageFault(plan: Plan, subject: Subject): string | undefined {
  const { average_per: unit, grain, period } = plan;
  if (unit === null) return undefined;
  const other = findOther(plan, subject, addsUp);
  if (other !== undefined) return `${other} cannot be divided among ${unit}s; ask for it by ${unit} instead.`;
  if (plan.having.length > 0) return `I can show averages per ${unit}, not conditions on them.`;
  if (plan.dimensions.some(isRecurring)) return `I can show averages per ${unit} by one unit of time, not by two.`;
  if (grain === null) return undefined;
  if (period === null || period.from === null)
    return `Say over which period to average per ${unit}, such as last month.`;
  if (!isRecurring(grain) && !isLonger(grain, unit))
    return `A ${grain} has no ${unit}s to average over; leave one of them out.`;
  const days = (Date.parse(period.to) - Date.parse(period.from)) / 86_400_000;
  return days > mostDivided * (grain === "hour_of_day" || grain === "part_of_day" || grain === "day" ? 1 : 7)
    ? `That is too long for averages per ${unit} of every ${grain}; ask for a shorter period.`
    : undefined;
}

const isLonger = (grain: RunningGrain, unit: RunningGrain): boolean =>
  runningGrains.indexOf(grain) > runningGrains.indexOf(unit);
