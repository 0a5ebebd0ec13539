import type { PingAnswer } from "./pinger.ts";

/** What an execution says about the state of a buyer's endpoint; nothing where none of it was the endpoint's doing. */
export type Health =
  | { readonly kind: "well" }
  | { readonly kind: "unknown" }
  /** `retryAfter` is the header of a 429. */
  | { readonly kind: "ill"; readonly retryAfter: string | null };

/** By the last request that was sent: no answer, 5xx and 429 are failures; any other answer is none (semantics 8.7). */
export function healthOf(last: PingAnswer | null): Health {
  if (last === null) return { kind: "unknown" };
  if (last.kind === "answered") {
    const { status, headers } = last;
    if (status < 500 && status !== 429) return { kind: "well" };
    return { kind: "ill", retryAfter: status === 429 ? (headers["retry-after"] ?? null) : null };
  }
  switch (last.fault.kind) {
    case "timeout":
    case "unconnected":
    case "broken":
      return { kind: "ill", retryAfter: null };
    case "unreadable":
      return { kind: "well" };
    case "blocked":
    case "invalid":
      return { kind: "unknown" };
  }
}
