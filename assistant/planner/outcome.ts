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
  /** What the catalog tells of what can be asked, with questions that go on from there. */
  | { readonly kind: "explained"; readonly sentence: string; readonly options: readonly string[] }
  /** Why there is no answer. */
  | { readonly kind: "refused"; readonly sentence: string }
  | { readonly kind: "clarify"; readonly sentence: string; readonly options: readonly string[] };

const refused = (sentence: string): Outcome => ({ kind: "refused", sentence });

/** What a reading whose every word is explained comes to: a plan, a question back, or why there is none. */
export function toOutcome(reading: Reading, previous: Plan | undefined, corrections: readonly string[]): Outcome {
  const { draft, subject, now } = reading;
  if (isEmpty(draft) && !namesSubject(reading)) return refused(offTopic);
  const before = previous !== undefined && goesOn(reading, previous) ? previous : undefined;
  const leans = draft.againstPrevious || draft.asRate || draft.removed.length + draft.replaced.length > 0;
  if (before === undefined && (leans || draft.listsThem)) return refused(withoutBefore);
  if (before === undefined && isVagueRanking(reading)) return { kind: "clarify", ...whichRank(reading) };
  const plan = before === undefined ? whole(reading) : following(reading, before);
  if (plan === "no list") return refused(withoutBefore);
  if (draft.listsThem && plan !== undefined) return { kind: "plan", plan, notes: corrections };
  if (plan === undefined || (before === undefined && isVagueState(reading) && !namesSubject(reading)))
    return { kind: "clarify", ...whichFigure(reading) };
  if (draft.order !== null && (plan.order === null || isRankedByFigure(plan, subject)))
    return { kind: "clarify", ...whichGroup(reading) };
  const fault = futureFault(plan, now) ?? faultOf(plan);
  return fault === undefined ? { kind: "plan", plan, notes: [...corrections, ...draft.notes] } : refused(fault);
}

/** A question by itself; undefined when it does not say what to measure. */
const whole = (reading: Reading, period = reading.draft.period): Plan | undefined =>
  toPlan({ ...reading.draft, period }, { ...reading, hasNoun: namesSubject(reading) });

/** What goes on from an answer: a list of what it counted, a question of its own in the same period, or a change to it. */
function following(reading: Reading, before: Plan): Plan | "no list" | undefined {
  const { draft, subject } = reading;
  if (draft.listsThem) return listOf(before, subject, draft.limit) ?? "no list";
  const base = draft.listing ? listOf(before, subject, null) : before;
  if (base === undefined) return "no list";
  const isOwn = draft.keepsPeriod && draft.measures.length > 0 && draft.dimensions.length > 0 && !draft.adds;
  if (isOwn) return whole(reading, before.period);
  return patch(base, isFigureOnly(reading) ? withFigure(reading) : draft, reading);
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
