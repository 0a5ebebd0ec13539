import { cutText } from "../../../ingest/primitives.ts";
import type { StepRecord } from "../../../ingest/rtb.ts";
import { maskSecrets } from "../../outbound/mask-secrets.ts";
import { type Fate, hasScript, type Placed } from "./judge.ts";
import type { PingAnswer } from "./pinger.ts";
import type { StepRequest } from "./request.ts";

/** Characters of a body that are kept (semantics 7.5). */
const maxBodyLength = 16 * 1024;

export interface Attempted {
  readonly placed: Placed;
  readonly attempt: number;
  readonly sent: StepRequest;
  /** null when there was no time to send it. */
  readonly answer: PingAnswer | null;
  readonly fate: Fate;
  readonly elapsedMs: number;
}

export function toStepRecord({ placed, attempt, sent, answer, fate, elapsedMs }: Attempted): StepRecord {
  const { url, method, headers, body } = sent.request;
  const answered = answer?.kind === "answered" ? answer : null;
  const isLong = (text: string | null): boolean => text !== null && text.length > maxBodyLength;
  return {
    index: placed.index,
    attempt,
    url: cutText(withoutPassword(url), maxBodyLength),
    method,
    request_headers: maskSecrets(headers),
    request_body: body === null ? null : cutText(body, maxBodyLength),
    status_code: answered?.status ?? null,
    response_body: answered === null ? null : cutText(answered.body, maxBodyLength),
    truncated: isLong(body) || isLong(answered?.body ?? null) || answered?.cut === true,
    duration_ms: elapsedMs,
    error: errorOf(fate),
    unresolved: [...sent.unresolved],
    script_skipped: hasScript(placed.step),
  };
}

function errorOf(fate: Fate): string | null {
  if (fate.kind === "failed") return fate.error;
  return fate.answer.kind === "unreadable" ? fate.answer.error : null;
}

function withoutPassword(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.password === "") return text;
  url.password = "***";
  return url.toString();
}
