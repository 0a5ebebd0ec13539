import type { Answer } from "../../../assistant/answer.ts";
import type { Assistant } from "../../../assistant/assistant.ts";
import { parsePlan } from "../../../assistant/parse-plan.ts";
import type { Plan } from "../../../assistant/plan.ts";
import { toStandingPlan } from "../../../assistant/standing-plan.ts";
import { type OrgId, unreachable } from "../../../ingest/primitives.ts";
import { type QueryDeps, zoneOf } from "../conversations/query-operation.ts";
import { meansPlan, planOfQuestion, type QuestionContext } from "../conversations/question-plans.ts";
import type { SavedDoc, SavedQuestion } from "./saved-rows.ts";

type Reading = QuestionContext & { readonly assistant: Pick<Assistant, "planOfToday"> };

/**
 * Returns a plan as it is stored, so that relative periods move with time: as a standing plan if the words of its period
 * give that period, read now or at its end for an older answer; else, such as for a comparison, as the question if that
 * is read as the plan; else as it is, with its dates.
 */
export async function toSavedPlan(
  plan: Plan,
  { query, now, ...reading }: Reading & { readonly query: string; readonly now: number },
): Promise<SavedDoc["plan"]> {
  const standing = toStandingPlan(plan, now) ?? (plan.period && toStandingPlan(plan, Date.parse(plan.period.to)));
  if (standing) return { kind: "standing", plan: standing };
  return query !== "" && (await meansPlan(query, plan, reading)) ? { kind: "asked" } : { kind: "fixed", plan };
}

/** Returns the plan to run now; null if it can no longer be run. */
export async function toRunnable({ plan, query }: SavedDoc, reading: Reading): Promise<Plan | null> {
  switch (plan.kind) {
    case "standing":
      return reading.assistant.planOfToday(plan.plan, reading.timeZone);
    case "asked":
      return planOfQuestion(query, reading);
    case "fixed":
      return plan.plan;
    default:
      return unreachable(plan);
  }
}

/** A saved question that can no longer be run, or is deleted. */
export class QuestionGoneError extends Error {
  override readonly name = "QuestionGoneError";
}

export interface AnswerDeps {
  readonly assistant: Pick<Assistant, "ask" | "planOfToday" | "planInTurn">;
  readonly snapshot: QueryDeps["snapshot"];
}

/** Returns the plan that answers a saved question today; null if it can no longer be run. */
export async function planToday(deps: AnswerDeps, orgId: OrgId, { doc }: SavedQuestion): Promise<Plan | null> {
  const reading = { assistant: deps.assistant, orgId, timeZone: zoneOf(deps, orgId) };
  return doc && parsePlan(await toRunnable(doc, reading));
}

/** Answers a saved question by its plan, over present data and dates; throws `QuestionGoneError`. */
export async function answerSaved(
  deps: AnswerDeps,
  { orgId, saved, signal }: { readonly orgId: OrgId; readonly saved: SavedQuestion; readonly signal: AbortSignal },
): Promise<Answer> {
  const plan = await planToday(deps, orgId, saved);
  if (plan === null)
    throw new QuestionGoneError(`The saved question ${saved.id} can no longer be run: ask and save it again.`);
  const question = saved.doc?.query || saved.name;
  return deps.assistant.ask({ orgId, timeZone: zoneOf(deps, orgId), question, plan, signal });
}

/** The plan of the examples in the OpenAPI document. */
export const examplePlan = {
  subject: "calls",
  measures: ["revenue"],
  dimensions: ["campaign"],
  grain: null,
  filters: [],
  having: [],
  period: null,
  zone: "UTC",
  compare: null,
  order: null,
  limit: null,
  columns: [],
};
