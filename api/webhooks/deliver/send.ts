import { Agent, type Dispatcher, errors as undiciErrors } from "undici";
import type { OutgoingRequest } from "../../../ingest/delivery.ts";
import { BlockedAddressError, publicOnlyLookup, refusePrivateHost } from "./address-guard.ts";
import type { FilledRequest } from "./template.ts";

/** The receiver answers within this time, body included (spec: Limits). */
const deadlineMs = 10_000;
/** More of an answer than this is not read: the record keeps what came. */
const maxAnswerBytes = 64 * 1024;
/** Connections to one origin. */
const connectionsPerOrigin = 10;

export interface Exchange {
  readonly outcome: OutgoingRequest["outcome"];
  readonly status: number | null;
  readonly headers: Record<string, string>;
  readonly body: string | null;
  readonly error: string | null;
  readonly elapsedMs: number;
}

/** Sends requests to customers' systems over pooled connections. Redirects are not followed. */
export function createSender({ allowPrivateDestinations }: { readonly allowPrivateDestinations: boolean }) {
  const agent = new Agent({
    connections: connectionsPerOrigin,
    pipelining: 1,
    connect: allowPrivateDestinations ? {} : { lookup: publicOnlyLookup },
  });

  /** One exchange; whatever goes wrong is the receiver's and part of the result. */
  async function send(request: FilledRequest): Promise<Exchange> {
    const began = performance.now();
    const elapsedMs = () => Math.round(performance.now() - began);
    try {
      const url = new URL(request.url);
      if (!allowPrivateDestinations) refusePrivateHost(url);
      const answer = await exchange(agent, url, request);
      return { ...answer, outcome: outcomeOf(answer.status), error: null, elapsedMs: elapsedMs() };
    } catch (error) {
      const { outcome, message } = describe(error);
      return { outcome, status: null, headers: {}, body: null, error: message, elapsedMs: elapsedMs() };
    }
  }

  return { send, close: (): Promise<void> => agent.close() };
}
export type Sender = ReturnType<typeof createSender>;

async function exchange(agent: Agent, url: URL, { method, headers, body }: FilledRequest) {
  const signal = AbortSignal.timeout(deadlineMs);
  const answer = await agent.request({
    ...{ origin: url.origin, path: url.pathname + url.search, method, headers: { ...headers }, body, signal },
    // The deadline is ours, over the whole exchange; the library's own ones would only blur it.
    ...{ headersTimeout: 0, bodyTimeout: 0 },
  });
  return { status: answer.statusCode, headers: flatten(answer.headers), body: await readCapped(answer.body) };
}

async function readCapped(body: Dispatcher.ResponseData["body"]): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    const bytes = chunk as Buffer;
    chunks.push(bytes.subarray(0, maxAnswerBytes - length));
    length += bytes.length;
    // Leaving the loop destroys the stream, and with it a connection that would go on sending.
    if (length >= maxAnswerBytes) break;
  }
  return Buffer.concat(chunks).toString("utf8");
}

function outcomeOf(status: number): Exchange["outcome"] {
  if (status >= 200 && status < 300) return "delivered";
  return status === 410 ? "gone" : "refused";
}

const flatten = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(", ")]));

function describe(error: unknown): { outcome: Exchange["outcome"]; message: string } {
  if (!(error instanceof Error)) return { outcome: "network_error", message: String(error) };
  if (error instanceof BlockedAddressError) return { outcome: "blocked", message: error.message };
  if (error.name === "TimeoutError" || error instanceof undiciErrors.ConnectTimeoutError) {
    return { outcome: "timeout", message: `No complete answer within ${deadlineMs / 1000} s.` };
  }
  const code = "code" in error ? String(error.code) : "";
  if (code === "ERR_INVALID_URL" || error instanceof undiciErrors.InvalidArgumentError) {
    return { outcome: "invalid", message: `The filled template is no valid request: ${error.message}` };
  }
  return { outcome: "network_error", message: code === "" ? error.message : `${error.message} (${code})` };
}
