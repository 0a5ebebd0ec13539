import type { Clock } from "../../ingest/clock.ts";
import type { FallbackReason } from "../answer.ts";
import type { ModelReport, Usage } from "../planning.ts";

export interface Message {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

export interface Completion {
  /** The form as the model filled it, unchecked; null where it did not, or not with JSON. */
  readonly reply: unknown;
  readonly usage: Pick<Usage, "input_tokens" | "output_tokens">;
}

/** A JSON Schema with the name of its form. */
export interface Form {
  readonly title: string;
  readonly description: string;
}

/** Ways to make a server fill in a form, the surest first: a tool that must be called, a JSON Schema, or words. */
export const replyWays = ["tools", "json_schema", "json"] as const;
export type ReplyWay = (typeof replyWays)[number];

export interface Filling {
  readonly form: Form;
  readonly signal: AbortSignal;
  /** Called with the form as far as it is written, where the server streams it; null before its first field. */
  readonly onPartial?: ((partial: unknown) => void) | undefined;
}

/** A language model that answers by filling a form; it throws `ModelError`. */
export interface Model {
  complete(messages: readonly Message[], filling: Filling): Promise<Completion>;
}

/** The dependencies of the model's planner and of its summaries. */
export interface ModelDeps {
  readonly model: Model;
  readonly clock: Clock;
  /** The deadline for all requests of one question, and the SQL that is tried for it. */
  readonly deadlineMs: number;
  /** Called with failures of the server, which contain nothing of the question. */
  onTrouble(error: ModelError): void;
  /** Called for each question or summary that is for the model. */
  onPlanned?(planned: ModelReport): void;
}

/** `refused_request`: this request alone, such as for its length or its words. */
export type ModelErrorCode = Exclude<FallbackReason, "no_valid_answer">;

/** Has no cause on purpose: a server's error can contain the key or the question. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly code: ModelErrorCode;
  /** The server's `Retry-After`; null without one. */
  readonly retryAfter: string | null;
  constructor(code: ModelErrorCode, message: string, retryAfter: string | null = null) {
    super(message);
    this.code = code;
    this.retryAfter = retryAfter;
  }
}
