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

/**
 * How an attempt ended; the first three mean that an answer came. The last two are ends without one more attempt: the
 * delivery waited for too long, or its webhook was deleted meanwhile.
 */
export const deliveryOutcomes = [
  "delivered",
  "refused",
  "gone",
  "timeout",
  "network_error",
  "blocked",
  "invalid",
  "expired",
  "cancelled",
] as const;

/** What an attempt failed of, by classes that one would count. */
export const errorClasses = [
  "http_3xx",
  "http_4xx",
  "http_5xx",
  "timeout",
  "unconnected",
  "broken",
  "unreadable",
  "blocked",
  "invalid_request",
  "invalid_template",
  "expired",
  "cancelled",
] as const;
export type ErrorClass = (typeof errorClasses)[number];

/** Why an attempt was made: its schedule; somebody asked; to see whether a webhook that was paused for failing works again. */
export const deliveryTriggers = ["automatic", "manual", "probe"] as const;
export type DeliveryTrigger = (typeof deliveryTriggers)[number];

const ms = z.number().int().min(0).nullable().default(null);

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
  /** What all attempts of one delivery share, redeliveries too; null in records that are older than the field. */
  delivery_id: text,
  /** Attempts of a redelivery count from 1 again. */
  attempt: z.number().int().min(1),
  trigger: z.enum(deliveryTriggers).default("automatic"),
  outcome: z.enum(deliveryOutcomes),
  /** null when it was delivered. */
  error_class: z.enum(errorClasses).nullable().default(null),
  /** The address that the request went to. */
  remote_address: text,
  /** Of the connection; null where the attempt needed no new one. */
  dns_ms: ms,
  connect_ms: ms,
  /** From the start of the attempt to the answer's first byte. */
  first_byte_ms: ms,
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
