import { z } from "zod";
import { orgId, timestamp, wellFormedText } from "./primitives.ts";

const text = wellFormedText.nullable().default(null);
const headers = z.record(wellFormedText, wellFormedText).default({});

/** What both directions record of one HTTP exchange (spec: Webhook delivery records). */
const exchange = {
  v: z.literal(1).default(1),
  id: wellFormedText.min(1),
  org_id: orgId,
  call_id: text,
  body: text,
  headers,
  query_string: text,
  method: wellFormedText,
  path: wellFormedText,
  source_ip: text,
  /** null when no answer came. */
  response_status_code: z.number().int().nullable().default(null),
  response_body: text,
  response_headers: headers,
  response_time_ms: z.number().int().min(0).nullable().default(null),
  created_at: timestamp,
  updated_at: timestamp,
  webhook_config_name: text,
};

/** How an attempt ended; the first three mean that an answer came. */
export const deliveryOutcomes = [
  "delivered",
  "refused",
  "gone",
  "timeout",
  "network_error",
  "blocked",
  "invalid",
] as const;

/** One attempt at one outgoing webhook. */
export const outgoingRequestSchema = z.object({
  kind: z.literal("outgoing"),
  ...exchange,
  outgoing_webhook_config_id: wellFormedText,
  event_type_id: wellFormedText,
  /** The call event that it tells of. */
  event_id: text,
  /** The whole address after the template was filled. */
  url: wellFormedText,
  attempt: z.number().int().min(1),
  outcome: z.enum(deliveryOutcomes),
  /** In words, when no answer came. */
  error: text,
  /** null when this attempt was the last. */
  next_attempt_at: timestamp.nullable().default(null),
});
export type OutgoingRequest = z.infer<typeof outgoingRequestSchema>;

/** One request that an external system made of the inbound-webhook receiver, refused ones too. */
export const incomingRequestSchema = z.object({
  kind: z.literal("incoming"),
  ...exchange,
  incoming_webhook_config_id: wellFormedText,
  webhook_config_type: text,
  call_log_id: text,
  transaction_id: text,
});
export type IncomingRequest = z.infer<typeof incomingRequestSchema>;
