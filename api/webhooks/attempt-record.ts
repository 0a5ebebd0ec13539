import { z } from "zod";
import { deliveryTriggers, errorClasses, type OutgoingRequest } from "../../ingest/delivery.ts";
import { eventTypeById } from "../config/event-types.ts";
import { wholeOutgoingRecord } from "./history-records.ts";

const ms = z.int().nullable();

/** A record of an attempt with all that is known of it. */
export const attemptRecord = wholeOutgoingRecord.extend({
  delivery_id: z.string().nullable(),
  trigger: z.enum(deliveryTriggers),
  error_class: z.enum(errorClasses).nullable(),
  remote_address: z.string().nullable(),
  ...{ dns_ms: ms, connect_ms: ms, first_byte_ms: ms },
});

export function toAttemptRecord({ kind: _kind, v: _v, org_id: _org, ...record }: OutgoingRequest) {
  const type = eventTypeById.get(record.event_type_id);
  const event_type = type ? { id: type.id, name: type.name, internal_name: type.internal_name } : null;
  return { ...record, event_type };
}
