import type { Resource } from "../config/registry.ts";
import type { Performance } from "./call-stats.ts";

/** Rules of predictive routing, by an RTB group's own fields or a predictive routing plan's. */
export type PredictiveRules = Pick<
  Resource<"rtb_group">,
  "minimum_call_count" | "desired_hours" | "underperforming_percentage"
>;

const defaultHours = 24;
const defaultCallCount = 5;
const hourMs = 3_600_000;

/** Performance of a destination per call, and if it has had enough calls to be judged. */
export interface Measured {
  readonly measured: boolean;
  /** Conversions, and dollars, by attempt; 0 before the first. */
  readonly conversionRate: number;
  readonly earningsPerCall: number;
}

/** Returns the beginning of the window that ends at `now`, in milliseconds since 1970. */
export const measuredSince = ({ desired_hours }: PredictiveRules, now: number): number =>
  now - (desired_hours || defaultHours) * hourMs;

export function measure({ attempts, conversions, revenue }: Performance, rules: PredictiveRules): Measured {
  if (attempts === 0) return { measured: false, conversionRate: 0, earningsPerCall: 0 };
  return {
    measured: attempts >= (rules.minimum_call_count ?? defaultCallCount),
    conversionRate: conversions / attempts,
    earningsPerCall: revenue / attempts,
  };
}

/**
 * The candidates that earn too little per call beside the best measured one. Who has not been tried often enough stays,
 * and so does the best, so somebody always remains.
 */
export function underperformers<T>(candidates: ReadonlyMap<T, Performance>, rules: PredictiveRules): ReadonlySet<T> {
  const percentage = rules.underperforming_percentage ?? 0;
  const judged = [...candidates].map(([candidate, performance]) => ({ candidate, ...measure(performance, rules) }));
  const measured = judged.filter((each) => each.measured);
  const best = Math.max(0, ...measured.map((each) => each.earningsPerCall));
  if (percentage === 0 || best === 0) return new Set();
  // Both sides a hundredfold: whole percents of a best stay exact.
  const tooLittle = measured.filter((each) => each.earningsPerCall * 100 < best * (100 - percentage));
  return new Set(tooLittle.map(({ candidate }) => candidate));
}
