import { isoTime } from "../../../ingest/clock.ts";
import { type Health, pauseReasonOf, type WebhookState } from "../../config/delivery-state.ts";
import { admits, afterFailure, type CircuitBreaker, scheduleProbe } from "../../outbound/circuit-breaker.ts";

export interface HealthTerms {
  /** A webhook is paused when it has failed for so long without a success, and a delivery of it for good. */
  readonly pauseAfterMs: number;
  readonly probeEveryMs: number;
}

/** The end of an attempt. */
export interface AttemptEnd {
  readonly result: "delivered" | "gone" | "failed";
  /** True if it was the last of its schedule. */
  readonly exhausted: boolean;
  /** The first failure after the last success, as far as this process knows. */
  readonly failingSince: number;
  readonly now: number;
}

export type Verdict =
  | { readonly kind: "none" }
  | { readonly kind: "note"; readonly health: Health }
  | { readonly kind: "pause"; readonly reason: "gone" | "failing"; readonly health: Health }
  | { readonly kind: "resume" };

/** Failures of a shorter time are not written into the webhook. */
const worthNotingMs = 60_000;

const none: Verdict = { kind: "none" };

/** Returns the change of a webhook after an attempt: its circuit breaker opens and closes by pausing and resuming it. */
export function assess(state: WebhookState, attempt: AttemptEnd, terms: HealthTerms): Verdict {
  if (attempt.result === "delivered" && !state.pause && !state.health) return none;
  const reason = pauseReasonOf(state, attempt.now);
  if (attempt.result === "delivered") {
    if (reason === "failing") return { kind: "resume" };
    return state.health ? { kind: "note", health: null } : none;
  }
  if (reason !== null) return none;
  if (attempt.result === "gone") return { kind: "pause", reason: "gone", health: null };
  const before = state.health?.paused ? null : (state.health ?? null);
  const health = before ?? firstHealth(attempt);
  if (health === null) return none;
  const exhausted = health.exhausted || attempt.exhausted;
  const breaker = afterFailure(toBreaker(health), attempt.now, {
    openMs: terms.probeEveryMs,
    trips: ({ failingSince }) => exhausted && failingSince !== null && attempt.now - failingSince >= terms.pauseAfterMs,
  });
  if (breaker.state === "open") {
    const next_probe_at = isoTime(breaker.probeAt);
    return { kind: "pause", reason: "failing", health: { ...health, exhausted, paused: true, next_probe_at } };
  }
  return before?.exhausted === exhausted ? none : { kind: "note", health: { ...health, exhausted } };
}

function firstHealth({ failingSince, exhausted, now }: AttemptEnd): Health {
  if (!exhausted && now - failingSince < worthNotingMs) return null;
  return { failing_since: isoTime(failingSince), exhausted: false, paused: false, next_probe_at: null };
}

/** Failures are not counted: a webhook that fails is written when its state changes, not with each of them. */
function toBreaker({ paused, next_probe_at, failing_since }: NonNullable<Health>): CircuitBreaker {
  if (paused && next_probe_at !== null) return { state: "open", probeAt: Date.parse(next_probe_at) };
  return { state: "closed", failures: 0, failingSince: Date.parse(failing_since) };
}

/** Moves the next probe of a webhook that is paused for failing, for the one who sends it; null when none is due. */
export function nextProbe(health: Health | undefined, now: number, { probeEveryMs }: HealthTerms): Health {
  if (health == null) return null;
  const breaker = toBreaker(health);
  if (breaker.state === "closed" || !admits(breaker, now)) return null;
  const scheduled = scheduleProbe(breaker, now + probeEveryMs);
  return scheduled.state === "open" ? { ...health, next_probe_at: isoTime(scheduled.probeAt) } : null;
}
