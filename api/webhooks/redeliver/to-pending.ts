import type { CallEvent } from "../../../ingest/event.ts";
import { prepare, type Webhook } from "../deliver/attempt.ts";
import type { PendingRow } from "../deliver/pending-rows.ts";

export interface Again {
  /** The row's own. */
  readonly id: string;
  readonly deliveryId: string;
  readonly redeliveryId: string | null;
  readonly event: CallEvent;
  readonly webhook: Webhook;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** A delivery that somebody wants once more: it waits like one that failed, and goes through the same schedule. */
export function toPendingAgain({ id, deliveryId, redeliveryId, event, webhook, now }: Again): PendingRow {
  const { place } = prepare({ deliveryId, event, webhook, attempt: 1, trigger: "manual" });
  return {
    id,
    deliveryId,
    redeliveryId,
    orgId: event.org_id,
    webhookId: webhook.id,
    endpoint: place.endpoint,
    callId: event.call_id,
    version: event.version,
    event: JSON.stringify(event),
    manual: true,
    attempt: 0,
    queuedAt: now,
    dueAt: now,
    leasedUntil: 0,
    held: false,
    ended: false,
    untold: null,
  };
}
