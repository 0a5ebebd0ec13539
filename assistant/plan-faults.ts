import { dimensionAlias, findQuantity, measureOf, subjectOf } from "./catalog/catalog.ts";
import type { Measure, Subject } from "./catalog/field.ts";
import { capital } from "./phrasing/figure.ts";
import { labelOf, measureLabel } from "./phrasing/scope.ts";
import {
  alternatives,
  isRecurring,
  mostMeasures,
  type OverGroups,
  type Period,
  type Plan,
  planSchema,
  type RunningGrain,
  reach,
  runningGrains,
} from "./plan.ts";

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

const mostGroups = 3;

const countGroups = ({ dimensions, grain }: Plan): number => dimensions.length + (grain === null ? 0 : 1);

function groupingFault(plan: Plan): string | undefined {
  const { dimensions, grain, measures } = plan;
  if (countGroups(plan) > mostGroups) return "I can group by three things at most.";
  if (grain === null && dimensions.some(isRecurring)) return "I can group by one more thing beside time.";
  if (grain !== null && dimensions.some((name) => name === grain)) return "Those are the same unit of time twice.";
  if (measures.length > mostMeasures) return `I can show ${mostMeasures} measures at most.`;
  // Engines tell column names apart by their letters, not by capitals.
  if (new Set(dimensions.map((name) => dimensionAlias(name).toLowerCase())).size < dimensions.length)
    return "I cannot group by two things of the same name.";
  if (dimensions.some((name) => measures.includes(dimensionAlias(name))))
    return "I cannot show a figure beside a grouping of the same name.";
  return undefined;
}

function rankingFault(plan: Plan, subject: Subject): string | undefined {
  const { limit, limit_per, columns, measures, dimensions, order } = plan;
  if (order?.skip !== undefined && (limit === null || plan.over_groups.length > 0))
    return "Say which one of a ranking you mean, such as the second best publisher by revenue.";
  if (order?.only && order.of === undefined) return "Say which figure rose or fell, and between which periods.";
  const groups = countGroups(plan);
  if (plan.having.length > 0 && groups === 0)
    return "Say what to group by, so that I know whose figure to hold against the limit.";
  if (limit_per !== null) return rankingWithinFault(plan);
  if (limit === null || columns.length > 0) return undefined;
  if (groups === 0)
    return `Say what to rank, such as campaigns by ${measureOf(subject, measures[0] ?? subject.defaultMeasure).words[0]}.`;
  const [first] = dimensions;
  return groups > 1 && (first === undefined || isRecurring(first) || plan.having.length > 0)
    ? "I can rank one thing at a time: ask for the top of one grouping, or for both groupings without a ranking."
    : undefined;
}

function rankingWithinFault({
  limit,
  limit_per,
  dimensions,
  grain,
  compare,
  share,
  running,
}: Plan): string | undefined {
  const within = [...dimensions, ...(grain === null ? [] : [grain])];
  if (limit === null || limit_per === null || !within.includes(limit_per) || within.length < 2)
    return "Say what to rank within each of what, such as the top 3 publishers per campaign.";
  return compare !== null || share || running !== null
    ? "I can rank within groups by the figure itself, not by shares, changes or against another period."
    : undefined;
}

function compareFault(plan: Plan): string | undefined {
  const { compare, period, grain, having, columns, dimensions, limit } = plan;
  if (plan.order?.of === "difference" && (compare === null || (grain !== null && !isRecurring(grain))))
    return "Say between which two periods of whole groups to rank the difference, such as this month vs last month.";
  if (compare === null) return undefined;
  if (period === null) return "Say which period to compare that one with.";
  if (having.length > 0 || columns.length > 0 || (limit !== null && countGroups(plan) > 1))
    return "I can compare two periods as totals or by groups, not under conditions on groups.";
  if (grain === null || isRecurring(grain)) return undefined;
  if (dimensions.length > 0 || limit !== null || plan.order !== null)
    return "I can compare two periods over time as a whole, not for each group as well.";
  return period.from === null || compare.from === null
    ? "Say when both periods begin, so that I can put them side by side."
    : undefined;
}

/** Returns the fault of a plan's share, portion, running total or average by time, of which it can have one. */
function figureFault(plan: Plan, subject: Subject): string | undefined {
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
    overGroupsFault(plan, subject)
  );
}

function overGroupsFault(plan: Plan, subject: Subject): string | undefined {
  const { over_groups, having, measures, compare, limit, order } = plan;
  if (over_groups.length === 0) return undefined;
  if (countGroups(plan) !== 1) return "Say the one thing whose groups I should count, such as publishers or days.";
  const isOf = (...some: readonly OverGroups[]) => over_groups.some((over) => some.includes(over));
  if (
    compare !== null ||
    (order !== null && limit === null) ||
    (limit !== null && (isOf("count") || having.length > 0))
  )
    return "I can tell figures over groups, or over the first few of them, without comparing two periods.";
  if (limit === null && isOf("share")) return "Say of how many groups together, such as the top 3 publishers.";
  const other = isOf("total", "share") ? findOther(plan, subject, addsUp) : undefined;
  if (other !== undefined) return `${other} does not add up; ask for it by group.`;
  return having.flatMap(alternatives).every(({ field }) => measures.includes(field))
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
    ({ aggregate: { kind } }) => !["ratio", "average", "quantile", "deviation"].includes(kind),
  );
  return other === undefined ? undefined : `A percentage of ${other} would mean nothing; ask for its value instead.`;
}

function runningFault(plan: Plan, subject: Subject): string | undefined {
  if ((plan.running === "average") !== (plan.running_over !== null))
    return "Say of how many days, weeks or months together the moving average is.";
  if (plan.running === null) return undefined;
  if (plan.grain === null || isRecurring(plan.grain)) return "Say over which unit of time, such as by day or by month.";
  if (plan.limit !== null || plan.having.length > 0)
    return "I can show running figures of whole series, not of rankings or under conditions on groups.";
  const other = plan.running === "change" ? undefined : findOther(plan, subject, addsUp);
  const what = plan.running === "total" ? "running total" : "moving average";
  return other === undefined ? undefined : `${other} does not add up, so there is no ${what} of it.`;
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
  const days = (Date.parse(period.to) - Date.parse(period.from)) / dayMs;
  return days > mostDivided * (grain === "hour_of_day" || grain === "part_of_day" || grain === "day" ? 1 : 7)
    ? `That is too long for averages per ${unit} of every ${grain}; ask for a shorter period.`
    : undefined;
}

const isLonger = (grain: RunningGrain, unit: RunningGrain): boolean =>
  runningGrains.indexOf(grain) > runningGrains.indexOf(unit);

function conditionFault({ filters, portion }: Plan, subject: Subject): string | undefined {
  const odd = [...filters, ...portion]
    .flatMap(alternatives)
    .find(({ field, op }) => op.endsWith("contains") && findQuantity(subject, field));
  if (odd !== undefined)
    return `${capital(labelOf(subject, odd.field))} is a number; ask for one, or for more or less than one.`;
  const both = filters.find(
    ({ field, op, or }) =>
      op === "is" && !or && filters.some((other) => other.field === field && other.op === "is_not" && !other.or),
  );
  return both === undefined
    ? undefined
    : `I read both "is" and "is not" for ${labelOf(subject, both.field)}; ask for one of them.`;
}
