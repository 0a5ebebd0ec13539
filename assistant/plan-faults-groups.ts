import { dimensionAlias, measureOf } from "./catalog/catalog.ts";
import type { Subject } from "./catalog/field.ts";
import { isRecurring, type Plan } from "./plan.ts";

const mostGroups = 3;

export const countGroups = ({ dimensions, grain }: Plan): number => dimensions.length + (grain === null ? 0 : 1);

export function groupingFault(plan: Plan): string | undefined {
  const { dimensions, grain, measures } = plan;
  if (countGroups(plan) > mostGroups) return "I can group by three things at most.";
  if (grain === null && dimensions.some(isRecurring)) return "I can group by one more thing beside time.";
  if (grain !== null && dimensions.some((name) => name === grain)) return "Those are the same unit of time twice.";
  if (measures.length > 5) return "I can show five measures at most.";
  // Engines tell column names apart by their letters, not by capitals.
  if (new Set(dimensions.map((name) => dimensionAlias(name).toLowerCase())).size < dimensions.length)
    return "I cannot group by two things of the same name.";
  if (dimensions.some((name) => measures.includes(dimensionAlias(name))))
    return "I cannot show a figure beside a grouping of the same name.";
  return undefined;
}

export function rankingFault(plan: Plan, subject: Subject): string | undefined {
  const { limit, limit_per, columns, measures, dimensions } = plan;
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

export function compareFault(plan: Plan): string | undefined {
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
