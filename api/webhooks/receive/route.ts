import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Logger } from "pino";
import type { Clock } from "../../../ingest/clock.ts";
import type { EventLog } from "../../../ingest/log/log.ts";
import type { FailedSignIns } from "../../auth/failed-sign-ins.ts";
import type { Metrics } from "../../metrics/metrics.ts";
import type { AddressOf } from "../../serve/caller-address.ts";
import { toErrorAnswer } from "../../serve/error-answers.ts";
import { ApiError, methodNotAllowed, unauthorized, wrongCredentials } from "../../serve/errors.ts";
import { countRequest, type Limiters } from "../../serve/limiters.ts";
import { readText } from "../../serve/raw-body.ts";
import { requestIdOf } from "../../serve/request-log.ts";
import { parseBody, typesByPath, type WebhookType } from "./bodies.ts";
import { type ReceivingWebhook, understand } from "./change-planner.ts";
import type { Receiver } from "./receiver.ts";
import { type Exchanged, toIncomingRequest, toMessage } from "./record.ts";

export interface ReceiveRouteDeps {
  readonly receiver: Pick<Receiver, "receive">;
  /** The webhook of a key, whosever it is. */
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
const allow = "POST, OPTIONS";
const jsonType = { "Content-Type": "application/json; charset=utf-8" };

/**
 * The receiver of customers' systems, in front of Express: each request of a webhook that is recognised, a refused one
 * too, has its record in the log before it is answered. A request without a valid key, or beyond its organization's rate
 * limit, is counted and leaves no record: whoever has no key or one leaked key must not fill the stores (semantics 12).
 */
export function receiving(deps: ReceiveRouteDeps, others: RequestListener): RequestListener {
  return (request, response) => {
    const type = typesByPath.get(path.exec(request.url ?? "")?.[1] ?? "");
    if (type === undefined) return others(request, response);
    void serveWebhook(deps, { request, response, type });
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly type: WebhookType;
}
type Answer = Exchanged["answer"];

async function serveWebhook(deps: ReceiveRouteDeps, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const requestId = requestIdOf(request);
  response.setHeader("X-Request-Id", requestId);
  const refuse = (error: unknown): Answer => {
    const { status, headers, body } = toErrorAnswer(error);
    if (status >= 500) deps.logger.error({ err: error, id: requestId }, "incoming webhook failed");
    return { status, headers: { ...jsonType, ...headers }, body: JSON.stringify(body) };
  };
  const answer = await answerTo(deps, exchange, refuse).catch(refuse);
  if (response.headersSent || response.destroyed) return;
  response.writeHead(answer.status, { ...answer.headers, "Content-Length": Buffer.byteLength(answer.body) });
  response.end(answer.body);
}

async function answerTo(
  deps: ReceiveRouteDeps,
  exchange: Exchange,
  refuse: (error: unknown) => Answer,
): Promise<Answer> {
  const { request } = exchange;
  if (request.method === "OPTIONS") return { status: 204, headers: { Allow: allow }, body: "" };
  if (request.method !== "POST") throw methodNotAllowed(`${request.method} ${request.url?.split("?")[0]}`, allow);
  const beganAt = deps.clock.now();
  const signedIn = { address: deps.addressOf(request), scheme: "svc_auth_key" } as const;
  const received = await deps.failedSignIns.watch(signedIn, () => findWebhook(deps, request));
  const headersOfLimit = await countAgainstLimit(deps, exchange, received);
  const heard: Heard = { text: null, transactionId: null, callId: null };
  const answer = await receive(deps, { ...exchange, received, heard }).catch(refuse);
  const whole = { ...answer, headers: { ...answer.headers, ...headersOfLimit } };
  const { method = "", url = "", headers } = request;
  const record = toIncomingRequest({
    webhook: received.webhook,
    ...heard,
    answer: whole,
    beganAt,
    endedAt: deps.clock.now(),
    request: { method, url, headers, sourceIp: deps.addressOf(request) },
  });
  await deps.log.publish([toMessage(record)]);
  return whole;
}

/** The query alone says who it is: a header does not (spec: Authentication). */
function findWebhook({ find, metrics }: ReceiveRouteDeps, { url = "" }: IncomingMessage): ReceivingWebhook {
  const query = new URLSearchParams(url.split(/\?(.*)/s, 2)[1]);
  const [key = "", ...more] = query.getAll("svc_auth_key");
  const received = more.length === 0 && key !== "" ? find(key) : undefined;
  if (received !== undefined) return received;
  metrics.incomingRefused("key");
  const message = "svc_auth_key is missing or belongs to no webhook.";
  throw key === "" ? unauthorized(message) : wrongCredentials(message);
}

/** The limit's headers; throws 429. Counts before the path is judged: a key is limited on any of the four. */
async function countAgainstLimit(
  { limiters, metrics }: ReceiveRouteDeps,
  { response }: Exchange,
  { config }: ReceivingWebhook,
): Promise<Readonly<Record<string, string>>> {
  const limiter = limiters.get("webhooks");
  if (limiter === undefined) return {};
  const { headers, refusal } = await countRequest(limiter, config.organization.id);
  if (refusal === null) return headers;
  metrics.incomingRefused("rate_limit");
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  throw refusal;
}

/** What has been understood of a request so far, for its record. */
interface Heard {
  text: string | null;
  transactionId: string | null;
  callId: string | null;
}
interface Hearing extends Exchange {
  readonly received: ReceivingWebhook;
  readonly heard: Heard;
}

async function receive(deps: ReceiveRouteDeps, { request, type, received, heard }: Hearing): Promise<Answer> {
  const { webhook } = received;
  if (webhook.type !== type) throw unauthorized(`This svc_auth_key is of a webhook for ${pathOf(webhook.type)}.`);
  heard.text = await readWhole(request, deps.maxBodyBytes);
  const given = parseBody(heard.text, request.headers["content-type"]);
  const body = understand(type, given);
  heard.transactionId = body.given.transaction_id;
  const { status, body: text, callId, isReplayed } = await deps.receiver.receive({ ...received, body });
  heard.callId = callId;
  return { status, headers: { ...jsonType, ...(isReplayed ? { "Idempotent-Replayed": "true" } : {}) }, body: text };
}

/** Whoever goes away before the end of the body has sent a bad request, and none of ours has failed. */
const readWhole = (request: IncomingMessage, limit: number): Promise<string> =>
  readText(request, limit).catch((error: unknown) => {
    if (!request.destroyed || error instanceof ApiError) throw error;
    throw new ApiError(400, "bad_request", "The request ended before its body did.", { cause: error });
  });

const pathOf = (type: WebhookType): string => `/${type.replace("_", "-")}`;
