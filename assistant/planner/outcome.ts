import { findQuantity } from "../catalog/catalog.ts";
import type { Subject } from "../catalog/field.ts";
import type { Plan } from "../plan.ts";
import { faultOf } from "../plan-faults.ts";
import { goesOn } from "./goes-on.ts";
import { offTopic, withoutBefore } from "./not-understood.ts";
import { patch } from "./patch.ts";
import { type Draft, isEmpty } from "./rules/draft.ts";
import { namesSubject, type Reading } from "./rules/reading.ts";
import { isFigureOnly } from "./says-only.ts";
import { listOf, toPlan } from "./to-plan.ts";
import { isVagueRanking, isVagueState, whichFigure, whichGroup, whichRank } from "./which.ts";

export type Outcome =
  | { readonly kind: "plan"; readonly plan: Plan; readonly notes: readonly string[] }
  /** Why there is no answer. */
  | { readonly kind: "refused"; readonly sentence: string }
  | { readonly kind: "clarify"; readonly sentence: string; readonly options: readonly string[] };

/** What a reading whose every word is explained comes to: a plan, a question back, or why there is none. */
export function toOutcome(reading: Reading, previous: Plan | undefined, corrections: readonly string[]): Outcome {
  const { draft, subject, zone, now } = reading;
  if (isEmpty(draft) && !namesSubject(reading)) return { kind: "refused", sentence: offTopic };
  const follows = previous !== undefined && goesOn(reading, previous);
  if (!follows && (draft.againstPrevious || draft.asRate || draft.removed.length + draft.replaced.length > 0))
    return { kind: "refused", sentence: withoutBefore };
  if (!follows && isVagueRanking(reading)) return { kind: "clarify", ...whichRank(reading) };
  if (draft.listsThem) {
    const listed = follows && previous !== undefined ? listOf(previous, subject, draft.limit) : undefined;
    return listed === undefined
      ? { kind: "refused", sentence: withoutBefore }
      : { kind: "plan", plan: listed, notes: corrections };
  }
  const base = follows && draft.listing && previous !== undefined ? listOf(previous, subject, null) : previous;
  if (follows && base === undefined) return { kind: "refused", sentence: withoutBefore };
  const isOwn = draft.keepsPeriod && draft.measures.length > 0 && draft.dimensions.length > 0 && !draft.adds;
  const plan =
    follows && isOwn && previous !== undefined
      ? toPlan({ ...draft, period: previous.period }, { subject, zone, hasNoun: namesSubject(reading) })
      : follows && base !== undefined
        ? patch(base, isFigureOnly(reading) ? withFigure(reading) : draft, { subject, zone, now })
        : toPlan(draft, { subject, zone, hasNoun: namesSubject(reading) });
  if (plan === undefined || (!follows && isVagueState(reading) && !namesSubject(reading)))
    return { kind: "clarify", ...whichFigure(reading) };
  if (draft.order !== null && (plan.order === null || isRankedByFigure(plan, subject)))
    return { kind: "clarify", ...whichGroup(reading) };
  const fault = futureFault(plan, now) ?? faultOf(plan);
  return fault === undefined
    ? { kind: "plan", plan, notes: [...corrections, ...draft.notes] }
    : { kind: "refused", sentence: fault };
}

/** "And calls?": the noun is the figure. */
const withFigure = ({ draft, subject }: Reading): Draft =>
  draft.measures.length > 0 ? draft : { ...draft, measures: [subject.defaultMeasure] };

/** A list of single records has no averages to rank them by. */
const isRankedByFigure = ({ columns, order }: Plan, subject: Subject): boolean =>
  columns.length > 0 && order !== null && order.by !== subject.time && findQuantity(subject, order.by) === undefined;

const futureFault = ({ period }: Plan, now: number): string | undefined =>
  period?.from && Date.parse(period.from) > now
    ? `${period.label} lies in the future; I can only report on what has happened.`
    : undefined;
