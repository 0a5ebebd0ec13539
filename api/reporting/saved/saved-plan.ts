import type { Assistant } from "../../../assistant/assistant.ts";
import type { Plan } from "../../../assistant/plan.ts";
import { toStandingPlan } from "../../../assistant/standing-plan.ts";
import { unreachable } from "../../../ingest/primitives.ts";
import { meansPlan, planOfQuestion, type QuestionContext } from "../conversations/question-plans.ts";
import type { SavedDoc } from "./saved-rows.ts";

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
