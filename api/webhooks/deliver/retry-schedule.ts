import type { OutgoingRequest } from "../../../ingest/delivery.ts";

/** The part of an attempt's end that the schedule depends on. */
export interface Result {
  readonly outcome: OutgoingRequest["outcome"];
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Schedule {
  /** Pauses before attempts 2, 3, …, in milliseconds. */
  readonly pausesMs: readonly number[];
  /** Returns a number from 0 to 1, 1 excluded. */
  random(): number;
}

/** Each pause is up to so much shorter or longer, so that deliveries which failed together are not retried together. */
const jitter = 0.2;
/** Bounds of the pauses that `Retry-After` may ask for. */
const shortestAskedMs = 1000;
const longestAskedMs = 60 * 60 * 1000;

/** Too early, too slow or too many: worth another attempt, as 5xx are. */
const retryable: ReadonlySet<number> = new Set([408, 425, 429]);

/**
 * Returns when the next attempt is due, in milliseconds since 1970; null when this one was the last: it was delivered, or
 * failed for good, or the schedule has come to its end. A receiver that asks for a longer pause than the
 * schedule's gets it; a shorter one would use up the attempts.
 */
export function nextAttemptAt(
  result: Result,
  { pausesMs, random }: Schedule,
  { attempt, now }: { readonly attempt: number; readonly now: number },
): number | null {
  const pause = pausesMs[attempt - 1];
  if (pause === undefined || !isRetryable(result)) return null;
  const scheduledMs = pause * (1 - jitter + 2 * jitter * random());
  return now + Math.round(Math.max(scheduledMs, askedMs(result.headers["retry-after"], now)));
}

function isRetryable({ outcome, status }: Pick<Result, "outcome" | "status">): boolean {
  if (outcome === "network_error" || outcome === "timeout") return true;
  return outcome === "refused" && status !== null && (status >= 500 || retryable.has(status));
}

/** Milliseconds of a `Retry-After` in seconds or as a date; 0 if there is none. */
function askedMs(header: string | undefined, now: number): number {
  const text = header?.trim() ?? "";
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, shortestAskedMs), longestAskedMs);
}
