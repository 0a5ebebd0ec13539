import { z } from "zod";
import { timestamp } from "../../ingest/primitives.ts";
import { isPaused, type PauseState } from "./pause.ts";

/** Health of a failing webhook; null of one that works. */
export const healthSchema = z
  .object({
    /** Start of an unbroken run of failures. */
    failing_since: timestamp,
    /** True once a delivery has used up the whole retry schedule since then. */
    exhausted: z.boolean(),
    /** True if the webhook was paused for it: after that, failures count anew. */
    paused: z.boolean(),
    next_probe_at: timestamp.nullable(),
  })
  .nullable();
export type Health = z.infer<typeof healthSchema>;

export const deliveryStates = ["ok", "failing", "paused"] as const;
/** `gone`: it answered 410; `failing`: no attempt has succeeded for long; `requested`: somebody paused it. */
export const pauseReasons = ["gone", "failing", "requested"] as const;
type PauseReason = (typeof pauseReasons)[number];

/** The platform as an actor in `paused_by` and in the audit log. */
export const systemActor = { type: "system", id: "deliver", name: "Webhook delivery" } as const;
export const pausedBySystem = `${systemActor.type}:${systemActor.id}`;

export interface WebhookState {
  readonly pause?: PauseState | null | undefined;
  /** Undefined in documents older than the field. */
  readonly health?: Health | undefined;
}

/** Returns why deliveries are paused; null if they are not. */
export function pauseReasonOf({ pause }: WebhookState, now: number): PauseReason | null {
  if (!isPaused(pause, now)) return null;
  const own = pause?.paused_by === pausedBySystem ? pauseReasons.find((each) => each === pause.reason) : undefined;
  return own ?? "requested";
}

/** Returns the read-only fields of the answer that show the state. */
export function deliveryStateOf(state: WebhookState, now: number) {
  const delivery_reason = pauseReasonOf(state, now);
  const isOld = state.health?.paused === true && delivery_reason !== "failing";
  const health = isOld ? null : state.health;
  const delivery_state: (typeof deliveryStates)[number] =
    delivery_reason !== null ? "paused" : health ? "failing" : "ok";
  const next_probe_at = delivery_reason === "failing" ? (health?.next_probe_at ?? null) : null;
  return { delivery_state, delivery_reason, failing_since: health?.failing_since ?? null, next_probe_at };
}
