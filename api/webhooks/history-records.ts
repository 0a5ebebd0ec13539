import { z } from "zod";
import { deliveryOutcomes } from "../../ingest/delivery.ts";
import { timestamp } from "../../ingest/primitives.ts";
import type { HistoryPage, HistoryRows } from "../../warehouse/history-page.ts";
import type { Row } from "../../warehouse/warehouse.ts";
import { eventTypeById } from "../config/event-types.ts";
import { pageOf, toPage } from "../serve/pages.ts";
import { toCursorText } from "./history-cursor.ts";

const text = z.string().nullable();
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

/** Records as lists show them (spec: Webhook delivery records). */
export const outgoingRecord = z.object({
  ...exchange,
  outgoing_webhook_config_id: z.string(),
  event_type_id: z.string(),
  event_type: z.object({ id: z.string(), name: z.string(), internal_name: z.string() }).nullable(),
});
export const incomingRecord = z.object({
  ...exchange,
  incoming_webhook_config_id: z.string(),
  webhook_config_type: text,
  call_log_id: text,
  transaction_id: text,
});

/** A record alone, with what is known of it beside the specification's fields. */
export const wholeOutgoingRecord = outgoingRecord.extend({
  ...{ url: z.string(), event_id: text, call_id: text, attempt: z.int(), outcome: z.enum(deliveryOutcomes) },
  ...{ error: text, next_attempt_at: timestamp.nullable() },
});
export const wholeIncomingRecord = incomingRecord.extend({ call_id: text });

export function withEventType(row: Row): Row {
  const type = eventTypeById.get(String(row.event_type_id));
  const event_type = type ? { id: type.id, name: type.name, internal_name: type.internal_name } : null;
  return { ...row, event_type };
}

/** The specification's envelope with cursors to the pages on both sides. */
export function historyPageOf(row: z.ZodType) {
  const page = pageOf(row);
  const cursors = { next_cursor: text, previous_cursor: text };
  return page.extend({ meta: page.shape.meta.extend(cursors) });
}

export function toHistoryAnswer({ rows, total, offset }: HistoryRows, { limit, direction }: HistoryPage) {
  const { data, meta } = toPage(rows, total, { limit, offset });
  const cursor = (kind: "after" | "before", row: Row | undefined) =>
    row === undefined
      ? null
      : toCursorText({ kind, direction, key: { createdAt: new Date(String(row.created_at)), id: String(row.id) } });
  return {
    data,
    meta: {
      ...meta,
      // A page before a row is short where the list begins; what follows begins with that row.
      next_offset: meta.has_more ? offset + rows.length : null,
      next_cursor: meta.has_more ? cursor("after", rows.at(-1)) : null,
      previous_cursor: offset > 0 ? cursor("before", rows[0]) : null,
    },
  };
}
