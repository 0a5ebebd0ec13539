import type { Call } from "../../ingest/call.ts";
import { isoTime } from "../../ingest/clock.ts";
import type { IncomingRequest } from "../../ingest/delivery.ts";
import type { IncomingWebhook, Organization } from "./organization.ts";
import { between, chance, type Random, wholeBetween } from "./random.ts";

/** Requests that customers' systems post about a call to their incoming webhooks; none of them later than `now`. */
export function incomingRequestsOf(
  random: Random,
  organization: Organization,
  { call, now }: { call: Call; now: number },
): IncomingRequest[] {
  const started = Date.parse(call.started_at);
  const ended = Date.parse(call.ended_at ?? call.started_at);
  const posts: Post[] = [];
  if (chance(random, 0.05)) posts.push(callData(random, call, started));
  if (call.converted && chance(random, 0.05)) posts.push(revenue(call, ended + between(random, 5, 4000) * 60_000));
  if ("disposition" in call.tags) posts.push(disposition(call, ended + between(random, 20, 1500) * 1000));
  if (call.caller_zip !== null && chance(random, 0.03)) posts.push(zip(call, ended + between(random, 5, 600) * 1000));
  return posts.filter(({ at }) => at + 2000 < now).flatMap((post) => requestsOf(random, organization, { call, post }));
}

interface Post {
  readonly type: IncomingWebhook["type"];
  readonly at: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** Answer to it when it is taken. */
  readonly answer: Readonly<Record<string, unknown>>;
}

/** The lead form, a few seconds into the call. */
function callData(random: Random, { call_id, caller_id, tags, campaign_name, duration }: Call, started: number): Post {
  const { lead_type, age_band = null, language } = tags;
  const lead_score = wholeBetween(random, 20, 99);
  return {
    type: "call_data",
    at: started + between(random, 0.05, 0.8) * Math.max(duration ?? 1, 1) * 1000,
    body: { caller_id, lead_type, age_band, language, lead_score, custom_data: { form: campaign_name } },
    answer: { success: true, matched: true, call_id },
  };
}

/** The buyer confirms what it owes, so nothing changes. */
function revenue({ call_id, revenue, payout }: Call, at: number): Post {
  const amounts = { revenue, payout };
  return {
    type: "update_revenue",
    at,
    body: { call_id, revenue, reason: "confirmed by the buyer" },
    answer: { success: true, matched: true, call_id, before: amounts, after: amounts },
  };
}

/** The agent's disposition; the call's own tags have the same. */
function disposition({ call_id, tags }: Call, at: number): Post {
  const add = { disposition: tags["disposition"] };
  return { type: "update_tags", at, body: { call_id, add }, answer: { success: true, matched: true, call_id } };
}

function zip({ call_id, caller_zip }: Call, at: number): Post {
  const fields = { caller_zip };
  return {
    type: "update_fields",
    at,
    body: { call_id, fields },
    answer: { success: true, matched: true, call_id, ignored: [] },
  };
}

interface Exchange {
  readonly call: Call;
  readonly post: Post;
}

/** A few are refused for their key or their body; a few come twice, the second one while the first is in the works. */
function requestsOf(random: Random, { incoming }: Organization, exchange: Exchange): IncomingRequest[] {
  const { post, call } = exchange;
  const webhook = incoming.find(({ type }) => type === post.type);
  if (webhook === undefined) return [];
  const transaction = `txn-${post.type.replace("_", "-")}-${call.call_id}`;
  const about = { random, webhook, exchange, transaction };
  if (chance(random, 0.02)) return [toRecord(about, { status: 401, body: unauthorized, suffix: "refused" })];
  if (chance(random, 0.025)) return [toRecord(about, { status: 422, body: invalid, suffix: "invalid" })];
  const first = toRecord(about, { status: 200, body: post.answer, suffix: "1" });
  if (!chance(random, 0.02)) return [first];
  return [first, toRecord(about, { status: 409, body: inFlight, suffix: "2" })];
}

const unauthorized = { detail: { code: "unauthorized", message: "svc_auth_key is missing or belongs to no webhook." } };
const inFlight = { detail: { code: "conflict", message: "A request with this transaction_id is being worked on." } };
const invalid = {
  detail: [{ loc: ["body", "call_id"], msg: "call_id or caller_id is needed", type: "value_error" }],
};

function toRecord(
  about: { random: Random; webhook: IncomingWebhook; exchange: Exchange; transaction: string },
  answer: { status: number; body: unknown; suffix: string },
): IncomingRequest {
  const { random, webhook, exchange, transaction } = about;
  const { call, post } = exchange;
  const applied = answer.status === 200;
  // The repeat follows so closely that it meets the first one still in flight.
  const at = Math.floor(post.at) + (answer.status === 409 ? 12 : 0);
  const ms = wholeBetween(random, 14, 60);
  const { call_id: _call, caller_id: _caller, ...nobody } = post.body;
  return {
    kind: "incoming",
    v: 1,
    id: `${transaction}-${answer.suffix}`,
    org_id: call.org_id,
    call_id: applied ? call.call_id : null,
    call_log_id: applied ? call.call_id : null,
    body: JSON.stringify({ transaction_id: transaction, ...(answer.status === 422 ? nobody : post.body) }),
    headers: { "content-type": "application/json", "user-agent": "crm-sync/2.4" },
    query_string: "svc_auth_key=***",
    method: "POST",
    path: `/${post.type.replace("_", "-")}`,
    source_ip: `198.51.100.${wholeBetween(random, 10, 14)}`,
    transaction_id: transaction,
    response_status_code: answer.status,
    response_body: JSON.stringify(answer.body),
    response_headers: { "content-type": "application/json; charset=utf-8" },
    response_time_ms: ms,
    created_at: isoTime(at),
    updated_at: isoTime(at + ms),
    webhook_config_name: webhook.name,
    incoming_webhook_config_id: webhook.id,
    webhook_config_type: webhook.type,
  };
}
