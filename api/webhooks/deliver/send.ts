import pLimit, { type LimitFunction } from "p-limit";
import { Agent, type Dispatcher, errors as undiciErrors } from "undici";
import type { OutgoingRequest } from "../../../ingest/delivery.ts";
import { BlockedAddressError, createPublicOnlyLookup, refusePrivateHost } from "./address-guard.ts";
import type { FilledRequest } from "./template.ts";

/** The receiver answers within this time, body included (spec: Limits). */
const answerWithinMs = 10_000;
/** More of an answer than this is not read: the record keeps what came and says that it was cut. */
const maxAnswerBytes = 64 * 1024;
/** Exchanges with one origin at once; the others wait their turn, outside their deadlines (semantics 8.14). */
const perOrigin = 10;

export interface Exchange {
  readonly outcome: OutgoingRequest["outcome"];
  readonly status: number | null;
  readonly headers: Record<string, string>;
  readonly body: string | null;
  readonly error: string | null;
  readonly elapsedMs: number;
}

export interface SenderOptions {
  readonly allowPrivateDestinations: boolean;
  readonly deadlineMs?: number;
}

/** Sends requests to customers' systems over pooled connections. Redirects are not followed. */
export function createSender({ allowPrivateDestinations, deadlineMs = answerWithinMs }: SenderOptions) {
  const agent = new Agent({
    connections: perOrigin,
    pipelining: 1,
    connect: allowPrivateDestinations ? {} : { lookup: createPublicOnlyLookup() },
  });

  const turns = new Map<string, LimitFunction>();

  /** Runs the work when its origin has a place for it. */
  async function inTurn<T>(origin: string, work: () => Promise<T>): Promise<T> {
    const turn = turns.get(origin) ?? pLimit(perOrigin);
    turns.set(origin, turn);
    try {
      return await turn(work);
    } finally {
      if (turn.activeCount === 0 && turn.pendingCount === 0) turns.delete(origin);
    }
  }

  /**
   * One exchange; whatever goes wrong is the receiver's and part of the result. null when `stop` aborted before its
   * turn came: then nothing has been sent.
   */
  const send = (request: FilledRequest, stop?: AbortSignal): Promise<Exchange | null> =>
    inTurn(URL.canParse(request.url) ? new URL(request.url).origin : "", async () =>
      stop?.aborted ? null : exchangeNow(request),
    );

  async function exchangeNow(request: FilledRequest): Promise<Exchange> {
    const began = performance.now();
    const elapsedMs = () => Math.round(performance.now() - began);
    try {
      const url = new URL(request.url);
      if (!allowPrivateDestinations) refusePrivateHost(url);
      const answer = await exchange(agent, url, request, AbortSignal.timeout(deadlineMs));
      return { ...answer, outcome: outcomeOf(answer.status), error: null, elapsedMs: elapsedMs() };
    } catch (error) {
      const { outcome, message } = describe(error, deadlineMs);
      return { outcome, status: null, headers: {}, body: null, error: message, elapsedMs: elapsedMs() };
    }
  }

  return { send, close: (): Promise<void> => agent.close() };
}
export type Sender = ReturnType<typeof createSender>;

async function exchange(agent: Agent, url: URL, request: FilledRequest, signal: AbortSignal) {
  const { method, body } = request;
  const headers = Object.entries({ ...basicCredentials(url), ...request.headers });
  const answer = await agent.request({
    ...{ origin: url.origin, path: url.pathname + url.search, method, body, signal },
    headers: Object.fromEntries(headers.map(([name, value]) => [name, inBytes(value)])),
    // The deadline is ours, over the whole exchange; the library's own ones would only blur it.
    ...{ headersTimeout: 0, bodyTimeout: 0 },
  });
  return { status: answer.statusCode, headers: flatten(answer.headers), body: await readCapped(answer.body) };
}

/** Credentials written into the address, as every client sends them. */
function basicCredentials({ username, password }: URL): { authorization?: string } {
  if (username === "" && password === "") return {};
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(text).toString("base64")}` };
}

/** A header goes out one byte a character; this makes those the bytes of UTF-8, so that names may be in any script. */
const inBytes = (value: string): string => Buffer.from(value, "utf8").toString("latin1");

async function readCapped(body: Dispatcher.ResponseData["body"]): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    const bytes = chunk as Buffer;
    chunks.push(bytes.subarray(0, maxAnswerBytes - length));
    length += bytes.length;
    // Leaving the loop destroys the stream, and with it a connection that would go on sending.
    if (length > maxAnswerBytes) break;
  }
  const text = Buffer.concat(chunks).toString("utf8");
  return length > maxAnswerBytes ? `${text}… [cut after ${maxAnswerBytes} bytes]` : text;
}

function outcomeOf(status: number): Exchange["outcome"] {
  if (status >= 200 && status < 300) return "delivered";
  return status === 410 ? "gone" : "refused";
}

const flatten = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(", ")]));

function describe(error: unknown, deadlineMs: number): { outcome: Exchange["outcome"]; message: string } {
  if (!(error instanceof Error)) return { outcome: "network_error", message: String(error) };
  if (error instanceof BlockedAddressError) return { outcome: "blocked", message: error.message };
  if (error.name === "TimeoutError" || error instanceof undiciErrors.ConnectTimeoutError) {
    return { outcome: "timeout", message: `No complete answer within ${deadlineMs / 1000} s.` };
  }
  const code = "code" in error ? String(error.code) : "";
  if (invalidRequestCodes.has(code) || error instanceof URIError) {
    return { outcome: "invalid", message: `The filled template is no valid request: ${error.message}` };
  }
  // A name with several addresses, none of which could be reached, says so only in the parts.
  const text = error instanceof AggregateError ? error.errors.map(String).join("; ") : error.message;
  return { outcome: "network_error", message: code === "" ? text : `${text} (${code})` };
}

/** The library's codes for what it never sent: an address, a header or a length that no request can have. */
const invalidRequestCodes: ReadonlySet<string> = new Set([
  "ERR_INVALID_URL",
  "UND_ERR_INVALID_ARG",
  "UND_ERR_NOT_SUPPORTED",
  "UND_ERR_REQ_CONTENT_LENGTH_MISMATCH",
]);
