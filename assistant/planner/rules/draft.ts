import type { Filter, Grain, Period, Plan } from "../../plan.ts";

/** Why a question gets no answer yet: a sentence, and questions to choose from when there are readings to offer. */
export interface Problem {
  readonly sentence: string;
  readonly options: readonly string[];
}

/** What the rules have found so far. */
export interface Draft {
  measures: string[];
  dimensions: string[];
  grain: Grain | null;
  filters: Filter[];
  having: Filter[];
  /** undefined: not named; null: all data, as asked. */
  period: Period | null | undefined;
  compare: Period | null;
  order: { by: string | null; direction: "asc" | "desc" } | null;
  /** "Best", "worst": which end that is depends on the figure. */
  ofQuality: boolean;
  limit: number | null;
  /** What is ranked; and what was said to be one each of. */
  ranked: string | null;
  each: Set<string>;
  /** The dimension or grain that the limit counts within. */
  limitPer: string | null;
  listing: boolean;
  share: boolean;
  /** Conditions that a percentage is asked of. */
  portion: Filter[];
  running: Plan["running"];
  averagePer: Plan["average_per"];
  chart: Plan["chart"];
  problems: Problem[];
  notes: string[];
  /** Where in the question each condition stands, by its field and comparison. */
  places: Map<string, number>;
  /** Where in the question a statistic's quantity stands, and the measure that both are. */
  statistics: Map<number, string>;
}

export const emptyDraft = (): Draft => ({
  measures: [],
  dimensions: [],
  grain: null,
  filters: [],
  having: [],
  period: undefined,
  compare: null,
  order: null,
  ofQuality: false,
  limit: null,
  ranked: null,
  each: new Set(),
  limitPer: null,
  listing: false,
  share: false,
  portion: [],
  running: null,
  averagePer: null,
  chart: null,
  problems: [],
  notes: [],
  places: new Map(),
  statistics: new Map(),
});
/** Whether nothing has been found. */
export const isEmpty = (draft: Draft): boolean =>
  draft.measures.length + draft.dimensions.length + draft.filters.length + draft.having.length === 0 &&
  draft.grain === null &&
  draft.period === undefined &&
  !draft.listing &&
  !draft.share &&
  draft.portion.length === 0 &&
  draft.running === null &&
  draft.averagePer === null &&
  draft.chart === null &&
  draft.order === null &&
  draft.limit === null;

/** How many groups a ranking shows where no number is said. */
export const defaultTop = 10;
/** How many records a list shows where no number is said. */
export const mostListed = 100;
