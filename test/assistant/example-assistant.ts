import type { Answer } from "../../assistant/answer.ts";
import { type Assistant, createAssistant } from "../../assistant/assistant.ts";
import type { GuardedWarehouse } from "../../warehouse/guarded.ts";
import { raw } from "../../warehouse/statement.ts";
import type { Row } from "../../warehouse/warehouse.ts";
import { orgOne } from "../make.ts";
import { now, openExampleWarehouse, zone } from "./example-data.ts";

export interface Example {
  readonly warehouse: GuardedWarehouse;
  readonly assistant: Assistant;
  ask(question: string, given?: { orgId?: string; timeZone?: string; previous?: Answer }): Promise<Answer>;
  /** What hand-written SQL says. */
  gold(text: string): Promise<readonly Row[]>;
  close(): Promise<void>;
}

/** The assistant over the example's data, at the example's time. */
export async function openExample(): Promise<Example> {
  const warehouse = await openExampleWarehouse();
  const assistant = createAssistant({ warehouse, clock: { now: () => now, sleep: () => Promise.resolve() } });
  return {
    warehouse,
    assistant,
    ask: (question, { orgId = orgOne, timeZone = zone, previous } = {}) =>
      assistant.ask({ orgId, timeZone, question, previousPlan: previous?.plan ?? undefined }),
    gold: async (text) => (await warehouse.query(raw(text))).rows,
    close: () => warehouse.close(),
  };
}
