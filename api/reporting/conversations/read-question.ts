import { isDeepStrictEqual } from "node:util";
import type { Assistant } from "../../../assistant/assistant.ts";
import type { Plan } from "../../../assistant/plan.ts";
import type { OrgId } from "../../../ingest/primitives.ts";

export interface QuestionReading {
  readonly assistant: Pick<Assistant, "planInTurn">;
  readonly orgId: OrgId;
  readonly timeZone: string;
}

/** What a question means by itself; null where it cannot be read. */
export const readQuestion = (query: string, { assistant, orgId, timeZone }: QuestionReading): Promise<Plan | null> =>
  assistant.planInTurn({ orgId, timeZone, questions: [query] });

/** Whether a question by itself means a plan, whatever the dates of the plan's periods are today. */
export async function readsAs(question: string, plan: Plan, reading: QuestionReading): Promise<boolean> {
  const read = await readQuestion(question, reading);
  return read !== null && isDeepStrictEqual(undated(read), undated(plan));
}

/** With the words of its periods alone. */
const undated = ({ period, compare, ...plan }: Plan) => ({
  ...plan,
  period: period?.label ?? null,
  compare: compare?.label ?? null,
});
