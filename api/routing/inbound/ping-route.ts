import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Logger } from "pino";
import { notReserved } from "../../../ingest/primitives.ts";
import type { InboundEndpoint } from "../../config/endpoint-index.ts";
import { toErrorAnswer } from "../../serve/error-answers.ts";
import { methodNotAllowed, notFound, ValidationError } from "../../serve/errors.ts";
import { countRequest, type Limiters, rateLimited } from "../../serve/limiters.ts";
import { readFields } from "../../serve/raw-body.ts";
import { requestIdOf } from "../../serve/request-log.ts";
import type { InboundPings } from "./inbound-pings.ts";
import { reservedIn, type Sent, sentIn } from "./parameters.ts";

export interface PingRouteDeps {
  readonly pings: Pick<InboundPings, "ping">;
  /** The endpoint of a public id: the id is all that a publisher needs to know. */
  find(publicId: string): InboundEndpoint | undefined;
  readonly limiters: Limiters;
  readonly logger: Logger;
}

const path = /^\/inbound_rtb\/([^/?]+)\/?(?:\?|$)/;
const allow = "GET, POST, OPTIONS";
const maxBodyBytes = 64 * 1024;

/**
 * Publishers' pings, which come by the thousand: in front of everything else, for Express would take several times as
 * long as the answer (architecture: RTB hot path).
 */
export function inFront(deps: PingRouteDeps, others: RequestListener): RequestListener {
  return (request, response) => {
    const publicId = path.exec(request.url ?? "")?.[1];
    if (publicId === undefined) return others(request, response);
    void servePing(deps, { request, response, publicId });
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly publicId: string;
}

async function servePing(deps: PingRouteDeps, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const requestId = requestIdOf(request);
  response.setHeader("X-Request-Id", requestId);
  try {
    if (request.method === "OPTIONS") response.writeHead(204, { Allow: allow }).end();
    else reply(response, 200, await answer(deps, exchange));
  } catch (error) {
    const { status, headers, body } = toErrorAnswer(error);
    if (status >= 500) deps.logger.error({ err: error, id: requestId }, "ping failed");
    if (response.headersSent) response.destroy();
    else {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      reply(response, status, body);
    }
  }
}

async function answer({ pings, find, limiters }: PingRouteDeps, { request, response, publicId }: Exchange) {
  const { method, url = "" } = request;
  if (method !== "GET" && method !== "POST") throw methodNotAllowed(`${method} /inbound_rtb/${publicId}`, allow);
  const endpoint = find(decodeURIComponent(publicId));
  if (endpoint === undefined) throw notFound(`The inbound RTB ${publicId}`);
  const limiter = limiters.get("rtb");
  if (limiter !== undefined) {
    const { headers, refusal } = await countRequest(limiter, endpoint.config.organization.id);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (refusal !== null) throw refusal;
  }
  const query = [...new URLSearchParams(url.slice(url.indexOf("?") < 0 ? url.length : url.indexOf("?")))];
  const body = method === "POST" ? await readFields(request, { limit: maxBodyBytes, fieldsOf: sentIn }) : [];
  refuseReserved(query, "query");
  refuseReserved(body, "body");
  const pinged = await pings.ping({ endpoint, query, body });
  if (pinged.kind === "answered") return pinged.answer;
  const { limit, retryAfterSeconds } = pinged.rate;
  const { rate_period } = endpoint.inboundRtb;
  throw rateLimited(
    `More than ${limit} pings of this endpoint in one ${rate_period}: try again in ${retryAfterSeconds} s.`,
    retryAfterSeconds,
  );
}

/** Throws 422. */
function refuseReserved(sent: Sent, where: "query" | "body"): void {
  const name = reservedIn(sent);
  if (name !== null) throw new ValidationError([{ loc: [where, name], msg: notReserved, type: "reserved_name" }]);
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response
    .writeHead(status, { "Content-Type": "application/json; charset=utf-8", "Content-Length": Buffer.byteLength(text) })
    .end(text);
}
