import { z } from "zod";
import { timestamp } from "../../ingest/primitives.ts";
import { isPaused, type PauseState } from "./pause.ts";

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
