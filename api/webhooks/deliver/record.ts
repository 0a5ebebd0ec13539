import { v7 as uuidv7 } from "uuid";
import { isoTime } from "../../../ingest/clock.ts";
import type { OutgoingRequest } from "../../../ingest/delivery.ts";
import type { CallEvent } from "../../../ingest/event.ts";
import type { Resource } from "../../config/resources.ts";
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

function withoutPassword(text: string, url: URL | null): string {
  if (url === null || url.password === "") return text;
  const masked = new URL(url);
  masked.password = "***";
  return masked.toString();
}

/** The same headers, `***` in place of credentials. */
export const maskSecrets = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, secretHeader.test(name) ? "***" : value]));
