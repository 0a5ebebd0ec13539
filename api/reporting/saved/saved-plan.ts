import type { Assistant } from "../../../assistant/assistant.ts";
import type { Plan } from "../../../assistant/plan.ts";
import { toStandingPlan } from "../../../assistant/standing-plan.ts";
import { unreachable } from "../../../ingest/primitives.ts";
import { type QuestionReading, readQuestion, readsAs } from "../conversations/read-question.ts";
import type { SavedDoc } from "./saved-rows.ts";

type Reading = QuestionReading & { readonly assistant: Pick<Assistant, "planOfToday"> };

/**
 * A plan as it is kept, so that it moves with time where its words mean that. Its period's words do, where they are that
 * period, read now or as of its end for an answer of some time ago. Where that is not all, such as in a comparison, the
 * question does, if it is read as that plan. Else the plan stays as it is, with its dates.
 */
export async function toSavedPlan(
  plan: Plan,
  { query, now, ...reading }: Reading & { readonly query: string; readonly now: number },
): Promise<SavedDoc["plan"]> {
  const standing = toStandingPlan(plan, now) ?? (plan.period && toStandingPlan(plan, Date.parse(plan.period.to)));
  if (standing) return { kind: "standing", plan: standing };
  return query !== "" && (await readsAs(query, plan, reading)) ? { kind: "asked" } : { kind: "fixed", plan };
}

/** The plan to run now; null where it is none that can be run any more. */
export async function toRunnable({ plan, query }: SavedDoc, reading: Reading): Promise<Plan | null> {
  switch (plan.kind) {
    case "standing":
      return reading.assistant.planOfToday(plan.plan, reading.timeZone);
    case "asked":
      return readQuestion(query, reading);
    case "fixed":
      return plan.plan;
    default:
      return unreachable(plan);
  }
}
