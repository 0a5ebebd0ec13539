import ipaddr from "ipaddr.js";
import { Agent, type Dispatcher, errors as undiciErrors } from "undici";
import { onAbort } from "../../ingest/on-abort.ts";
import { BlockedAddressError, createPublicOnlyLookup, refusePrivateHost } from "./address-guard.ts";
import { createAnswerReader, type OutboundAnswer } from "./answer-reader.ts";
import { createTimedConnector, type ExchangeTimer } from "./exchange-timer.ts";

/** A request to a customer's system, as it goes out. */
export interface OutboundRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: string;
  /** The parsed `url`, where that is at hand. */
  readonly address?: URL | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface HttpClientOptions {
  readonly allowPrivateDestinations: boolean;
  /** Connections to one origin; more requests wait for a free one. */
  readonly connections: number;
  /** Time for which an idle connection is kept, unless its server says less; the library's few seconds by default. */
  readonly keepAliveMs?: number;
  /** Accepts and unpacks gzip. */
  readonly unpack?: boolean;
}

/** The end of a whole exchange: so many milliseconds from its start, or when a signal aborts. */
export type ExchangeEnd = number | AbortSignal;

/** An exchange that took longer than it may. */
class DeadlineError extends Error {
  override readonly name = "TimeoutError";
}

/**
 * A client for requests to customers' systems over pooled connections: to public addresses only unless private ones are
 * allowed, without following redirects, reading the answer up to a cap. `faultOf` classifies what `exchange` throws.
 */
export function createHttpClient({ allowPrivateDestinations, connections, ...options }: HttpClientOptions) {
  const { keepAliveMs, unpack = false } = options;
  const agent = new Agent({
    connections,
    pipelining: 1,
    ...(keepAliveMs === undefined ? {} : { keepAliveTimeout: keepAliveMs }),
    connect: createTimedConnector(allowPrivateDestinations ? undefined : createPublicOnlyLookup()),
  });

  async function exchange(request: OutboundRequest, end: ExchangeEnd, timer?: ExchangeTimer): Promise<OutboundAnswer> {
    const { method, body } = request;
    const url = request.address ?? new URL(request.url);
    if (!allowPrivateDestinations) refusePrivateHost(url);
    const headers: Record<string, string> = {};
    if (unpack) headers["accept-encoding"] = "gzip";
    Object.assign(headers, basicCredentials(url), request.headers);
    for (const name in headers) headers[name] = inBytes(headers[name] ?? "");
    const options: Dispatcher.DispatchOptions = {
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      body,
      headers,
      // The caller's end is that of the whole exchange.
      headersTimeout: 0,
      bodyTimeout: 0,
    };
    return new Promise((resolve, reject) => {
      const { handler, stop } = createAnswerReader({ unpack, timer, onAnswer: resolve, onEnd: () => forget(), reject });
      const forget = endWith(end, stop);
      agent.dispatch(options, handler);
    });
  }

  return { exchange, close: (): Promise<void> => agent.close() };
}

/** Calls `stop` with the reason when the exchange has to end; returns what calls that off. */
function endWith(end: ExchangeEnd, stop: (reason: Error) => void): () => void {
  if (typeof end !== "number") {
    if (!end.aborted) return onAbort(end, () => stop(end.reason));
    queueMicrotask(() => stop(end.reason));
    return () => undefined;
  }
  const deadline = setTimeout(() => stop(new DeadlineError(`no complete answer within ${end} ms`)), end);
  return () => clearTimeout(deadline);
}

/** Sends credentials of the URL as basic authentication. */
function basicCredentials({ username, password }: URL): { authorization?: string } {
  if (username === "" && password === "") return {};
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(text).toString("base64")}` };
}

/** Headers go out with one byte a character: this makes those the bytes of UTF-8. */
const inBytes = (value: string): string =>
  /^[\x20-\x7e]*$/.test(value) ? value : Buffer.from(value, "utf8").toString("latin1");

export interface Fault {
  /**
   * No answer in time; a private address; an invalid request; no connection; a broken connection; an answer that cannot
   * be unpacked.
   */
  readonly kind: "timeout" | "blocked" | "invalid" | "unconnected" | "broken" | "unreadable";
  readonly message: string;
}

/** Classifies an error of `exchange`; the message names no addresses, which may be inside a network. */
export function faultOf(error: unknown): Fault {
  const { kind, message } = describe(error);
  return { kind, message: withoutAddresses(message) };
}

/** Messages of the system and of libraries contain addresses. */
const withoutAddresses = (text: string): string =>
  text.replace(/[^\s,;()[\]"']+/g, (word) => (isAddress(word.replace(/[.:]$/, "")) ? "the address" : word));

const isAddress = (word: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(word.replace(/:\d+$/, "")) || ipaddr.IPv6.isValid(word);

function describe(error: unknown): Fault {
  if (!(error instanceof Error)) return { kind: "broken", message: String(error) };
  if (error instanceof BlockedAddressError) return { kind: "blocked", message: error.message };
  if (error.name === "TimeoutError" || error instanceof undiciErrors.ConnectTimeoutError) {
    return { kind: "timeout", message: error.message };
  }
  const code = "code" in error ? String(error.code) : "";
  if (invalidRequestCodes.has(code) || error instanceof URIError) return { kind: "invalid", message: error.message };
  // A host with several addresses has an error for each.
  const text = error instanceof AggregateError ? error.errors.map(String).join("; ") : error.message;
  return { kind: kindOf(code), message: code === "" ? text : `${text} (${code})` };
}

function kindOf(code: string): Fault["kind"] {
  if (code.startsWith("Z_")) return "unreadable";
  return neverConnected.test(code) ? "unconnected" : "broken";
}

/** Codes of the system and of TLS for connections that failed before anything was sent. */
const neverConnected =
  /^(ECONNREFUSED|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO)/;

/** The library's codes for requests with an invalid address, header or length, which it does not send. */
const invalidRequestCodes: ReadonlySet<string> = new Set([
  "ERR_INVALID_URL",
  "UND_ERR_INVALID_ARG",
  "UND_ERR_NOT_SUPPORTED",
  "UND_ERR_REQ_CONTENT_LENGTH_MISMATCH",
]);
