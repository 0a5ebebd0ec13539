import { findQuantity } from "../catalog/catalog.ts";
import type { Subject } from "../catalog/field.ts";
import type { Plan } from "../plan.ts";
import { faultOf } from "../plan-faults.ts";
import { offTopic } from "./not-understood.ts";
import { isEmpty } from "./rules/draft.ts";
import { namesSubject, type Reading } from "./rules/reading.ts";
import { toPlan } from "./to-plan.ts";
import { isVagueRanking, isVagueState, whichFigure, whichGroup, whichRank } from "./which.ts";

export type Outcome =
  | { readonly kind: "plan"; readonly plan: Plan; readonly notes: readonly string[] }
  /** What the catalog tells of what can be asked, with questions that go on from there. */
  | { readonly kind: "explained"; readonly sentence: string; readonly options: readonly string[] }
  /** Why there is no answer. */
  | { readonly kind: "refused"; readonly sentence: string }
  | { readonly kind: "clarify"; readonly sentence: string; readonly options: readonly string[] };

const refused = (sentence: string): Outcome => ({ kind: "refused", sentence });

/** What a reading whose every word is explained comes to: a plan, a question back, or why there is none. */
export function toOutcome(reading: Reading, corrections: readonly string[]): Outcome {
  const { draft, subject, now } = reading;
  const hasNoun = namesSubject(reading);
  if (isEmpty(draft) && !hasNoun) return refused(offTopic);
  if (isVagueRanking(reading)) return { kind: "clarify", ...whichRank(reading) };
  const plan = toPlan(draft, { ...reading, hasNoun });
  if (plan === undefined || (isVagueState(reading) && !hasNoun)) return { kind: "clarify", ...whichFigure(reading) };
  if (draft.order !== null && (plan.order === null || isRankedByFigure(plan, subject)))
    return { kind: "clarify", ...whichGroup(reading) };
  const fault = futureFault(plan, now) ?? faultOf(plan);
  return fault === undefined ? { kind: "plan", plan, notes: [...corrections, ...draft.notes] } : refused(fault);
}

/** A list of single records has no averages to rank them by. */
const isRankedByFigure = ({ columns, order }: Plan, subject: Subject): boolean =>
  columns.length > 0 && order !== null && order.by !== subject.time && findQuantity(subject, order.by) === undefined;

const futureFault = ({ period }: Plan, now: number): string | undefined =>
  period?.from && Date.parse(period.from) > now
    ? `${period.label} lies in the future; I can only report on what has happened.`
    : undefined;
