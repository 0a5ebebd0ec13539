import { findMeasure } from "../catalog/catalog.ts";
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
  const said = draft.measures.length > 0 ? draft.measures : fallback;
  const measures = draft.listing ? [] : withOrder(said, draft, subject);
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
    limit_per: draft.listing ? null : draft.limitPer,
    columns: draft.listing ? [...subject.listing] : [],
    share: draft.share,
    portion: draft.portion,
    running: draft.running,
    average_per: draft.averagePer,
    chart: draft.chart,
  };
}

/** "The busiest day by …": what is ranked by is shown too. */
function withOrder(measures: readonly string[], { order }: Draft, subject: Subject): string[] {
  const by = order?.by ?? null;
  return by === null || measures.includes(by) || findMeasure(subject, by) === undefined
    ? [...measures]
    : [...measures, by];
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
export function patch(previous: Plan, draft: Draft, { subject, zone }: Omit<Given, "hasNoun">): Plan {
  const regrouped = draft.dimensions.length > 0 || draft.grain !== null;
  const isListing = previous.columns.length > 0 && !regrouped && draft.measures.length === 0 && !draft.share;
  const shown = previous.columns.length > 0 ? [subject.defaultMeasure] : previous.measures;
  const replaces = draft.measures.length > 0 && (previous.columns.length > 0 || (!regrouped && draft.order === null));
  // The first few by some figure stay those few.
  const ranked = previous.limit !== null && previous.columns.length === 0 ? previous.order : null;
  const others = [...new Set([...draft.measures, ...(ranked === null ? [] : [ranked.by])])];
  const measures = replaces ? others : shown;
  const dimensions = regrouped ? draft.dimensions : previous.dimensions;
  const grain = regrouped ? draft.grain : previous.grain;
  const replaced = new Set(draft.filters.map(({ field }) => field));
  const added = draft.measures.filter((name) => !measures.includes(name));
  const all = isListing ? [] : withOrder([...measures, ...added], draft, subject);
  const kept = previous.order !== null && (isListing || all.includes(previous.order.by)) ? previous.order : null;
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
    limit: draft.limit ?? (regrouped || (previous.columns.length > 0 && !isListing) ? null : previous.limit),
    columns: isListing ? previous.columns : [],
    // The organization's own zone, whatever the client sent back.
    zone,
    share: draft.share || (previous.share && draft.order === null && draft.limit === null && draft.compare === null),
  };
}
