import { measureOf } from "../catalog/catalog.ts";
import type { Subject } from "../catalog/field.ts";
import type { Plan } from "../plan.ts";
import type { Draft } from "./reading.ts";

interface Given {
  readonly subject: Subject;
  readonly zone: string;
  readonly hasNoun: boolean;
}

/** A whole plan from a draft; undefined when it does not say what to measure. */
export function toPlan(draft: Draft, { subject, zone, hasNoun }: Given): Plan | undefined {
  const isRowQuestion = hasNoun || draft.filters.length > 0 || draft.order?.by === subject.defaultMeasure;
  const fallback = isRowQuestion ? [subject.defaultMeasure] : [];
  const measures = draft.listing ? [] : draft.measures.length > 0 ? draft.measures : fallback;
  if (measures.length === 0 && !draft.listing) return undefined;
  return {
    subject: subject.name,
    measures,
    dimensions: draft.listing ? [] : draft.dimensions,
    grain: draft.listing ? null : draft.grain,
    filters: draft.filters,
    having: draft.having,
    period: draft.period ?? null,
    zone,
    compare: draft.compare,
    order: toOrder(draft, measures),
    limit: draft.limit,
    columns: draft.listing ? [...subject.listing] : [],
  };
}

export function toOrder(
  { order, listing, dimensions, grain }: Pick<Draft, "order" | "listing" | "dimensions" | "grain">,
  measures: readonly string[],
): Plan["order"] {
  if (order === null) return null;
  if (!listing && dimensions.length === 0 && grain === null) return null;
  const by = order.by ?? measures[0];
  return by === undefined ? null : { by, direction: order.direction };
}

/** The previous plan with the slots that a follow-up names put in place of its own. */
export function patch(previous: Plan, draft: Draft): Plan {
  const regrouped = draft.dimensions.length > 0 || draft.grain !== null;
  const measures = draft.measures.length > 0 && !regrouped && draft.order === null ? draft.measures : previous.measures;
  const dimensions = regrouped ? draft.dimensions : previous.dimensions;
  const grain = regrouped ? draft.grain : previous.grain;
  const replaced = new Set(draft.filters.map(({ field }) => field));
  const added = draft.measures.filter((name) => !measures.includes(name));
  const all = [...measures, ...added];
  const kept =
    previous.order !== null && (all.includes(previous.order.by) || previous.columns.length > 0) ? previous.order : null;
  return {
    ...previous,
    measures: all,
    dimensions,
    grain,
    filters: [...previous.filters.filter(({ field }) => !replaced.has(field)), ...draft.filters],
    having: draft.having.length > 0 ? draft.having : previous.having,
    period: draft.period === undefined ? previous.period : draft.period,
    compare: draft.compare ?? (draft.period === undefined ? previous.compare : null),
    order: toOrder({ ...draft, dimensions, grain }, all) ?? kept,
    limit: draft.limit ?? (regrouped ? null : previous.limit),
  };
}

/** What the compiler cannot say without saying something else than was asked. */
export function faultOf(plan: Plan, subject: Subject, now: number): string | undefined {
  const { dimensions, grain, measures, limit, compare, period, columns } = plan;
  if (period?.from && Date.parse(period.from) > now)
    return `${period.label} lies in the future; I can only report on what has happened.`;
  if (dimensions.length > 2) return "I can group by two things at most.";
  if (grain !== null && dimensions.length > 1) return "I can group by time and one more thing, not by two.";
  if (measures.length > 5) return "I can show five measures at most.";
  const groups = dimensions.length + (grain === null ? 0 : 1);
  if (limit !== null && groups > 1)
    return "I can rank one thing at a time: ask for the top of one grouping, or for both groupings without a ranking.";
  if (compare !== null && (grain !== null || plan.having.length > 0 || columns.length > 0))
    return "I can compare two periods as totals or by one grouping, not over time.";
  if (plan.having.length > 0 && groups === 0)
    return "Say what to group by, so that I know whose figure to hold against the limit.";
  if (limit !== null && groups === 0 && columns.length === 0) {
    return `Say what to rank, such as campaigns by ${measureOf(subject, measures[0] ?? subject.defaultMeasure).words[0]}.`;
  }
  const both = plan.filters.find(
    ({ field, op }) => op === "is" && plan.filters.some((other) => other.field === field && other.op === "is_not"),
  );
  if (both !== undefined)
    return `I read both "is" and "is not" for ${both.field.replaceAll("_", " ")}; ask for one of them.`;
  return undefined;
}
