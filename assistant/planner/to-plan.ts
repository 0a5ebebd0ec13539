import { isBin } from "../catalog/bins.ts";
import { findMeasure } from "../catalog/catalog.ts";
import { factCounted } from "../catalog/fact-counted.ts";
import type { Subject } from "../catalog/field.ts";
import { isLessBetter } from "../catalog/less-is-better.ts";
import type { Plan } from "../plan.ts";
import type { Draft } from "./rules/draft.ts";

interface Given {
  readonly subject: Subject;
  readonly zone: string;
  readonly hasNoun: boolean;
}

/** A whole plan from a draft; undefined when it does not say what to measure. */
export function toPlan(draft: Draft, { subject, zone, hasNoun }: Given): Plan | undefined {
  const spreads = draft.dimensions.some(isBin);
  const conditions = draft.filters.length + draft.portion.length;
  const isRowQuestion =
    hasNoun ||
    spreads ||
    (draft.share && draft.dimensions.length > 0) ||
    conditions > 0 ||
    draft.order?.by === subject.defaultMeasure;
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
    order: toOrder(draft, measures, subject),
    limit: draft.limit,
    limit_per: draft.listing ? null : draft.limitPer,
    columns: draft.listing ? [...subject.listing] : [],
    share: draft.share,
    portion: draft.portion,
    running: draft.running,
    average_per: draft.averagePer,
    over_groups: [],
    chart: draft.chart,
  };
}

/** "The busiest day by …": what is ranked by is shown too. */
export function withOrder(measures: readonly string[], { order }: Pick<Draft, "order">, subject: Subject): string[] {
  const by = order?.by ?? null;
  return by === null || measures.includes(by) || findMeasure(subject, by) === undefined
    ? [...measures]
    : [...measures, by];
}

export function toOrder(
  {
    order,
    ofQuality,
    listing,
    dimensions,
    grain,
  }: Pick<Draft, "order" | "ofQuality" | "listing" | "dimensions" | "grain">,
  measures: readonly string[],
  subject: Subject,
): Plan["order"] {
  if (order === null) return null;
  if (!listing && dimensions.length === 0 && grain === null) return null;
  const by = order.by ?? measures[0];
  if (by === undefined) return null;
  const turns = ofQuality && isLessBetter(subject.name, by);
  return { by, direction: turns ? opposite[order.direction] : order.direction };
}
const opposite = { asc: "desc", desc: "asc" } as const;

/** The records that the figure before counted; undefined where it is no count of records that share a fact. */
export function listOf(previous: Plan, subject: Subject, limit: number | null): Plan | undefined {
  const [measure, other] = previous.measures;
  if (previous.columns.length > 0) return previous;
  const isAll = measure === subject.defaultMeasure;
  const fact = isAll ? undefined : factCounted(subject, measure ?? "");
  if (other !== undefined || (fact === undefined && !isAll)) return undefined;
  const shaped = previous.having.length + previous.portion.length > 0 || previous.compare !== null;
  if (shaped || previous.limit !== null) return undefined;
  return {
    ...previous,
    measures: [],
    dimensions: [],
    grain: null,
    having: [],
    order: null,
    limit_per: null,
    limit,
    columns: [...subject.listing],
    share: false,
    running: null,
    average_per: null,
    over_groups: [],
    chart: null,
    filters: [...previous.filters.filter(({ field }) => field !== fact?.field), ...(fact === undefined ? [] : [fact])],
  };
}
