import { z } from "zod";
import { orgId, timestamp, wellFormedText } from "./primitives.ts";

const text = wellFormedText.nullable().default(null);
const headers = z.record(wellFormedText, wellFormedText).default({});

/** The fields that both directions record of one HTTP exchange. */
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
 * The outcomes of an attempt; the first three have a response. The last two end a delivery without another attempt: it
 * waited too long, or its webhook was deleted meanwhile.
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

/** The classes of errors of an attempt. */
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

/** The triggers of an attempt: the schedule, a request, or a probe of a webhook that was paused for failing. */
export const deliveryTriggers = ["automatic", "manual", "probe"] as const;
export type DeliveryTrigger = (typeof deliveryTriggers)[number];

const ms = z.number().int().min(0).nullable().default(null);

/** One attempt at one outgoing webhook. */
export const outgoingRequestSchema = z.object({
  kind: z.literal("outgoing"),
  ...exchange,
  outgoing_webhook_config_id: wellFormedText,
  event_type_id: wellFormedText,
  /** The call event that is delivered. */
  event_id: text,
  /** The whole address after the template was filled. */
  url: wellFormedText,
  /**
   * The id that all attempts of one delivery share, redeliveries too; null in records that are older than the field.
   */
  delivery_id: text,
  /** Attempts of a redelivery count from 1 again. */
  attempt: z.number().int().min(1),
  trigger: z.enum(deliveryTriggers).default("automatic"),
  outcome: z.enum(deliveryOutcomes),
  /** null when it was delivered. */
  error_class: z.enum(errorClasses).nullable().default(null),
  /** The address that the request went to. */
  remote_address: text,
  /** Times of the connection; null if the attempt used an open one. */
  dns_ms: ms,
  connect_ms: ms,
  /** Milliseconds from the start of the attempt to the response's first byte. */
  first_byte_ms: ms,
  /** The error in words, if there was no response. */
  error: text,
  /** null when this attempt was the last. */
  next_attempt_at: timestamp.nullable().default(null),
});
export type OutgoingRequest = z.infer<typeof outgoingRequestSchema>;

/** One request of an external system to the inbound-webhook receiver, refused ones too. */
export const incomingRequestSchema = z.object({
  kind: z.literal("incoming"),
  ...exchange,
  incoming_webhook_config_id: wellFormedText,
  webhook_config_type: text,
  call_log_id: text,
  transaction_id: text,
});
export type IncomingRequest = z.infer<typeof incomingRequestSchema>;
