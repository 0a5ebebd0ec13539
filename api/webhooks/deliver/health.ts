import { z } from "zod";
import { isoTime } from "../../../ingest/clock.ts";
import { timestamp } from "../../../ingest/primitives.ts";
import { isPaused, type PauseState } from "../../config/pause.ts";

/** What is known of a webhook that fails; null of one that works. */
export const healthSchema = z
  .object({
    /** Every attempt since then has failed. */
    failing_since: timestamp,
    /** Whether a delivery has gone through the whole schedule since then. */
    exhausted: z.boolean(),
    /** Whether the webhook was paused for it: after that, failing counts anew. */
    paused: z.boolean(),
    next_probe_at: timestamp.nullable(),
  })
  .nullable();
export type Health = z.infer<typeof healthSchema>;

export const deliveryStates = ["ok", "failing", "paused"] as const;
/** `gone`: it answered 410; `failing`: nothing has worked for long; `requested`: somebody paused it. */
export const pauseReasons = ["gone", "failing", "requested"] as const;
type PauseReason = (typeof pauseReasons)[number];

/** What `paused_by` and the audit log call the platform itself. */
export const systemActor = { type: "system", id: "deliver", name: "Webhook delivery" } as const;
export const pausedBySystem = `${systemActor.type}:${systemActor.id}`;

export interface WebhookState {
  readonly pause?: PauseState | null | undefined;
  /** Missing in documents that are older than the field. */
  readonly health?: Health | undefined;
}

/** Why deliveries wait; null when they do not. */
export function pauseReasonOf({ pause }: WebhookState, now: number): PauseReason | null {
  if (!isPaused(pause, now)) return null;
  const own = pause?.paused_by === pausedBySystem ? pauseReasons.find((each) => each === pause.reason) : undefined;
  return own ?? "requested";
}

/** The read-only fields that show it. */
export function deliveryStateOf(state: WebhookState, now: number) {
  const delivery_reason = pauseReasonOf(state, now);
  const isOld = state.health?.paused === true && delivery_reason !== "failing";
  const health = isOld ? null : state.health;
  const delivery_state = delivery_reason !== null ? "paused" : health ? "failing" : "ok";
  const next_probe_at = delivery_reason === "failing" ? (health?.next_probe_at ?? null) : null;
  return { delivery_state, delivery_reason, failing_since: health?.failing_since ?? null, next_probe_at };
}

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
