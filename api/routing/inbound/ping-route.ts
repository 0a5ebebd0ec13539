import type { RequestListener } from "node:http";
import type { Logger } from "pino";
import { z } from "zod";
import { notReserved } from "../../../ingest/primitives.ts";
import type { InboundEndpoint } from "../../config/endpoint-index.ts";
import { notFound, ValidationError } from "../../serve/errors.ts";
import { enforceLimit, type Limiters, rateLimited, toLimitHeaders } from "../../serve/limiters.ts";
import { defineOperation, type Operation } from "../../serve/operation.ts";
import { readFields } from "../../serve/raw-body.ts";
import { type RawAnswer, type RawExchange, toJsonAnswer, withRawRoute } from "../../serve/raw-route.ts";
import type { SentPing } from "./asked-ping.ts";
import type { InboundPings, Pinged } from "./inbound-pings.ts";
import { reservedIn, type Sent, sentIn } from "./parameters.ts";
import { pingAnswerSchema } from "./ping-response.ts";

export interface PingRouteDeps {
  readonly pings: Pick<InboundPings, "ping" | "hasRoom" | "enter" | "leave">;
  /** Returns the endpoint of a public id, which is all that a publisher needs to know. */
  find(publicId: string): InboundEndpoint | undefined;
  readonly limiters: Limiters;
  readonly logger: Logger;
}

const path = /^\/inbound_rtb\/([^/?]+)\/?(?:\?|$)/;
const maxBodyBytes = 64 * 1024;

/** Serves publishers' pings before Express (architecture: RTB hot path). */
export const withPingRoute = (deps: PingRouteDeps, next: RequestListener): RequestListener =>
  withRawRoute(
    {
      match: (url) => path.exec(url)?.[1],
      methods: ["GET", "POST"],
      answer: (exchange, publicId) => answerAdmitted(deps, exchange, publicId),
      logger: deps.logger,
      errorMessage: "ping failed",
    },
    next,
  );

/**
 * Nothing is done for a request beyond the limit: what it costs is taken from the others. A request is in flight once its
 * body is here: a client that sends slowly takes no other's place.
 */
async function answerAdmitted(deps: PingRouteDeps, exchange: RawExchange, publicId: string): Promise<RawAnswer> {
  const { pings } = deps;
  if (!pings.hasRoom()) return overloaded;
  const sent = await readPing(deps, exchange, publicId);
  if (!pings.enter()) return overloaded;
  try {
    return toAnswer(exchange, await pings.ping(sent), sent);
  } finally {
    pings.leave();
  }
}

/** Reads a ping within its organization's rate limit. Throws 404, 413, 422 and 429. */
async function readPing(
  { find, limiters }: PingRouteDeps,
  { request, response }: RawExchange,
  publicId: string,
): Promise<SentPing> {
  const { method, url = "" } = request;
  const endpoint = find(decodeURIComponent(publicId));
  if (endpoint === undefined) throw notFound(`The inbound RTB ${publicId}`);
  await enforceLimit(limiters, { group: "rtb", key: endpoint.config.organization.id, response });
  const query = [...new URLSearchParams(url.slice(url.indexOf("?") < 0 ? url.length : url.indexOf("?")))];
  const body = method === "POST" ? await readFields(request, { limit: maxBodyBytes, fieldsOf: sentIn }) : [];
  refuseReserved(query, "query");
  refuseReserved(body, "body");
  return { endpoint, query, body };
}

/** Throws 429 where the endpoint has had all the pings of its period. */
function toAnswer({ response }: RawExchange, pinged: Pinged, { endpoint }: SentPing): RawAnswer {
  if (pinged.kind === "answered") return toJsonAnswer(pinged.answer);
  const { limit, retryAfterSeconds } = pinged.rate;
  const { rate_period } = endpoint.inboundRtb;
  const own = toLimitHeaders({ limit, remaining: 0, resetSeconds: retryAfterSeconds });
  for (const [name, value] of Object.entries(own)) response.setHeader(name, value);
  throw rateLimited(
    `More than ${limit} pings of this endpoint in one ${rate_period}: try again in ${retryAfterSeconds} s.`,
    retryAfterSeconds,
  );
}

/** Answer to a ping beyond those that this process can answer in time: it was not judged, and may be sent again. */
const overloaded: RawAnswer = toJsonAnswer(
  { detail: { code: "overloaded", message: "More pings come than can be answered in time: try again in 1 s." } },
  { status: 503, headers: { "Retry-After": "1" } },
);

/** Throws 422. */
function refuseReserved(sent: Sent, where: "query" | "body"): void {
  const name = reservedIn(sent);
  if (name !== null) throw new ValidationError([{ loc: [where, name], msg: notReserved, type: "reserved_name" }]);
}

const pingParameters = {
  caller_id: z
    .string()
    .optional()
    .meta({ description: "Who will call; of the United States where it names no country." }),
  zip_code: z.string().optional(),
  state: z.string().optional(),
};

const pingOperation = {
  path: "/inbound_rtb/{rtb_id}",
  tag: "RTB pings",
  access: "open",
  limit: "rtb",
  status: 200,
  apart: true,
  params: z.object({ rtb_id: z.string().meta({ description: "The inbound_rtb_id of an inbound RTB." }) }),
  answer: pingAnswerSchema,
  errors: [404, 503],
} as const;

/**
 * The ping as the API's document has it; {@link withPingRoute} serves it. Names of parameters are
 * read in any case and in many spellings; every other one becomes a tag.
 */
export const pingOperations: readonly Operation[] = [
  defineOperation({
    ...pingOperation,
    method: "get",
    name: "pingByQuery",
    changes: true,
    summary: "Ask which routes are open for a call, by query",
    query: z.object(pingParameters),
    handle: () => Promise.reject(new Error("served apart")),
  }),
  defineOperation({
    ...pingOperation,
    method: "post",
    name: "ping",
    summary: "Ask which routes are open for a call, by JSON or form",
    body: z.looseObject(pingParameters),
    bodyOptional: true,
    example: { caller_id: "+12125550123", zip_code: "10001", subid: "spring" },
    handle: () => Promise.reject(new Error("served apart")),
  }),
];
