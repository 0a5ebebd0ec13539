import { v7 as uuidv7 } from "uuid";
import { isoTime } from "../../../ingest/clock.ts";
import type { OutgoingRequest } from "../../../ingest/delivery.ts";
import type { CallEvent } from "../../../ingest/event.ts";
import type { Resource } from "../../config/registry.ts";
import type { Exchange } from "./send.ts";
import type { FilledRequest } from "./template.ts";

/** Headers whose values are credentials: the history shows that they were sent, not what they are. */
const secretHeader = /auth|cookie|credential|(api|access|auth|subscription)[-_]?key|token|secret|signature|passw/i;

export interface Attempt {
  readonly event: CallEvent;
  readonly webhook: Resource<"outgoing_webhook">;
  readonly request: FilledRequest;
  readonly exchange: Exchange;
  readonly attempt: number;
  /** When it began and ended, ms. */
  readonly beganAt: number;
  readonly endedAt: number;
}

/** The history's record of one attempt (spec: Webhook delivery records). */
export function toOutgoingRequest({ event, webhook, request, exchange, ...times }: Attempt): OutgoingRequest {
  const url = URL.canParse(request.url) ? new URL(request.url) : null;
  return {
    ...{ kind: "outgoing", v: 1, id: uuidv7(), org_id: event.org_id, call_id: event.call_id, event_id: event.id },
    ...{ outgoing_webhook_config_id: webhook.id, webhook_config_name: webhook.name },
    event_type_id: webhook.event_type_id,
    ...{ method: request.method, url: withoutPassword(request.url, url), path: url?.pathname ?? request.url },
    query_string: url && url.search.length > 1 ? url.search.slice(1) : null,
    ...{ headers: maskSecrets(request.headers), body: request.body, source_ip: null },
    ...{ attempt: times.attempt, outcome: exchange.outcome, error: exchange.error, next_attempt_at: null },
    ...{ response_status_code: exchange.status, response_body: exchange.body },
    ...{ response_headers: maskSecrets(exchange.headers), response_time_ms: exchange.elapsedMs },
    ...{ created_at: isoTime(times.beganAt), updated_at: isoTime(times.endedAt) },
  };
}

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
    ...{ url: cut(record.url), path: cut(record.path), query_string: cutOrNull(record.query_string) },
    ...{ headers: cutHeaders(record.headers), body: cutOrNull(record.body), error: cutOrNull(record.error) },
    ...{ response_headers: cutHeaders(record.response_headers), response_body: cutOrNull(record.response_body) },
  };
}

function withoutPassword(text: string, url: URL | null): string {
  if (url === null || url.password === "") return text;
  const masked = new URL(url);
  masked.password = "***";
  return masked.toString();
}

/** The same headers, `***` in place of credentials. */
export const maskSecrets = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, secretHeader.test(name) ? "***" : value]));
