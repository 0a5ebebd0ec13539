import type { Usage } from "../planning.ts";

export interface Message {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

export interface Completion {
  /** What the model filled the form with, unchecked; null when that was none, or no JSON. */
  readonly reply: unknown;
  readonly usage: Pick<Usage, "input_tokens" | "output_tokens">;
}

/** A language model that answers by filling a form. Throws `ModelError`. */
export interface Model {
  complete(messages: readonly Message[], signal: AbortSignal): Promise<Completion>;
}

export type ModelErrorCode = "refused_key" | "too_many_requests" | "unavailable" | "stopped";

/** Without a cause, on purpose: what servers say of a request may hold the key or the question. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly code: ModelErrorCode;
  constructor(code: ModelErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
