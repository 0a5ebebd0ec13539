import type { Health } from "./health.ts";

/** When a buyer that fails is left alone, and for how long (semantics 8.7). */
export interface BackoffTerms {
  /** Failures in a row that open it. */
  readonly threshold: number;
  readonly seconds: number;
}

/** Of one formula. */
export type Backoff =
  | { readonly kind: "closed"; readonly failures: number }
  /** Nothing is sent before `until`; then one execution is, to see. */
  | { readonly kind: "open"; readonly until: number; readonly probing: boolean };

export const closedBackoff = { kind: "closed", failures: 0 } as const satisfies Backoff;

export const mayTry = (backoff: Backoff, now: number): boolean =>
  backoff.kind === "closed" || (now >= backoff.until && !backoff.probing);

/** What is true once an execution has begun that `mayTry` let through. */
export const begun = (backoff: Backoff): Backoff =>
  backoff.kind === "closed" ? backoff : { ...backoff, probing: true };

export interface Ending {
  readonly terms: BackoffTerms;
  readonly now: number;
}

/** What is true once that execution has ended. What was not the endpoint's doing changes nothing. */
export function ended(backoff: Backoff, health: Health, { terms, now }: Ending): Backoff {
  switch (health.kind) {
    case "unknown":
      return backoff.kind === "open" ? { ...backoff, probing: false } : backoff;
    case "well":
      return closedBackoff;
    case "ill": {
      const failures = backoff.kind === "closed" ? backoff.failures + 1 : terms.threshold;
      const askedMs = retryAfterMs(health.retryAfter, now);
      if (failures < terms.threshold && askedMs === null) return { kind: "closed", failures };
      const waitMs = Math.max(terms.seconds * 1000, askedMs ?? 0);
      return { kind: "open", until: now + waitMs, probing: false };
    }
  }
}

/** A buyer may ask to be left alone for so long, at the most. */
const longestAskedMs = 60 * 60 * 1000;

/** Milliseconds from a `Retry-After` in seconds or as a date; null when it is neither. */
function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), longestAskedMs);
}
