import type { ErrorClass, OutgoingRequest } from "../../../ingest/delivery.ts";
import { unreachable } from "../../../ingest/primitives.ts";
import { maxAnswerBytes } from "../../outbound/answer-reader.ts";
import { startTimer, type Timings } from "../../outbound/exchange-timer.ts";
import { createHttpClient, faultOf } from "../../outbound/http-client.ts";
import type { FilledRequest } from "./template.ts";

/** The deadline of an exchange, body included. */
export const receiverDeadlineMs = 10_000;
/** Connections to one origin, of all organizations together; the queue of attempts limits each of them. */
const perOrigin = 500;

export interface Exchange {
  readonly outcome: OutgoingRequest["outcome"];
  readonly status: number | null;
  readonly headers: Record<string, string>;
  readonly body: string | null;
  readonly error: string | null;
  readonly errorClass: OutgoingRequest["error_class"];
  readonly elapsedMs: number;
  readonly timings: Timings;
}

export interface SenderOptions {
  readonly allowPrivateDestinations: boolean;
  readonly deadlineMs?: number;
}

/** Sends requests to customers' systems over pooled connections. Redirects are not followed. */
export function createSender({ allowPrivateDestinations, deadlineMs = receiverDeadlineMs }: SenderOptions) {
  const { exchange, close } = createHttpClient({ allowPrivateDestinations, connections: perOrigin });
  /** Makes one exchange; a failure is part of the result. */
  async function send(request: FilledRequest): Promise<Exchange> {
    const timer = startTimer();
    const ended = () => ({ elapsedMs: timer.elapsedMs(), timings: timer.timings() });
    try {
      const answer = await exchange(request, deadlineMs, timer);
      const { status, headers, cut } = answer;
      const body = cut ? `${answer.body}… [cut after ${maxAnswerBytes} bytes]` : answer.body;
      const outcome = outcomeOf(status);
      return { status, headers, body, outcome, error: null, errorClass: errorClassOf(outcome, status), ...ended() };
    } catch (error) {
      const { outcome, errorClass, message } = describe(error, deadlineMs);
      return { outcome, status: null, headers: {}, body: null, error: message, errorClass, ...ended() };
    }
  }

  return { send, close };
}
export type Sender = ReturnType<typeof createSender>;

function outcomeOf(status: number): Exchange["outcome"] {
  if (status >= 200 && status < 300) return "delivered";
  return status === 410 ? "gone" : "refused";
}

/** Classifies a failure by the answer, or by the reason why there was none; null for a success. */
export function errorClassOf(outcome: OutgoingRequest["outcome"], status: number | null): ErrorClass | null {
  switch (outcome) {
    case "delivered":
      return null;
    case "refused":
    case "gone":
      return status !== null && status < 400 ? "http_3xx" : status !== null && status < 500 ? "http_4xx" : "http_5xx";
    case "network_error":
      return "unconnected";
    case "invalid":
      return "invalid_request";
    default:
      return outcome;
  }
}

function describe(error: unknown, deadlineMs: number) {
  const { kind, message } = faultOf(error);
  switch (kind) {
    case "blocked":
      return { outcome: "blocked", errorClass: "blocked", message } as const;
    case "timeout":
      return {
        outcome: "timeout",
        errorClass: "timeout",
        message: `No complete answer within ${deadlineMs / 1000} s.`,
      } as const;
    case "invalid":
      return {
        outcome: "invalid",
        errorClass: "invalid_request",
        message: `The filled template is no valid request: ${message}`,
      } as const;
    case "unconnected":
    case "broken":
    case "unreadable":
      return { outcome: "network_error", errorClass: kind, message } as const;
    default:
      return unreachable(kind);
  }
}
