import type { QueryResult } from "../warehouse/warehouse.ts";
import type { Plan } from "./plan.ts";
import type { Linking } from "./planner/link/linking.ts";
import { planQuestion } from "./planner/offline.ts";
import type { Outcome } from "./planner/outcome.ts";

/** What a model was sent and what it wrote, over all times it was asked for one answer. */
export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly requests: number;
}

export interface Planning {
  readonly orgId: string;
  readonly text: string;
  /** The plan that a follow-up patches. */
  readonly previous?: Plan | undefined;
  readonly linking: Linking;
  readonly signal?: AbortSignal | undefined;
}

/** What no plan can say, and a SELECT did: it has been run. */
export interface Selected {
  readonly kind: "selected";
  readonly sql: string;
  readonly result: QueryResult;
  /** How the question was read, in one sentence. */
  readonly reading: string;
}

export interface Planned {
  readonly outcome: Outcome | Selected;
  /** Who understood the question. */
  readonly planner: "offline" | "llm";
  /** Where a model was asked, whatever came of it. */
  readonly usage?: Usage;
}

/** Understands a question. Two adapters: a model behind a server of OpenAI's kind, and rules alone. Never rejects. */
export interface Planner {
  plan(planning: Planning): Promise<Planned>;
}

/** Rules alone: no network, no guess. */
export const offlinePlanner: Planner = {
  plan: async ({ text, previous, linking }) => ({
    outcome: planQuestion({ text, previous }, linking),
    planner: "offline",
  }),
};
