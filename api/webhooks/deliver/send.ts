import pLimit, { type LimitFunction } from "p-limit";
import type { OutgoingRequest } from "../../../ingest/delivery.ts";
import { unreachable } from "../../../ingest/primitives.ts";
import { createExchanger, faultOf, maxAnswerBytes } from "../../outbound/exchange.ts";
import type { FilledRequest } from "./template.ts";

/** The receiver answers within this time, body included (spec: Limits). */
const answerWithinMs = 10_000;
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
  const { exchange, close } = createExchanger({ allowPrivateDestinations, connections: perOrigin });
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
      const { status, headers, cut, ...answer } = await exchange(request, AbortSignal.timeout(deadlineMs));
      const body = cut ? `${answer.body}… [cut after ${maxAnswerBytes} bytes]` : answer.body;
      return { status, headers, body, outcome: outcomeOf(status), error: null, elapsedMs: elapsedMs() };
    } catch (error) {
      const { outcome, message } = describe(error, deadlineMs);
      return { outcome, status: null, headers: {}, body: null, error: message, elapsedMs: elapsedMs() };
    }
  }

  return { send, close };
}
export type Sender = ReturnType<typeof createSender>;

function outcomeOf(status: number): Exchange["outcome"] {
  if (status >= 200 && status < 300) return "delivered";
  return status === 410 ? "gone" : "refused";
}

function describe(error: unknown, deadlineMs: number): { outcome: Exchange["outcome"]; message: string } {
  const { kind, message } = faultOf(error);
  switch (kind) {
    case "blocked":
      return { outcome: "blocked", message };
    case "timeout":
      return { outcome: "timeout", message: `No complete answer within ${deadlineMs / 1000} s.` };
    case "invalid":
      return { outcome: "invalid", message: `The filled template is no valid request: ${message}` };
    case "unconnected":
    case "broken":
    case "unreadable":
      return { outcome: "network_error", message };
    default:
      return unreachable(kind);
  }
}
