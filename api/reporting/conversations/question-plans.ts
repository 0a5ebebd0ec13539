import { isDeepStrictEqual } from "node:util";
import type { Assistant } from "../../../assistant/assistant.ts";
import { parsePlan } from "../../../assistant/parse-plan.ts";
import type { Plan } from "../../../assistant/plan.ts";
import { faultOf } from "../../../assistant/plan-faults.ts";
import { readCompareWords, readPeriodWords, type Said } from "../../../assistant/standing-plan.ts";
import type { OrgId } from "../../../ingest/primitives.ts";
import { ValidationError } from "../../serve/errors.ts";

interface PlanRequest {
  readonly plan?: unknown;
  /** Words; null for all data, undefined to leave the plan's. */
  readonly period?: string | null | undefined;
  /** Words; null for none, undefined to leave the plan's. */
  readonly compare?: string | null | undefined;
}

/** Returns the plan of a request, with its periods changed by words; null without one. Throws 422 if it cannot be run. */
export function planOfRequest({ plan, period, compare }: PlanRequest, now: number): Plan | null {
  if (plan == null) return null;
  const parsed = parsePlan(plan);
  if (parsed === null) throw refuse("plan", "This is no plan that the catalog knows; send one as an answer gave it.");
  const said = { now, zone: parsed.zone };
  const dated = period === undefined ? parsed : withPeriod(parsed, period, said);
  return compare === undefined ? dated : withCompare(dated, compare, said);
}

function withPeriod(plan: Plan, words: string | null, said: Said): Plan {
  const read = words === null ? null : readPeriodWords(words, said);
  if (read === undefined)
    throw refuse(
      "period",
      'These words name no period; say it as in "last 30 days", "October 2026" or "since Monday".',
    );
  const changed = parsePlan({ ...plan, period: read, compare: null });
  if (changed === null)
    throw refuse("period", "The period is too long for the units of time, or before 2000 or after 2099.");
  return changed;
}

function withCompare(plan: Plan, words: string | null, said: Said): Plan {
  const { period } = plan;
  if (words === null) return { ...plan, compare: null };
  if (period === null) throw refuse("compare", "All data has nothing beside it to compare with; name a period first.");
  const compare = readCompareWords(words, { ...said, period });
  if (compare === undefined)
    throw refuse(
      "compare",
      'These words name no period to compare with; say "the period before", "a year earlier", or one such as "September 2026".',
    );
  const changed = { ...plan, compare };
  const fault = faultOf(changed);
  if (fault !== undefined) throw refuse("compare", fault);
  return changed;
}

const refuse = (field: string, msg: string): ValidationError =>
  new ValidationError([{ loc: ["body", field], msg, type: "value_error" }]);

export interface QuestionContext {
  readonly assistant: Pick<Assistant, "planInTurn">;
  readonly orgId: OrgId;
  readonly timeZone: string;
}

/** Returns the plan of a question by itself; null if it cannot be read. */
export const planOfQuestion = (query: string, { assistant, orgId, timeZone }: QuestionContext): Promise<Plan | null> =>
  assistant.planInTurn({ orgId, timeZone, questions: [query] });

/** Returns true if a question by itself has this plan; the dates of periods are not compared, their words are. */
export async function meansPlan(question: string, plan: Plan, reading: QuestionContext): Promise<boolean> {
  const read = await planOfQuestion(question, reading);
  return read !== null && isDeepStrictEqual(undated(read), undated(plan));
}

/** Replaces the periods of a plan by their words. */
const undated = ({ period, compare, ...plan }: Plan) => ({
  ...plan,
  period: period?.label ?? null,
  compare: compare?.label ?? null,
});
