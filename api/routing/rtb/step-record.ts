import { z } from "zod";
import { cutText } from "../../../ingest/primitives.ts";
import { maskSecrets } from "../../webhooks/deliver/record.ts";
import { type Fate, hasScript, type Placed } from "./judge.ts";
import type { PingAnswer } from "./pinger.ts";
import type { StepRequest } from "./request.ts";

/** One request of an execution, as histories keep it (semantics 7.1, 7.5): retries have records of their own. */
export const stepRecordSchema = z.object({
  /** The step's place in the formula, from 0. */
  index: z.int(),
  /** From 1. */
  attempt: z.int(),
  url: z.string(),
  method: z.string(),
  /** `***` in place of credentials. */
  request_headers: z.record(z.string(), z.string()),
  request_body: z.string().nullable(),
  status_code: z.int().nullable(),
  response_body: z.string().nullable(),
  /** Whether one of the bodies is longer than what is kept of it. */
  truncated: z.boolean(),
  duration_ms: z.number(),
  error: z.string().nullable(),
  /** Placeholders that had no text. */
  unresolved: z.array(z.string()),
  /** Whether the step has a script for its answer, which was not run. */
  script_skipped: z.boolean(),
});
export type StepRecord = z.infer<typeof stepRecordSchema>;

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
    ...{ index: placed.index, attempt, url: cutText(withoutPassword(url), maxBodyLength), method },
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
