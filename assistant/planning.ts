import type { QueryResult } from "../warehouse/warehouse.ts";
import { planAfterSql } from "./after-sql.ts";
import type { Answer, Fallback, FallbackReason } from "./answer.ts";
import type { Plan } from "./plan.ts";
import type { Linking } from "./planner/link/name-index.ts";
import { planQuestion } from "./planner/offline.ts";
import type { Outcome } from "./planner/outcome.ts";
import type { StandingPlan } from "./standing-plan.ts";

/** Tokens sent to a model and written by it, over all requests for one answer. */
export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly requests: number;
}

/** A turn of the conversation that was answered by a plan, or by SQL that a model wrote. */
export interface PastTurn {
  readonly question: string;
  /** The reading of the question in words; empty where it is not known. */
  readonly reading: string;
  readonly plan?: Plan | undefined;
  readonly sql?: string | undefined;
}

/** A question with an answer that the organization approved, its period in words. */
export interface Example {
  readonly question: string;
  readonly plan: StandingPlan;
}

export interface Planning {
  readonly orgId: string;
  readonly text: string;
  /** The plan that a follow-up patches. */
  readonly previous?: Plan | undefined;
  /** The SQL that a follow-up refers to, where the answer before had no plan; `previous` is undefined then. */
  readonly previousSql?: string | undefined;
  /** The answered turns before, oldest first, of which the last one has `previous` or `previousSql`. */
  readonly turns?: readonly PastTurn[] | undefined;
  /** Reads approved answers of similar questions, for a language model; never rejects. */
  readonly examples?: (() => Promise<readonly Example[]>) | undefined;
  /** The organization's own words: a glossary and rules. Terms of the form "x = y" are replaced in `text` already. */
  readonly instructions?: string | undefined;
  readonly linking: Linking;
  readonly signal?: AbortSignal | undefined;
  /** Called with a language model's reading of the question while it is written: what there is of it so far. */
  readonly onReading?: ((words: string) => void) | undefined;
}

/** A question that no plan can express, answered by a SELECT that has been run. */
export interface Selected {
  readonly kind: "selected";
  readonly sql: string;
  readonly result: QueryResult;
  /** The model's reading of the question, in one sentence. */
  readonly reading: string;
}

export interface OtherReading {
  readonly plan: Plan;
  /** Differences of the model's plan from it, as phrases that follow "the language model". */
  readonly differences: readonly string[];
}

export interface Planned {
  readonly outcome: Outcome | Selected;
  /** The planner that understood the question. */
  readonly planner: "offline" | "llm";
  /** Set where a model was asked, also where it failed. */
  readonly usage?: Usage;
  readonly fallback?: Fallback | undefined;
  /** The rules' reading, where the model's is another. */
  readonly otherReading?: OtherReading | undefined;
  /** Sentences beside the figures, such as on words of the question that were left out. */
  readonly remarks?: readonly string[];
}

/** US dollars for a million tokens. */
export interface Prices {
  readonly input: number;
  readonly output: number;
}

export const costOf = (usage: Pick<Usage, "input_tokens" | "output_tokens">, { input, output }: Prices): number =>
  (usage.input_tokens * input + usage.output_tokens * output) / 1e6;

/** The outcome of a question for the model, or of a summary of its answer, for metrics. */
export interface ModelReport {
  readonly orgId: string;
  readonly purpose: "question" | "summary";
  /** `resting`: it was not asked, as it had failed before. `cancelled`: the client went away. */
  readonly outcome: Planned["outcome"]["kind"] | FallbackReason | "summary" | "resting" | "cancelled";
  readonly elapsedMs: number;
  readonly usage: Usage;
  /** Replies that were sent back with what was wrong. */
  readonly repairs: number;
}

/** Understands a question; never rejects. Two adapters: a model of an OpenAI-compatible server, and rules alone. */
export interface Planner {
  plan(planning: Planning): Promise<Planned>;
}

export interface Summarizing extends Pick<Planning, "orgId" | "signal"> {
  readonly question: string;
  /** The reading of the question in words. */
  readonly reading: string;
  readonly data: Answer["data"];
}

export interface Summarized {
  /** Null where the model has none whose figures the rows have. */
  readonly text: string | null;
  readonly usage: Usage;
}

/** Sums up the rows of an answer; null where they are few, or the model is left alone. Never rejects. */
export interface Summarizer {
  summarize(given: Summarizing): Promise<Summarized | null>;
}

/** The rules' reading of a question after what came before it. */
export const planByRules = ({ text, previous, previousSql, linking }: Planning): Outcome =>
  previousSql === undefined ? planQuestion({ text, previous }, linking) : planAfterSql(text, linking);

/** Plans by rules alone. */
export const offlinePlanner: Planner = {
  plan: async (planning) => ({ outcome: planByRules(planning), planner: "offline" }),
};
