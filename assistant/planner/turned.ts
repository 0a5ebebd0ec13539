import { findFlag } from "../catalog/catalog.ts";
import type { Subject } from "../catalog/field.ts";
import type { Filter, Plan } from "../plan.ts";
import type { Draft } from "./rules/draft.ts";
import { rateOf } from "./rules/share.ts";

/**
 * "Percent of calls that converted", "what about connected": the percentage of the other fact, where "only connected" is a
 * condition more. Any other follow-up stays as it is.
 */
export function turned(previous: Plan, draft: Draft, subject: Subject): Draft {
  const fact = onlyFact(draft, subject);
  if (!draft.turns || fact === undefined) return draft;
  const other = { ...draft, filters: [] };
  const isFact = ({ field }: Filter) => findFlag(subject, field) !== undefined;
  if (previous.portion.length > 0 && previous.portion.every(isFact)) return { ...other, portion: [fact] };
  if (!isRateOfFact(previous, subject)) return draft;
  const rate = fact.values[0] === true ? rateOf(subject, findFlag(subject, fact.field)?.measure ?? "") : undefined;
  return rate === undefined
    ? { ...other, measures: [subject.defaultMeasure], portion: [fact] }
    : { ...other, measures: [rate] };
}

/** A single fact, and nothing else to measure or to group by. */
function onlyFact({ filters, measures, dimensions, grain, portion }: Draft, subject: Subject): Filter | undefined {
  const [fact, other] = filters;
  const isMore = measures.length + dimensions.length + portion.length > 0 || grain !== null || other !== undefined;
  return isMore || fact === undefined || findFlag(subject, fact.field) === undefined ? undefined : fact;
}

const isRateOfFact = ({ measures: [measure, other] }: Plan, subject: Subject): boolean =>
  other === undefined && subject.flags.some((flag) => rateOf(subject, flag.measure) === measure);
