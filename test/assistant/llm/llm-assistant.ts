import { onTestFinished } from "vitest";
import { type Asked, createAssistant } from "../../../assistant/assistant.ts";
import type { ModelError } from "../../../assistant/llm/model.ts";
import { type OpenAiOptions, openOpenAiModel } from "../../../assistant/llm/model-openai.ts";
import { createLlmPlanner } from "../../../assistant/llm/planner-llm.ts";
import { createSummarizer } from "../../../assistant/llm/summarizer.ts";
import type { ModelReport } from "../../../assistant/planning.ts";
import type { GuardedWarehouse } from "../../../warehouse/guarded/guarded.ts";
import { orgOne } from "../../make.ts";
import { aPlan } from "../a-plan.ts";
import { now, zone } from "../example-data.ts";
import { openOpenAiServer, type Step, type Supports } from "./openai-server.ts";

export const key = "sk-a-key-that-nobody-may-see";

export interface Given {
  readonly deadlineMs?: number;
  readonly sendValues?: boolean;
  /** True to sum larger results up. */
  readonly sumsUp?: boolean;
  readonly supports?: Supports;
  readonly options?: Partial<OpenAiOptions>;
}

/** An assistant whose model is a server that does these steps. */
export async function openLlmAssistant(warehouse: GuardedWarehouse, steps: readonly Step[], given: Given = {}) {
  const { deadlineMs = 100_000, sendValues = true, sumsUp = false, supports, options } = given;
  const server = await openOpenAiServer(steps, supports);
  onTestFinished(() => server.close());
  const troubles: ModelError[] = [];
  const reports: ModelReport[] = [];
  const onTrouble = (error: ModelError) => void troubles.push(error);
  const onPlanned = (report: ModelReport) => void reports.push(report);
  const time = { now };
  const clock = { now: () => time.now, sleep: () => Promise.resolve() };
  const model = openOpenAiModel({ apiKey: key, baseUrl: server.url, model: "recorded", ...options });
  const planner = createLlmPlanner({
    model,
    guarded: warehouse.guarded,
    clock,
    onTrouble,
    onPlanned,
    engine: "DuckDB",
    sendValues,
    deadlineMs,
  });
  const summarizer = createSummarizer({ model, clock, deadlineMs, onTrouble, onPlanned });
  const assistant = createAssistant({ warehouse, clock, planner, ...(sumsUp ? { summarizer } : {}) });
  const ask = (question: string, more: Partial<Asked> = {}) =>
    assistant.ask({ orgId: orgOne, timeZone: zone, question, ...more });
  return { ask, server, troubles, reports, time };
}

/** The form that a model fills, with a plan in it: its times are of the organization's zone. */
export const planReply = (change: object = {}) => {
  const { zone: _, ...plan } = aPlan(change);
  return { kind: "plan", reading: "Calls.", plan };
};
export const planStep = (change: object = {}): Step => ({ arguments: planReply(change) });
export const sqlReply = (sql: string): Step => ({ arguments: { kind: "sql", reading: "A try.", sql } });
