import { isoTime } from "../../ingest/clock.ts";
import type { OutgoingRequest } from "../../ingest/delivery.ts";
import type { CallEvent } from "../../ingest/event.ts";
import type { Resource } from "../config/registry.ts";
import { maskSecrets } from "../outbound/mask-secrets.ts";
import { placeholdersOf } from "../outbound/webhook-placeholders.ts";
import { deliveryIdOf } from "../webhooks/deliver/record.ts";
import { errorClassOf } from "../webhooks/deliver/send.ts";
import { type FilledRequest, fillRequest } from "../webhooks/deliver/template.ts";
import type { Campaign } from "./organization.ts";
import { between, chance, fold, logNormal, pickWeighted, type Random } from "./random.ts";

type Webhook = Resource<"outgoing_webhook">;

/** Pauses before attempts 2, 3, …, each taken ±20 %. */
const retryAfterMs = [5, 30, 120, 600, 3600, 21_600, 86_400].map((seconds) => seconds * 1000);
const answerWithinMs = 10_000;
const minute = 60_000;

/** Every attempt at every webhook that the campaign attached to the call's events, none of them after `now`. */
export function deliveriesOf(
  random: Random,
  { outgoing }: Campaign,
  { events, now }: { events: readonly CallEvent[]; now: number },
): OutgoingRequest[] {
  return events.flatMap((event) =>
    outgoing
      .filter(({ event_type_id }) => event_type_id === event.event)
      .flatMap((webhook) =>
        attempts(random, { webhook, event, request: fillRequest(webhook, placeholdersOf(event)) }, now),
      ),
  );
}

interface Filled {
  readonly webhook: Webhook;
  readonly event: CallEvent;
  readonly request: FilledRequest;
}

interface Attempt {
  readonly at: number;
  readonly number: number;
  readonly result: Result;
  readonly nextAt: number | null;
}

interface Result extends Pick<OutgoingRequest, "outcome" | "response_status_code" | "response_body" | "error"> {
  readonly ms: number;
}

function attempts(random: Random, filled: Filled, now: number): OutgoingRequest[] {
  const records: OutgoingRequest[] = [];
  let at: number | null = Date.parse(filled.event.occurred_at) + Math.floor(between(random, 30, 400));
  for (let number = 1; at !== null; number++) {
    const pause: number = (retryAfterMs[number - 1] ?? 0) * between(random, 0.8, 1.2);
    const nextAt: number = at + answerWithinMs + Math.floor(pause);
    // No delivery is left pending: every chain of attempts ends before now.
    const mayFail = number <= retryAfterMs.length && nextAt + answerWithinMs < now;
    const result: Result = mayFail ? draw(random, filled.webhook, { at, number, now }) : delivered(random);
    const retried: boolean = result.outcome !== "delivered" && result.response_status_code !== 422;
    records.push(toRecord(filled, { at, number, result, nextAt: retried ? nextAt : null }));
    at = retried ? nextAt : null;
  }
  return records;
}

function draw(
  random: Random,
  webhook: Webhook,
  { at, number, now }: { at: number; number: number; now: number },
): Result {
  if (isDown(webhook, at, now)) return failures[1].result(random);
  // Between 1.5 and 6.5 %: some customers' servers are shakier than others; what has failed once fails sooner again.
  const shaky = 0.015 + (Math.abs(fold(webhook.id)) % 100) / 2000;
  if (!chance(random, number === 1 ? shaky : 0.3)) return delivered(random);
  return (pickWeighted(random, failures, ({ weight }) => weight) ?? failures[0]).result(random);
}

/** One system of each organization, the one that gets completed calls, was down for three hours 23 days ago. */
function isDown({ event_type_id }: Webhook, at: number, now: number): boolean {
  const daysAgo = (now - at) / (24 * 60 * minute);
  return event_type_id === "call.completed" && daysAgo < 23 && daysAgo > 22.875;
}

function delivered(random: Random): Result {
  const ms = Math.min(logNormal(random, 95, 0.6), 4000);
  return { outcome: "delivered", response_status_code: 200, response_body: '{"ok":true}', error: null, ms };
}

const refused =
  (status: number, body: string) =>
  (random: Random): Result => ({
    outcome: "refused",
    response_status_code: status,
    response_body: body,
    error: null,
    ms: Math.min(logNormal(random, 160, 0.8), 8000),
  });

const noAnswer = (outcome: "timeout" | "network_error", error: string, ms: number) => (): Result => ({
  outcome,
  response_status_code: null,
  response_body: null,
  error,
  ms,
});

const failures = [
  { weight: 36, result: refused(500, '{"error":"internal server error"}') },
  { weight: 18, result: refused(503, "Service Unavailable") },
  { weight: 16, result: refused(429, '{"error":"too many requests"}') },
  { weight: 5, result: refused(422, '{"error":"unknown call"}') },
  { weight: 17, result: noAnswer("timeout", "no answer within 10 s", answerWithinMs) },
  { weight: 8, result: noAnswer("network_error", "connect ECONNREFUSED", 3) },
] as const;

function toRecord({ webhook, event, request }: Filled, { at, number, result, nextAt }: Attempt): OutgoingRequest {
  const { ms, ...answer } = result;
  const { pathname, search } = new URL(request.url);
  return {
    kind: "outgoing",
    v: 1,
    id: `${event.id}:${webhook.id.slice(0, 8)}:${number}`,
    org_id: event.org_id,
    call_id: event.call_id,
    body: request.body,
    headers: maskSecrets(request.headers),
    query_string: search.slice(1),
    method: request.method,
    path: pathname,
    source_ip: null,
    response_headers: responseHeaders(answer.response_status_code),
    response_time_ms: Math.floor(ms),
    created_at: isoTime(at),
    updated_at: isoTime(at + Math.floor(ms)),
    webhook_config_name: webhook.name,
    outgoing_webhook_config_id: webhook.id,
    event_type_id: webhook.event_type_id,
    event_id: event.id,
    url: request.url,
    delivery_id: deliveryIdOf(event, webhook),
    attempt: number,
    trigger: "automatic",
    error_class: errorClassOf(answer.outcome, answer.response_status_code),
    remote_address: null,
    dns_ms: null,
    connect_ms: null,
    first_byte_ms: null,
    ...answer,
    next_attempt_at: nextAt === null ? null : isoTime(nextAt),
  };
}

function responseHeaders(status: number | null): Record<string, string> {
  if (status === null) return {};
  return { "content-type": "application/json", ...(status === 429 ? { "retry-after": "5" } : {}) };
}
