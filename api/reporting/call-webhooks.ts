import { z } from "zod";
import { deliveryOutcomes, deliveryTriggers } from "../../ingest/delivery.ts";
import { timestamp } from "../../ingest/primitives.ts";
import type { CallStory } from "../../warehouse/calls/call-timeline.ts";
import type { Row } from "../../warehouse/warehouse.ts";
import { pauseReasonOf } from "../config/delivery-state.ts";
import type { OrgConfig } from "../config/org-config.ts";

const text = z.string().nullable();

const attempt = z.object({
  id: z.string().describe("The id of its record in the webhook history."),
  at: timestamp,
  attempt: z.int(),
  trigger: z.enum(deliveryTriggers).nullable(),
  outcome: z.enum(deliveryOutcomes),
  response_status_code: z.int().nullable(),
  response_time_ms: z.int().nullable(),
  error: text,
  next_attempt_at: timestamp.nullable(),
});

/** The state of one outgoing webhook for one event of a call. */
export const callWebhook = z.object({
  webhook_id: z.string(),
  webhook_name: text,
  event_type_id: text,
  state: z
    .enum(["delivered", "retrying", "failed", "waiting", "not_sent"])
    .describe("waiting: the event has not come yet, or its first attempt has not; not_sent: nothing will be sent."),
  reason: z
    .enum(["event_to_come", "first_attempt_to_come", "webhook_paused", "no_such_event", "webhook_deleted"])
    .nullable()
    .describe("Why nothing was sent; null where something was."),
  attempts: z.array(attempt).describe("Oldest first."),
});
type CallWebhook = z.infer<typeof callWebhook>;

/** A request of an external system that was received for a call. */
export const callRequest = z.object({
  id: z.string().describe("The id of its record in the webhook history."),
  at: timestamp,
  webhook_id: z.string(),
  webhook_name: text,
  type: text,
  transaction_id: text,
  response_status_code: z.int().nullable(),
});

export const toReceived = ({ incoming }: CallStory) =>
  incoming.map((row) => ({
    id: row.id,
    at: row.created_at,
    webhook_id: row.incoming_webhook_config_id,
    webhook_name: row.webhook_config_name,
    type: row.webhook_config_type,
    transaction_id: row.transaction_id,
    response_status_code: row.response_status_code,
  }));

const attached = z.object({
  campaign_webhook_ids: z.array(z.string()).default([]),
  target_webhook_ids: z.array(z.string()).default([]),
});

interface WebhookSources {
  readonly story: CallStory;
  readonly config: OrgConfig | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Returns what each webhook was sent of a call, then the webhooks attached to it that nothing was sent to, and why. */
export function toCallWebhooks({ story, config, now }: WebhookSources): CallWebhook[] {
  const deliveries = new Map<string, Row[]>();
  for (const row of story.outgoing) {
    // A call may be updated many times, each a delivery of its own.
    const key = [row.outgoing_webhook_config_id, row.event_type_id, row.event_id].join(" ");
    deliveries.set(key, [...(deliveries.get(key) ?? []), row]);
  }
  const sent = [...deliveries.values()].map((rows) => toSent(rows));
  const terms = attached.safeParse(story.call.terms);
  const ids = terms.success ? [...terms.data.campaign_webhook_ids, ...terms.data.target_webhook_ids] : [];
  const unsent = [...new Set(ids)]
    .filter((id) => !sent.some(({ webhook_id }) => webhook_id === id))
    .map((id) => toUnsent(id, { story, config, now }));
  return [...sent, ...unsent];
}

function toSent(rows: readonly Row[]): CallWebhook {
  const attempts = rows.map((row) =>
    attempt.parse({ ...row, at: row.created_at, trigger: row.trigger ?? null, error: row.error ?? null }),
  );
  const [last] = rows.slice(-1);
  const isDelivered = attempts.some(({ outcome }) => outcome === "delivered");
  const isRetried = last?.next_attempt_at != null;
  return {
    webhook_id: String(last?.outgoing_webhook_config_id),
    webhook_name: last?.webhook_config_name == null ? null : String(last.webhook_config_name),
    event_type_id: String(last?.event_type_id),
    state: isDelivered ? "delivered" : isRetried ? "retrying" : "failed",
    reason: null,
    attempts,
  };
}

function toUnsent(id: string, { story, config, now }: WebhookSources): CallWebhook {
  const webhook = config?.get("outgoing_webhook", id);
  const about = { webhook_id: id, webhook_name: webhook?.name ?? null, event_type_id: webhook?.event_type_id ?? null };
  const as = (state: CallWebhook["state"], reason: CallWebhook["reason"]): CallWebhook => ({
    ...about,
    state,
    reason,
    attempts: [],
  });
  if (webhook === undefined) return as("not_sent", "webhook_deleted");
  const isOver = story.events.some(({ event }) => event === "call.completed");
  if (!story.events.some(({ event }) => event === webhook.event_type_id)) {
    return isOver ? as("not_sent", "no_such_event") : as("waiting", "event_to_come");
  }
  return as("waiting", pauseReasonOf(webhook, now) === null ? "first_attempt_to_come" : "webhook_paused");
}
