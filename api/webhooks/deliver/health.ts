import { isoTime } from "../../../ingest/clock.ts";
import { type Health, pauseReasonOf, type WebhookState } from "../../config/delivery-state.ts";

export interface HealthTerms {
  /** Nothing but failures for so long, and the whole schedule at least once, pauses a webhook. */
  readonly pauseAfterMs: number;
  readonly probeEveryMs: number;
}

/** How an attempt ended. */
export interface Seen {
  readonly result: "delivered" | "gone" | "failed";
  /** Whether it was the last of its schedule. */
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

/** A webhook that fails now and then is not worth a word; one that has for so long is. */
const worthNotingMs = 60_000;

const none: Verdict = { kind: "none" };

/** What an attempt means for its webhook. */
export function judge(state: WebhookState, seen: Seen, terms: HealthTerms): Verdict {
  const reason = pauseReasonOf(state, seen.now);
  if (seen.result === "delivered") {
    if (reason === "failing") return { kind: "resume" };
    return state.health ? { kind: "note", health: null } : none;
  }
  if (reason !== null) return none;
  if (seen.result === "gone") return { kind: "pause", reason: "gone", health: null };
  const before = state.health?.paused ? null : (state.health ?? null);
  const health = before ?? begin(seen);
  if (health === null) return none;
  const exhausted = health.exhausted || seen.exhausted;
  if (exhausted && seen.now - Date.parse(health.failing_since) >= terms.pauseAfterMs) {
    const next_probe_at = isoTime(seen.now + terms.probeEveryMs);
    return { kind: "pause", reason: "failing", health: { ...health, exhausted, paused: true, next_probe_at } };
  }
  return before?.exhausted === exhausted ? none : { kind: "note", health: { ...health, exhausted } };
}

function begin({ failingSince, exhausted, now }: Seen): Health {
  if (!exhausted && now - failingSince < worthNotingMs) return null;
  return { failing_since: isoTime(failingSince), exhausted: false, paused: false, next_probe_at: null };
}
