import { ModelError } from "./model.ts";

export const statusOf = (error: unknown): number | undefined =>
  typeof error === "object" && error !== null && "status" in error && typeof error.status === "number"
    ? error.status
    : undefined;

const isRefused = (status: number | undefined): boolean => status === 400 || status === 413 || status === 422;

/** Servers answer so to a field that they do not know; some fail on it. */
export const mayFillOtherwise = (error: unknown): boolean => {
  const status = statusOf(error);
  return isRefused(status) || status === 500 || status === 501;
};

/** Turns an error of an OpenAI-compatible server into a code; its text is dropped, as that could hold the key or the question. */
export function toModelError(error: unknown, signal: AbortSignal): ModelError {
  if (signal.aborted) return new ModelError("stopped", "The language model took too long, or nobody waits for it.");
  const status = statusOf(error);
  const retryAfter = retryAfterOf(error);
  if (status === 401 || status === 403)
    return new ModelError("refused_key", `The language model's server refused OPENAI_API_KEY with ${status}.`);
  if (status === 429)
    return new ModelError(
      "too_many_requests",
      "The language model's server takes no more requests now (429).",
      retryAfter,
    );
  if (isRefused(status))
    return new ModelError("refused_request", `The language model's server refused a request with ${status}.`);
  const what = status === undefined ? "could not be reached or understood" : `answered ${status}`;
  return new ModelError("unavailable", `The language model's server ${what}.`, retryAfter);
}

const retryAfterOf = (error: unknown): string | null =>
  typeof error === "object" && error !== null && "headers" in error && error.headers instanceof Headers
    ? error.headers.get("Retry-After")
    : null;
