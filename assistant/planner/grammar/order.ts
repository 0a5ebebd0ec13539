import { findMeasure } from "../../catalog/catalog.ts";
import { factCounted } from "../../catalog/fact-counted.ts";
import type { Subject } from "../../catalog/field.ts";
import { isLessBetter } from "../../catalog/less-is-better.ts";
import type { Plan } from "../../plan.ts";

/** What a ranking is of: by which figure, or by the first one that is shown. */
interface Shape {
  readonly order: { readonly by: string | null; readonly direction: "asc" | "desc" } | null;
  /** "Best", "worst": which end that is depends on the figure. */
  readonly ofQuality: boolean;
  readonly listing: boolean;
  readonly dimensions: readonly string[];
  readonly grain: Plan["grain"];
}

/** "The busiest day by …": what is ranked by is shown too. */
export function withOrder(measures: readonly string[], { order }: Pick<Shape, "order">, subject: Subject): string[] {
  const by = order?.by ?? null;
  return by === null || measures.includes(by) || findMeasure(subject, by) === undefined
    ? [...measures]
    : [...measures, by];
}

export function toOrder(
  { order, ofQuality, listing, dimensions, grain }: Shape,
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
