import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import ipaddr from "ipaddr.js";
import { Agent, errors as undiciErrors } from "undici";
import { BlockedAddressError, createPublicOnlyLookup, refusePrivateHost } from "./address-guard.ts";
import { createTimedConnector, type ExchangeTimer, withTimer } from "./exchange-timer.ts";

/** The part of an answer that is read. */
export const maxAnswerBytes = 64 * 1024;

/** A request to a customer's system, as it goes out. */
export interface OutboundRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** At most 64 KiB. */
  readonly body: string;
  /** True if the body was longer. */
  readonly cut: boolean;
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

  async function exchange(
    request: OutboundRequest,
    signal: AbortSignal,
    timer?: ExchangeTimer,
  ): Promise<OutboundAnswer> {
    const { method, body } = request;
    const url = new URL(request.url);
    if (!allowPrivateDestinations) refusePrivateHost(url);
    const headers = { ...(unpack ? { "accept-encoding": "gzip" } : {}), ...basicCredentials(url), ...request.headers };
    const answer = await withTimer(timer, () =>
      agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        body,
        signal,
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, inBytes(value)])),
        // The caller's signal is the deadline of the whole exchange.
        headersTimeout: 0,
        bodyTimeout: 0,
      }),
    );
    timer?.noteFirstByte();
    const flat = flatten(answer.headers);
    const isPacked = unpack && /^(x-)?gzip$/i.test(flat["content-encoding"] ?? "");
    const read = await readCapped(isPacked ? unpacked(answer.body) : answer.body);
    return { status: answer.statusCode, headers: flat, ...read };
  }

  return { exchange, close: (): Promise<void> => agent.close() };
}

/** Sends credentials of the URL as basic authentication. */
function basicCredentials({ username, password }: URL): { authorization?: string } {
  if (username === "" && password === "") return {};
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(text).toString("base64")}` };
}

/** Headers go out with one byte a character: this makes those the bytes of UTF-8. */
const inBytes = (value: string): string => Buffer.from(value, "utf8").toString("latin1");

/** Unpacks while reading, so that the cap holds for small answers that unpack without end. */
const unpacked = (body: Readable): Readable => pipeline(body, createGunzip(), () => undefined);

async function readCapped(body: Readable): Promise<{ body: string; cut: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    const bytes = chunk as Buffer;
    chunks.push(bytes.subarray(0, maxAnswerBytes - length));
    length += bytes.length;
    // Leaving the loop destroys the stream and its connection, which might send without end.
    if (length > maxAnswerBytes) break;
  }
  return { body: Buffer.concat(chunks).toString("utf8"), cut: length > maxAnswerBytes };
}

const flatten = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(", ")]));

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
  // Of a name with several addresses, each has its error.
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
