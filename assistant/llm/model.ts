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

export type ModelErrorCode = "refused_key" | "too_many_requests" | "unavailable" | "stopped";

/** Has no cause on purpose: a server's error can contain the key or the question. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly code: ModelErrorCode;
  constructor(code: ModelErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
