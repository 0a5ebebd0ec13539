import { onTestFinished } from "vitest";
import { type Asked, createAssistant } from "../../../assistant/assistant.ts";
import type { ModelError } from "../../../assistant/llm/model.ts";
import { type OpenAiOptions, openOpenAiModel } from "../../../assistant/llm/model-openai.ts";
import { createLlmPlanner } from "../../../assistant/llm/planner-llm.ts";
import type { ModelReport } from "../../../assistant/planning.ts";
import type { GuardedWarehouse } from "../../../warehouse/guarded/guarded.ts";
import { orgOne } from "../../make.ts";
import { now, zone } from "../example-data.ts";
import { openOpenAiServer, type Step, type Supports } from "./openai-server.ts";

export const key = "sk-a-key-that-nobody-may-see";

export interface Given {
  readonly deadlineMs?: number;
  readonly sendValues?: boolean;
  readonly supports?: Supports;
  readonly options?: Partial<OpenAiOptions>;
}

/** An assistant whose model is a server that does these steps. */
export async function openLlmAssistant(warehouse: GuardedWarehouse, steps: readonly Step[], given: Given = {}) {
  const { deadlineMs = 100_000, sendValues = true, supports, options } = given;
  const server = await openOpenAiServer(steps, supports);
  onTestFinished(() => server.close());
  const troubles: ModelError[] = [];
  const reports: ModelReport[] = [];
  const time = { now };
  const clock = { now: () => time.now, sleep: () => Promise.resolve() };
  const model = openOpenAiModel({ apiKey: key, baseUrl: server.url, model: "recorded", ...options });
  const planner = createLlmPlanner({
    model,
    guarded: warehouse.guarded,
    clock,
    onTrouble: (error) => troubles.push(error),
    onPlanned: (report) => reports.push(report),
    engine: "DuckDB",
    sendValues,
    deadlineMs,
  });
  const assistant = createAssistant({ warehouse, clock, planner });
  const ask = (question: string, more: Partial<Asked> = {}) =>
    assistant.ask({ orgId: orgOne, timeZone: zone, question, ...more });
  return { ask, server, troubles, reports, time };
}

export const callsPlan = {
  subject: "calls",
  measures: ["calls"],
  dimensions: [],
  grain: null,
  filters: [],
  having: [],
  period: null,
  compare: null,
  order: null,
  limit: null,
  columns: [],
};
export const planReply = (change: object = {}) => ({
  kind: "plan",
  reading: "Calls.",
  plan: { ...callsPlan, ...change },
});
export const aPlan = (change: object = {}): Step => ({ arguments: planReply(change) });
export const sqlReply = (sql: string): Step => ({ arguments: { kind: "sql", reading: "A try.", sql } });
