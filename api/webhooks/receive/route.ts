import type { IncomingMessage, RequestListener } from "node:http";
import type { Logger } from "pino";
import type { Clock } from "../../../ingest/clock.ts";
import type { EventLog } from "../../../ingest/log/log.ts";
import type { FailedSignIns } from "../../auth/failed-sign-ins.ts";
import type { Metrics } from "../../metrics/metrics.ts";
import type { AddressOf } from "../../serve/caller-address.ts";
import { ApiError, unauthorized, wrongCredentials } from "../../serve/errors.ts";
import { enforceLimit, type Limiters } from "../../serve/limiters.ts";
import { readText } from "../../serve/raw-body.ts";
import { jsonType, type RawAnswer, type RawExchange, withRawRoute } from "../../serve/raw-route.ts";
import { parseBody, typesByPath, type WebhookType } from "./bodies.ts";
import { parseRequest, type ReceivingWebhook } from "./change-planner.ts";
import type { Receiver } from "./receiver.ts";
import { type Exchanged, toIncomingRequest, toMessage } from "./record.ts";

export interface ReceiveRouteDeps {
  readonly receiver: Pick<Receiver, "receive">;
  /** Returns the webhook of a key, of any organization. */
  find(key: string): ReceivingWebhook | undefined;
  readonly log: Pick<EventLog, "publish">;
  readonly limiters: Limiters;
  readonly failedSignIns: FailedSignIns;
  readonly addressOf: AddressOf;
  readonly metrics: Pick<Metrics, "incomingRefused">;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly maxBodyBytes: number;
}

const path = /^\/([a-z-]+)\/?(?:\?|$)/;

/**
 * Serves incoming webhooks before Express: each request of a known webhook, a refused one too, has its record in the log
 * before it is answered. A request without a valid key, or beyond its organization's rate limit, is counted and leaves no
 * record: a client without a key or with one leaked key must not fill the stores.
 */
export const withReceiveRoute = (deps: ReceiveRouteDeps, next: RequestListener): RequestListener =>
  withRawRoute(
    {
      match: (url) => typesByPath.get(path.exec(url)?.[1] ?? ""),
      methods: ["POST"],
      answer: (exchange, type) => answerAndRecord(deps, exchange, type),
      logger: deps.logger,
      errorMessage: "incoming webhook failed",
    },
    next,
  );

async function answerAndRecord(deps: ReceiveRouteDeps, exchange: RawExchange, type: WebhookType): Promise<RawAnswer> {
  const { request } = exchange;
  const beganAt = deps.clock.now();
  const signedIn = { address: deps.addressOf(request), scheme: "svc_auth_key" } as const;
  const received = await deps.failedSignIns.attempt(signedIn, () => findWebhook(deps, request));
  const limitHeaders = await countAgainstLimit(deps, exchange, received);
  const parsed: ParsedSoFar = { text: null, transactionId: null, callId: null };
  const answer = await receive(deps, request, { type, received, parsed }).catch(exchange.toAnswer);
  const { method = "", url = "", headers } = request;
  const record = toIncomingRequest({
    webhook: received.webhook,
    ...parsed,
    answer: { ...answer, headers: { ...answer.headers, ...limitHeaders } },
    beganAt,
    endedAt: deps.clock.now(),
    request: { method, url, headers, sourceIp: deps.addressOf(request) },
  });
  await deps.log.publish([toMessage(record)]);
  return answer;
}

/** Only the query authenticates, no header. */
function findWebhook({ find, metrics }: ReceiveRouteDeps, { url = "" }: IncomingMessage): ReceivingWebhook {
  const query = new URLSearchParams(url.split(/\?(.*)/s, 2)[1]);
  const [key = "", ...more] = query.getAll("svc_auth_key");
  const received = more.length === 0 && key !== "" ? find(key) : undefined;
  if (received !== undefined) return received;
  metrics.incomingRefused("key");
  const message = "svc_auth_key is missing or belongs to no webhook.";
  throw key === "" ? unauthorized(message) : wrongCredentials(message);
}

/** Counts before the path is checked: a key is limited on any of the four. */
const countAgainstLimit = (
  { limiters, metrics }: ReceiveRouteDeps,
  { response }: RawExchange,
  { config }: ReceivingWebhook,
): Promise<Readonly<Record<string, string>>> =>
  enforceLimit(limiters, { group: "webhooks", key: config.organization.id, response }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 429) metrics.incomingRefused("rate_limit");
    throw error;
  });

/** The parts of a request that were read before it was answered or refused, for its record. */
type ParsedSoFar = { -readonly [Name in "text" | "transactionId" | "callId"]: Exchanged[Name] };

interface Receiving {
  readonly type: WebhookType;
  readonly received: ReceivingWebhook;
  readonly parsed: ParsedSoFar;
}

async function receive(
  deps: ReceiveRouteDeps,
  request: IncomingMessage,
  { type, received, parsed }: Receiving,
): Promise<RawAnswer> {
  const { webhook } = received;
  if (webhook.type !== type) throw unauthorized(`This svc_auth_key is of a webhook for ${pathOf(webhook.type)}.`);
  parsed.text = await readText(request, deps.maxBodyBytes);
  const body = parseRequest(type, parseBody(parsed.text, request.headers["content-type"]));
  parsed.transactionId = body.given.transaction_id;
  const { status, body: text, callId, isReplayed } = await deps.receiver.receive({ ...received, body });
  parsed.callId = callId;
  return { status, headers: { ...jsonType, ...(isReplayed ? { "Idempotent-Replayed": "true" } : {}) }, body: text };
}

const pathOf = (type: WebhookType): string => `/${type.replace("_", "-")}`;
