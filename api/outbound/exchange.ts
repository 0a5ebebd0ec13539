import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import ipaddr from "ipaddr.js";
import { Agent, errors as undiciErrors } from "undici";
import { BlockedAddressError, createPublicOnlyLookup, refusePrivateHost } from "./address-guard.ts";
import { createTimedConnector, type Watch, watched } from "./watch.ts";

/** More of an answer than this is not read. */
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
  /** What was read of it, at most 64 KiB. */
  readonly body: string;
  /** Whether there was more of it. */
  readonly cut: boolean;
}

export interface ExchangerOptions {
  readonly allowPrivateDestinations: boolean;
  /** To one origin, at the most; a request beyond them waits for one to be free. */
  readonly connections: number;
  /** How long an idle connection is kept, unless its server says less; the library's few seconds by default. */
  readonly keepAliveMs?: number;
  /** Whether gzip is asked for and unpacked. */
  readonly unpack?: boolean;
}

/**
 * Requests to customers' systems over pooled connections: to public addresses only unless told otherwise, redirects
 * not followed, the answer read up to its cap. `exchange` throws whatever went wrong: `faultOf` says what it was.
 */
export function createExchanger({ allowPrivateDestinations, connections, ...options }: ExchangerOptions) {
  const { keepAliveMs, unpack = false } = options;
  const agent = new Agent({
    connections,
    pipelining: 1,
    ...(keepAliveMs === undefined ? {} : { keepAliveTimeout: keepAliveMs }),
    connect: createTimedConnector(allowPrivateDestinations ? undefined : createPublicOnlyLookup()),
  });

  async function exchange(request: OutboundRequest, signal: AbortSignal, watch?: Watch): Promise<OutboundAnswer> {
    const { method, body } = request;
    const url = new URL(request.url);
    if (!allowPrivateDestinations) refusePrivateHost(url);
    const headers = { ...(unpack ? { "accept-encoding": "gzip" } : {}), ...basicCredentials(url), ...request.headers };
    const answer = await watched(watch, () =>
      agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        body,
        signal,
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, inBytes(value)])),
        // The deadline is the caller's, over the whole exchange; the library's own ones would only blur it.
        ...{ headersTimeout: 0, bodyTimeout: 0 },
      }),
    );
    watch?.noteFirstByte();
    const flat = flatten(answer.headers);
    const isPacked = unpack && /^(x-)?gzip$/i.test(flat["content-encoding"] ?? "");
    const read = await readCapped(isPacked ? unpacked(answer.body) : answer.body);
    return { status: answer.statusCode, headers: flat, ...read };
  }

  return { exchange, close: (): Promise<void> => agent.close() };
}

/** Credentials written into the address, as every client sends them. */
function basicCredentials({ username, password }: URL): { authorization?: string } {
  if (username === "" && password === "") return {};
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(text).toString("base64")}` };
}

/** A header goes out one byte a character; this makes those the bytes of UTF-8, so that names may be in any script. */
const inBytes = (value: string): string => Buffer.from(value, "utf8").toString("latin1");

/** Unpacked as it is read: a small answer that would grow without end is left at the cap, too. */
const unpacked = (body: Readable): Readable => pipeline(body, createGunzip(), () => undefined);

async function readCapped(body: Readable): Promise<{ body: string; cut: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    const bytes = chunk as Buffer;
    chunks.push(bytes.subarray(0, maxAnswerBytes - length));
    length += bytes.length;
    // Leaving the loop destroys the stream, and with it a connection that would go on sending.
    if (length > maxAnswerBytes) break;
  }
  return { body: Buffer.concat(chunks).toString("utf8"), cut: length > maxAnswerBytes };
}

const flatten = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(", ")]));

export interface Fault {
  /**
   * Nothing came in time; its address is not allowed; no request can be like this; no connection came about; the
   * connection broke; what came cannot be unpacked.
   */
  readonly kind: "timeout" | "blocked" | "invalid" | "unconnected" | "broken" | "unreadable";
  readonly message: string;
}

/** What an exchange failed of, in words without addresses: of a name, they may be inside a network. */
export function faultOf(error: unknown): Fault {
  const { kind, message } = describe(error);
  return { kind, message: withoutAddresses(message) };
}

/** Texts of the system and of libraries have addresses in them, of the other side and of our own. */
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
  // A name with several addresses, none of which could be reached, says so only in the parts.
  const text = error instanceof AggregateError ? error.errors.map(String).join("; ") : error.message;
  return { kind: kindOf(code), message: code === "" ? text : `${text} (${code})` };
}

function kindOf(code: string): Fault["kind"] {
  if (code.startsWith("Z_")) return "unreadable";
  return neverConnected.test(code) ? "unconnected" : "broken";
}

/** The system's codes for a connection that never was, and TLS's for one that was refused: nothing has been sent. */
const neverConnected =
  /^(ECONNREFUSED|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO)/;

/** The library's codes for what it never sent: an address, a header or a length that no request can have. */
const invalidRequestCodes: ReadonlySet<string> = new Set([
  "ERR_INVALID_URL",
  "UND_ERR_INVALID_ARG",
  "UND_ERR_NOT_SUPPORTED",
  "UND_ERR_REQ_CONTENT_LENGTH_MISMATCH",
]);
