import type { Filter, Grain, Period, Plan, RunningGrain } from "../../plan.ts";

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
  /** "compare that with last week": what the period of the answer before is held against. */
  compareTo: Period | null;
  /** "compared with the one before", where the period is that of the answer before. */
  againstPrevious: boolean;
  order: { by: string | null; direction: "asc" | "desc" } | null;
  /** "Best", "worst": which end that is depends on the figure. */
  ofQuality: boolean;
  limit: number | null;
  /** What is ranked; and what was said to be one each of. */
  ranked: string | null;
  each: Set<string>;
  /** The dimension or grain that the limit counts within. */
  limitPer: string | null;
  /** "also", "add": beside what is there, not in its stead. */
  adds: boolean;
  /** "split by", "break it down by": a series keeps its time. */
  divides: boolean;
  /** What "without the state", "remove payout" take away: fields of conditions, and measures. */
  removed: string[];
  /** What "instead of buyer" and "as a rate" say of the answer before. */
  replaced: string[];
  asRate: boolean;
  /** What "remove Texas" takes away is one of several values, or the only one. */
  takesOut: boolean;
  /** "What about connected": in the place of the fact that was asked of, where "only connected" would be one more. */
  turns: boolean;
  /** "Payout instead": the figure that ranked is no longer shown. */
  instead: boolean;
  /** "As numbers": no shares and no running totals any more. */
  plain: boolean;
  /** "Just the total", "remove the breakdown": no groups any more. */
  ungroups: boolean;
  /** "No minimum": no bounds on the groups' figures any more. */
  unbounds: boolean;
  /** "In that period": of the answer before. */
  keepsPeriod: boolean;
  /** "And the month before?": the unit of time that the period goes back by. */
  movesBack: RunningGrain | "period" | null;
  /** "List them": the records behind the figures of the answer before. */
  listsThem: boolean;
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
  compareTo: null,
  againstPrevious: false,
  order: null,
  ofQuality: false,
  limit: null,
  ranked: null,
  each: new Set(),
  limitPer: null,
  adds: false,
  divides: false,
  removed: [],
  replaced: [],
  asRate: false,
  takesOut: false,
  turns: false,
  instead: false,
  plain: false,
  ungroups: false,
  unbounds: false,
  keepsPeriod: false,
  movesBack: null,
  listsThem: false,
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
  !draft.againstPrevious &&
  draft.compareTo === null &&
  draft.removed.length === 0 &&
  !draft.asRate &&
  !draft.listsThem &&
  !draft.plain &&
  !draft.ungroups &&
  !draft.unbounds &&
  !draft.keepsPeriod &&
  draft.movesBack === null &&
  draft.order === null &&
  draft.limit === null;

/** How many groups a ranking shows where no number is said. */
export const defaultTop = 10;
/** How many records a list shows where no number is said. */
export const mostListed = 100;
