import type { Clock } from "../../../ingest/clock.ts";
import type { OutboundAnswer } from "../../outbound/answer-reader.ts";
import { createHttpClient, type Fault, faultOf, type OutboundRequest } from "../../outbound/http-client.ts";
import { createDeadlines } from "../../outbound/shared-deadlines.ts";

/** The result of one request to a buyer. */
export type PingAnswer =
  | ({ readonly kind: "answered" } & OutboundAnswer)
  | { readonly kind: "failed"; readonly fault: Fault };

/** Sends one request. It never throws: a failure is part of the result. Ends at the deadline, in milliseconds since 1970. */
export interface PingSender {
  send(request: OutboundRequest, deadlineAt: number): Promise<PingAnswer>;
}

/** Connections to one bidder; requests beyond them wait for one. */
const connections = 1024;
/** Idle connections stay open, to spare the next ping the handshake. */
const keepAliveMs = 30_000;

export interface PingerOptions {
  readonly allowPrivateDestinations: boolean;
  readonly clock: Clock;
}

/** Creates the HTTP client that pings go out by, with connections that stay open. */
export function createPinger({ allowPrivateDestinations, clock }: PingerOptions) {
  const deadlines = createDeadlines(clock);
  const client = createHttpClient({ allowPrivateDestinations, connections, keepAliveMs, unpack: true });
  async function exchange(request: OutboundRequest, signal: AbortSignal): Promise<PingAnswer> {
    try {
      const { status, headers, body, cut } = await client.exchange(request, signal);
      return { kind: "answered", status, headers, body, cut };
    } catch (error) {
      const fault = faultOf(error);
      return { kind: "failed", fault: signal.aborted ? { kind: "timeout", message: fault.message } : fault };
    }
  }
  const send: PingSender["send"] = (request, deadlineAt) =>
    deadlines.within(deadlineAt, (signal) => exchange(request, signal));
  return { send, close: client.close };
}

/** State of a buyer's endpoint as an execution found it; unknown where no outcome was the endpoint's doing. */
export type EndpointHealth =
  | { readonly kind: "healthy" }
  | { readonly kind: "unknown" }
  /** `retryAfter` is the header of a 429. */
  | { readonly kind: "failing"; readonly retryAfter: string | null };

/** Judges by the last request that was sent: no answer, 5xx and 429 are failures; any other answer is none. */
export function healthAfter(last: PingAnswer | null): EndpointHealth {
  if (last === null) return { kind: "unknown" };
  if (last.kind === "answered") {
    const { status, headers } = last;
    if (status < 500 && status !== 429) return { kind: "healthy" };
    return { kind: "failing", retryAfter: status === 429 ? (headers["retry-after"] ?? null) : null };
  }
  switch (last.fault.kind) {
    case "timeout":
    case "unconnected":
    case "broken":
      return { kind: "failing", retryAfter: null };
    case "unreadable":
      return { kind: "healthy" };
    case "blocked":
    case "invalid":
      return { kind: "unknown" };
  }
}
