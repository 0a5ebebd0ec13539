import type { StepBudget } from "../conditions/step-budget.ts";
import type { CallStats, EarlierCall } from "./call-stats.ts";
import { ask, type Compiled, createFacts, type Facts, type Subject, type Verdict } from "./filters.ts";

/** A call or a ping at one instant, by which routes are judged: what several of them ask for is found once. */
export interface Decision {
  /** Attributes for filters, without the time zone, which is the destination's. */
  readonly call: Omit<Subject, "timezone">;
  /** Null for a ping. */
  readonly callId: string | null;
  readonly stats: CallStats;
  /** Steps that all filters may take together. */
  readonly filterBudget: StepBudget;
  /** The attributes as a destination in this zone reads them. */
  factsIn(timezone: string): Facts;
  /** Judges by the filters of a destination in this zone; those that two routes lead to are asked once. */
  judgeFilters(filters: Compiled, timezone: string): Verdict;
  /** Calls of the same caller, newest first; none of an anonymous one. */
  earlierCalls(): readonly EarlierCall[];
}

export function createDecision(given: Pick<Decision, "call" | "callId" | "stats" | "filterBudget">): Decision {
  const { call, callId, stats, filterBudget } = given;
  const facts = new Map<string, Facts>();
  const verdicts = new Map<Compiled, Verdict>();
  let earlier: readonly EarlierCall[] | null = null;

  function factsIn(timezone: string): Facts {
    const known = facts.get(timezone);
    if (known !== undefined) return known;
    const made = createFacts({ ...call, timezone });
    facts.set(timezone, made);
    return made;
  }

  return {
    call,
    callId,
    stats,
    filterBudget,
    factsIn,
    judgeFilters(filters, timezone) {
      const known = verdicts.get(filters);
      if (known !== undefined) return known;
      const verdict = ask(filters, factsIn(timezone), filterBudget);
      verdicts.set(filters, verdict);
      return verdict;
    },
    earlierCalls() {
      earlier ??= call.caller === null ? [] : stats.earlierCalls(call.caller);
      return earlier;
    },
  };
}
