import { z } from "zod";
import { deliveryOutcomes, deliveryTriggers, errorClasses, type OutgoingRequest } from "../../ingest/delivery.ts";
import { timestamp } from "../../ingest/primitives.ts";
import type { RowKey } from "../../warehouse/history/keyset.ts";
import type { Row } from "../../warehouse/warehouse.ts";
import { eventTypeById } from "../config/event-types.ts";

const text = z.string().nullable();
const ms = z.int().nullable();
const headers = z.record(z.string(), z.string()).nullable();
const exchange = {
  id: z.string(),
  body: text,
  headers,
  query_string: text,
  method: z.string(),
  path: z.string(),
  source_ip: text,
  response_status_code: z.int().nullable(),
  response_body: text,
  response_headers: headers,
  response_time_ms: z.int().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
  webhook_config_name: text,
};

/** Fields of records in lists. */
export const outgoingRecord = z
  .object({
    ...exchange,
    outgoing_webhook_config_id: z.string(),
    event_type_id: z.string(),
    event_type: z.object({ id: z.string(), name: z.string(), internal_name: z.string() }).nullable(),
  })
  .meta({ id: "Delivery" });
export const incomingRecord = z
  .object({
    ...exchange,
    incoming_webhook_config_id: z.string(),
    webhook_config_type: text,
    call_log_id: text,
    transaction_id: text,
  })
  .meta({ id: "IncomingRequest" });

/** A single record, with more fields than in lists. */
export const wholeOutgoingRecord = outgoingRecord.extend({
  url: z.string(),
  event_id: text,
  call_id: text,
  attempt: z.int(),
  outcome: z.enum(deliveryOutcomes),
  error: text,
  next_attempt_at: timestamp.nullable(),
  // Null in records that are older than these.
  delivery_id: text,
  trigger: z.enum(deliveryTriggers).nullable(),
  error_class: z.enum(errorClasses).nullable(),
  remote_address: text,
  dns_ms: ms,
  connect_ms: ms,
  first_byte_ms: ms,
});
export const wholeIncomingRecord = incomingRecord.extend({ call_id: text });

/** Adds the event type to a record; null for a type that does not exist any more. */
export function withEventType<R extends { readonly event_type_id?: unknown }>(record: R) {
  const type = eventTypeById.get(String(record.event_type_id));
  const event_type = type ? { id: type.id, name: type.name, internal_name: type.internal_name } : null;
  return { ...record, event_type };
}

/** Converts a published record to the form of the history. */
export const toWholeRecord = ({ kind: _kind, v: _v, org_id: _org, ...record }: OutgoingRequest) =>
  withEventType(record);

/** Returns the position of a record in its list. */
export const historyKeyOf = ({ created_at, id }: Row): RowKey => ({ at: new Date(String(created_at)), id: String(id) });
