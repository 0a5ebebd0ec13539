import { v5 as uuidv5 } from "uuid";
import { isoTime } from "../../../ingest/clock.ts";
import type { DeliveryTrigger, OutgoingRequest } from "../../../ingest/delivery.ts";
import type { CallEvent } from "../../../ingest/event.ts";
import { type EventLog, LogError, type NewMessage, type Position } from "../../../ingest/log/log.ts";
import { uuidv7 } from "../../../ingest/uuid.ts";
import type { Resource } from "../../config/registry.ts";
import { maskSecrets } from "../../outbound/mask-secrets.ts";
import type { Exchange } from "./send.ts";
import type { FilledRequest } from "./template.ts";

/** One event for one webhook, at its next attempt. */
export interface Delivery {
  /** The id of all of its attempts. */
  readonly deliveryId: string;
  readonly event: CallEvent;
  readonly webhook: Pick<Resource<"outgoing_webhook">, "id" | "name" | "event_type_id">;
  /** Counts from 1. */
  readonly attempt: number;
  readonly trigger: DeliveryTrigger;
  /** The span that its attempts are parts of. Default: that within which one is made. */
  readonly traceparent?: string | undefined;
}

export interface Attempt extends Delivery {
  readonly request: FilledRequest;
  readonly exchange: Exchange;
  /** When it began and ended, ms. */
  readonly beganAt: number;
  readonly endedAt: number;
  /** Null when it was the last, ms. */
  readonly nextAt: number | null;
}

const deliveries = "5c1f6a0e-93b4-4a52-8a3c-0c7a4a5b3f10";

/** Returns the same id for the same event and webhook in every process. */
export const deliveryIdOf = (event: Pick<CallEvent, "id">, webhook: { readonly id: string }): string =>
  uuidv5(`${event.id} ${webhook.id}`, deliveries);

/** The history's record of one attempt. */
export function toOutgoingRequest({ event, webhook, request, exchange, ...about }: Attempt): OutgoingRequest {
  const url = addressOf(request);
  return {
    kind: "outgoing",
    v: 1,
    id: uuidv7(about.endedAt),
    org_id: event.org_id,
    call_id: event.call_id,
    event_id: event.id,
    outgoing_webhook_config_id: webhook.id,
    webhook_config_name: webhook.name,
    event_type_id: webhook.event_type_id,
    delivery_id: about.deliveryId,
    trigger: about.trigger,
    method: request.method,
    url: withoutPassword(request.url, url),
    path: url?.pathname ?? request.url,
    query_string: url && url.search.length > 1 ? url.search.slice(1) : null,
    headers: maskSecrets(request.headers),
    body: request.body,
    source_ip: null,
    attempt: about.attempt,
    outcome: exchange.outcome,
    error: exchange.error,
    error_class: exchange.errorClass,
    next_attempt_at: about.nextAt === null ? null : isoTime(about.nextAt),
    ...toTimings(exchange.timings),
    response_status_code: exchange.status,
    response_body: exchange.body,
    response_headers: maskSecrets(exchange.headers),
    response_time_ms: exchange.elapsedMs,
    created_at: isoTime(about.beganAt),
    updated_at: isoTime(about.endedAt),
  };
}

const addressOf = ({ address, url }: FilledRequest): URL | null =>
  address !== undefined ? address : URL.canParse(url) ? new URL(url) : null;

const toTimings = ({ remoteAddress, dnsMs, connectMs, firstByteMs }: Exchange["timings"]) => ({
  remote_address: remoteAddress,
  dns_ms: dnsMs,
  connect_ms: connectMs,
  first_byte_ms: firstByteMs,
});

/** Characters of each text that are left when a record is too large for the log; at most six bytes a character there. */
const maxTextLength = 16 * 1024;

/** A record that any log takes; where it was cut, it says so. */
export function cutToFit(record: OutgoingRequest): OutgoingRequest {
  const cut = (text: string): string => (text.length > maxTextLength ? `${text.slice(0, maxTextLength)}… [cut]` : text);
  const cutOrNull = (text: string | null) => (text === null ? null : cut(text));
  const cutHeaders = (headers: OutgoingRequest["headers"]): OutgoingRequest["headers"] =>
    JSON.stringify(headers).length > maxTextLength ? { cut: "too long to keep" } : headers;
  return {
    ...record,
    url: cut(record.url),
    path: cut(record.path),
    query_string: cutOrNull(record.query_string),
    headers: cutHeaders(record.headers),
    body: cutOrNull(record.body),
    error: cutOrNull(record.error),
    response_headers: cutHeaders(record.response_headers),
    response_body: cutOrNull(record.response_body),
  };
}

function withoutPassword(text: string, url: URL | null): string {
  if (url === null || url.password === "") return text;
  const masked = new URL(url);
  masked.password = "***";
  return masked.toString();
}

/** A call's records are in the partition of its events, so that whoever delivers those finds the records. */
const toMessage = (record: OutgoingRequest): NewMessage => ({
  topic: "webhook-deliveries",
  key: record.call_id ?? record.id,
  value: JSON.stringify(record),
});

/** Publishes records; those that are too large for the log are cut. */
export async function publishRecords(
  log: Pick<EventLog, "publish">,
  records: readonly OutgoingRequest[],
): Promise<Position[]> {
  try {
    return await log.publish(records.map(toMessage));
  } catch (error) {
    if (!(error instanceof LogError && error.code === "message_too_large")) throw error;
    const [only, ...others] = records;
    if (only === undefined) return [];
    if (others.length === 0) return log.publish([toMessage(cutToFit(only))]);
    const positions: Position[] = [];
    for (const record of records) positions.push(...(await publishRecords(log, [record])));
    return positions;
  }
}
