import { cutText } from "../../../ingest/primitives.ts";
import type { OutboundRtbRequest, StepRecord } from "../../../ingest/rtb.ts";
import { maskSecrets } from "../../outbound/mask-secrets.ts";
import type { ControlRefusal } from "./controls.ts";
import type { PingAnswer } from "./pinger.ts";
import type { StepRequest } from "./request.ts";
import { hasScript, type IndexedStep, type PingRefusal, type StepOutcome } from "./step-outcome.ts";

/** Characters of a body that are stored. */
const maxBodyLength = 16 * 1024;

/** One attempt at a step. */
export interface Attempted {
  readonly indexed: IndexedStep;
  readonly attempt: number;
  readonly sent: StepRequest;
  /** null when there was no time to send it. */
  readonly answer: PingAnswer | null;
  readonly outcome: StepOutcome;
  readonly elapsedMs: number;
}

export function toStepRecord({ indexed, attempt, sent, answer, outcome, elapsedMs }: Attempted): StepRecord {
  const { url, method, headers, body } = sent.request;
  const answered = answer?.kind === "answered" ? answer : null;
  const isLong = (text: string | null): boolean => text !== null && text.length > maxBodyLength;
  return {
    index: indexed.index,
    attempt,
    url: cutText(withoutPassword(url), maxBodyLength),
    method,
    request_headers: maskSecrets(headers),
    request_body: body === null ? null : cutText(body, maxBodyLength),
    status_code: answered?.status ?? null,
    response_body: answered === null ? null : cutText(answered.body, maxBodyLength),
    truncated: isLong(body) || isLong(answered?.body ?? null) || answered?.cut === true,
    duration_ms: elapsedMs,
    error: errorOf(outcome),
    unresolved: [...sent.unresolved],
    script_skipped: hasScript(indexed.step),
  };
}

function errorOf(outcome: StepOutcome): string | null {
  if (outcome.kind === "failed") return outcome.error;
  return outcome.answer.kind === "unreadable" ? outcome.answer.error : null;
}

function withoutPassword(text: string): string {
  if (!text.includes("@")) return text;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.password === "") return text;
  url.password = "***";
  return url.toString();
}

/** All steps of one record together: well under what any log takes as one message. */
const maxStepBytes = 384 * 1024;

/** The steps as a record stores them: bodies beyond what one message can hold are left out, and the step says so. */
export function boundSteps(steps: readonly StepRecord[]): StepRecord[] {
  const most = steps.reduce((sum, step) => sum + mostBytesOf(step), 0);
  if (most <= maxStepBytes) return [...steps];
  let left = maxStepBytes;
  return steps.map((step) => {
    const bytes = bytesOf(step);
    if (bytes <= left) {
      left -= bytes;
      return step;
    }
    const bare = { ...step, url: step.url.slice(0, 200), request_headers: {}, request_body: null, response_body: null };
    const cut = { ...bare, unresolved: bare.unresolved.slice(0, 5), truncated: true };
    left -= bytesOf(cut);
    return cut;
  });
}

/** More than the bytes of a step, without writing it: no character takes more than six, and the rest has few. */
const mostBytesOf = ({ url, request_headers, request_body, response_body, error, unresolved }: StepRecord): number => {
  const texts = [url, request_body ?? "", response_body ?? "", error ?? "", ...unresolved];
  const all = [...texts, ...Object.entries(request_headers).flat()];
  return all.reduce((sum, text) => sum + 6 * text.length + 10, 1000);
};

const bytesOf = (step: StepRecord): number => Buffer.byteLength(JSON.stringify(step));

/** The outcome that statistics count, by the reason why there is no usable bid; null is a bid. */
export const outcomeOf = (reason: PingRefusal | ControlRefusal | null): OutboundRtbRequest["outcome"] =>
  reason === null ? "bid" : outcomes[reason];

const outcomes: Readonly<Record<PingRefusal | ControlRefusal, OutboundRtbRequest["outcome"]>> = {
  no_bid: "no_bid",
  not_accepted: "no_bid",
  ping_timeout: "timeout",
  ping_http_error: "http_error",
  ping_unreachable: "http_error",
  ping_parse_error: "parse_error",
  // There was a bid; it could not be used.
  no_destination_number: "bid",
  ping_backoff: "skipped",
  ping_rate_limited: "skipped",
  ping_inflight_limited: "skipped",
};
