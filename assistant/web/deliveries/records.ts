import * as z from "zod/mini";

const text = z.nullish(z.string());
const headers = z.nullish(z.record(z.string(), z.string()));
const ms = z.nullish(z.number());

/** One attempt at an outgoing webhook, or one request to the receiver, as far as both tell the same. */
const recordSchema = z.object({
  id: z.string(),
  method: z.string(),
  path: z.string(),
  created_at: z.string(),
  query_string: text,
  body: text,
  headers,
  source_ip: text,
  response_status_code: z.nullish(z.number()),
  response_body: text,
  response_headers: headers,
  response_time_ms: ms,
  webhook_config_name: text,
  event_type_id: text,
  outgoing_webhook_config_id: text,
  webhook_config_type: text,
  transaction_id: text,
});
export type DeliveryRecord = z.infer<typeof recordSchema>;

/** A record alone, with what is known of it beside the list's fields. */
export const wholeRecordSchema = z.extend(recordSchema, {
  url: text,
  call_id: text,
  attempt: z.nullish(z.number()),
  outcome: text,
  error: text,
  trigger: text,
  remote_address: text,
  next_attempt_at: text,
  dns_ms: ms,
  connect_ms: ms,
  first_byte_ms: ms,
});
export type WholeRecord = z.infer<typeof wholeRecordSchema>;

export const recordsSchema = z.object({
  data: z.array(recordSchema),
  meta: z.object({ total: z.number(), next_cursor: z.nullish(z.string()) }),
});
export const redeliveredSchema = z.object({ delivery_id: z.string() });

export type Direction = "outgoing" | "incoming";
export const listPath = (direction: Direction): string => `/v1/webhooks/${direction}-requests`;
export const recordPath = (direction: Direction, id: string): string =>
  `${listPath(direction)}/${encodeURIComponent(id)}`;

/** How a record ended, in a word and a tone. */
export const toOutcome = ({ response_status_code: status }: Pick<DeliveryRecord, "response_status_code">) => {
  if (status == null) return { label: "no answer", tone: "bad" } as const;
  return { label: String(status), tone: status < 300 ? "good" : "bad" } as const;
};

/** What a record is about: the event of one that was sent, the kind of one that came. */
export const subjectOf = ({ event_type_id: event, webhook_config_type: type }: DeliveryRecord): string =>
  event ?? type ?? "request";

/** JSON laid out over lines; anything else as it came. */
export const layOut = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
};
