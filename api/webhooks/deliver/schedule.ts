import type { OutgoingRequest } from "../../../ingest/delivery.ts";

/** What the schedule looks at of an attempt. */
export interface Result {
  readonly outcome: OutgoingRequest["outcome"];
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Schedule {
  /** Pauses before attempts 2, 3, …, in milliseconds. */
  readonly pausesMs: readonly number[];
  /** From 0 to 1, 1 excluded. */
  random(): number;
}

/** Each pause is up to so much shorter or longer, so that what failed together does not come back together. */
const jitter = 0.2;
/** Between these `Retry-After` is believed (semantics 8.14). */
const shortestAskedMs = 1000;
const longestAskedMs = 60 * 60 * 1000;

/** Too early, too slow or too much: what another attempt may bring, beside 5xx. */
const passing: ReadonlySet<number> = new Set([408, 425, 429]);

/**
 * When the next attempt is due, in milliseconds since 1970; null when this one was the last: it was delivered, or failed
 * of what another one would fail of, too, or the schedule has come to its end (semantics 8.14). A receiver that asks
 * for a longer pause than the schedule's gets it; a shorter one would use up the attempts.
 */
export function nextAttemptAt(
  result: Result,
  { pausesMs, random }: Schedule,
  { attempt, now }: { readonly attempt: number; readonly now: number },
): number | null {
  const pause = pausesMs[attempt - 1];
  if (pause === undefined || !mayPass(result)) return null;
  const scheduledMs = pause * (1 - jitter + 2 * jitter * random());
  return now + Math.round(Math.max(scheduledMs, askedMs(result.headers["retry-after"], now)));
}

/** Whether another attempt may fare better. */
function mayPass({ outcome, status }: Pick<Result, "outcome" | "status">): boolean {
  if (outcome === "network_error" || outcome === "timeout") return true;
  return outcome === "refused" && status !== null && (status >= 500 || passing.has(status));
}

/** A `Retry-After` in seconds or as a date; 0 where there is none. */
function askedMs(header: string | undefined, now: number): number {
  const text = header?.trim() ?? "";
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, shortestAskedMs), longestAskedMs);
}
