import { z } from "zod";
import { timestamp } from "../../ingest/primitives.ts";
import { type HistoryRows, listIncomingRequests, listOutgoingRequests } from "../../warehouse/history.ts";
import type { Row, Warehouse } from "../../warehouse/warehouse.ts";
import { eventTypeById } from "../config/event-types.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";
import { pageOf, pageQuery, toPage } from "../serve/pages.ts";

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
const outgoing = z.object({
  ...exchange,
  outgoing_webhook_config_id: z.string(),
  event_type_id: z.string(),
  event_type: z.object({ id: z.string(), name: z.string(), internal_name: z.string() }).nullable(),
});
const incoming = z.object({
  ...exchange,
  incoming_webhook_config_id: z.string(),
  webhook_config_type: text,
  call_log_id: text,
  transaction_id: text,
});

/** What was sent to and received from customers' systems (spec: Webhook history). */
export function historyOperations(warehouse: Warehouse): Operation[] {
  const about = {
    method: "get",
    tag: "Webhook history",
    access: "api_key",
    limit: "api",
    query: pageQuery,
    status: 200,
    errors: [503],
  } as const;
  const read = async (rows: Promise<HistoryRows>, page: z.infer<typeof pageQuery>, toRecord: (row: Row) => Row) => {
    const found = await rows;
    return toPage(found.rows.map(toRecord), found.total, page);
  };
  return [
    defineOperation({
      ...about,
      path: "/api/v1/webhooks/outgoing-requests",
      summary: "Attempts at outgoing webhooks, by time of the attempt",
      answer: pageOf(outgoing),
      handle: ({ caller, query }) =>
        read(
          listOutgoingRequests(warehouse, caller.orgId, { ...query, direction: query.sort_direction }),
          query,
          withEventType,
        ),
    }),
    defineOperation({
      ...about,
      path: "/api/v1/webhooks/incoming-requests",
      summary: "Requests to the inbound-webhook receiver, by time of arrival",
      answer: pageOf(incoming),
      handle: ({ caller, query }) =>
        read(
          listIncomingRequests(warehouse, caller.orgId, { ...query, direction: query.sort_direction }),
          query,
          (row) => row,
        ),
    }),
  ];
}

function withEventType(row: Row): Row {
  const type = eventTypeById.get(String(row.event_type_id));
  const event_type = type ? { id: type.id, name: type.name, internal_name: type.internal_name } : null;
  return { ...row, event_type };
}
