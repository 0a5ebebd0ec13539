import { v7 as uuidv7 } from "uuid";
import { isoTime } from "../../../ingest/clock.ts";
import type { IncomingRequest } from "../../../ingest/delivery.ts";
import type { NewMessage } from "../../../ingest/log/log.ts";
import { cutText } from "../../../ingest/primitives.ts";
import type { Resource } from "../../config/registry.ts";
import { maskSecrets } from "../../outbound/mask-secrets.ts";

/** A request of a known webhook, and its answer. */
export interface Exchanged {
  readonly webhook: Resource<"incoming_webhook">;
  readonly request: {
    readonly method: string;
    /** Path and query, as the request line has them. */
    readonly url: string;
    readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
    readonly sourceIp: string | null;
  };
  /** Null if it was not read. */
  readonly text: string | null;
  readonly transactionId: string | null;
  readonly callId: string | null;
  readonly answer: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
  /** Milliseconds since 1970. */
  readonly beganAt: number;
  readonly endedAt: number;
}

/** Characters that a record keeps: with six bytes for each at worst and the headers, any log accepts it. */
const maxBodyLength = 128 * 1024;
const maxAnswerLength = 16 * 1024;

/** Replaces what not every store can keep, and cuts. */
const storable = (text: string, maxLength: number): string => cutText(text.replaceAll("\0", "\u{fffd}"), maxLength);

/** Makes the history's record of a request, with credentials masked. */
export function toIncomingRequest({ webhook, request, answer, ...about }: Exchanged): IncomingRequest {
  const [path = "", query = ""] = request.url.split(/\?(.*)/s, 2);
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, storable([value].flat().join(", "), maxAnswerLength)]],
  );
  return {
    kind: "incoming",
    v: 1,
    id: uuidv7(),
    org_id: webhook.org_id,
    call_id: about.callId,
    call_log_id: about.callId,
    transaction_id: about.transactionId,
    body: about.text === null ? null : storable(about.text, maxBodyLength),
    headers: maskSecrets(Object.fromEntries(headers)),
    query_string: query === "" ? null : maskQuery(query),
    method: request.method,
    path,
    source_ip: request.sourceIp,
    response_status_code: answer.status,
    response_body: cutText(answer.body, maxAnswerLength),
    response_headers: { ...answer.headers },
    response_time_ms: Math.max(0, about.endedAt - about.beganAt),
    created_at: isoTime(about.beganAt),
    updated_at: isoTime(Math.max(about.beganAt, about.endedAt)),
    webhook_config_name: webhook.name,
    incoming_webhook_config_id: webhook.id,
    webhook_config_type: webhook.type,
  };
}

/** Masks secrets by their decoded names. */
function maskQuery(query: string): string {
  const masked = [...new URLSearchParams(query)].map(([name, value]) => {
    const shown = maskSecrets({ [name]: encodeURIComponent(value) })[name] ?? "";
    return `${encodeURIComponent(name)}=${shown}`;
  });
  return masked.join("&");
}

export const toMessage = (record: IncomingRequest): NewMessage => ({
  topic: "webhook-deliveries",
  key: record.id,
  value: JSON.stringify(record),
});
