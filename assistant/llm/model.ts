import type { FallbackReason } from "../answer.ts";
import type { Usage } from "../planning.ts";

export interface Message {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

export interface Completion {
  /** The form as the model filled it, unchecked; null where it did not, or not with JSON. */
  readonly reply: unknown;
  readonly usage: Pick<Usage, "input_tokens" | "output_tokens">;
}

/** A language model that answers by filling a form; it throws `ModelError`. */
export interface Model {
  complete(messages: readonly Message[], signal: AbortSignal): Promise<Completion>;
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
