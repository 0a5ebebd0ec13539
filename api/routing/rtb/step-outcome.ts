import { unreachable } from "../../../ingest/primitives.ts";
import { type Answer, decodeAnswer } from "./bid-response.ts";
import type { TermsRefusal } from "./bid-terms.ts";
import { accepts, asksForSomething } from "./criteria.ts";
import type { Formula, Step } from "./formula.ts";
import type { PingAnswer } from "./pinger.ts";

/** Reasons why an execution has no usable bid. */
export type PingRefusal = TermsRefusal | "ping_timeout" | "ping_unreachable" | "ping_http_error" | "not_accepted";

/** The outcome of a step. */
export type StepOutcome =
  | { readonly kind: "passed"; readonly answer: Answer }
  | { readonly kind: "failed"; readonly reason: PingRefusal; readonly error: string };

const failed = (reason: PingRefusal, error: string): StepOutcome => ({ kind: "failed", reason, error });

export interface IndexedStep {
  readonly index: number;
  readonly step: Step;
}

/** Judges the answer to a step. For a winner's step an empty answer is no refusal. */
export function judgeStep(formula: Formula, { index, step }: IndexedStep, answer: PingAnswer): StepOutcome {
  if (answer.kind === "failed") return judgeFault(answer.fault);
  const { status, headers, body, cut } = answer;
  if (!isSuccess(step, status)) return failed("ping_http_error", `The buyer answered with status ${status}.`);
  const decoded: Answer = cut
    ? { kind: "unreadable", error: "The answer is longer than 64 KiB and was not read to its end." }
    : decodeAnswer({ status, contentType: headers["content-type"] ?? "", body });
  if (decoded.kind === "empty" && !step.run_on_rtb_group_win) return failed("no_bid", "The answer is empty.");
  if (decoded.kind === "unreadable" && isRead(formula, { index, step })) {
    return failed("ping_parse_error", decoded.error);
  }
  const value = decoded.kind === "decoded" ? decoded.value : undefined;
  if (!accepts(step.target_selection_criteria, value)) {
    return failed("not_accepted", "The answer does not fulfil the step's target_selection_criteria.");
  }
  return { kind: "passed", answer: decoded };
}

function judgeFault({ kind, message }: Extract<PingAnswer, { kind: "failed" }>["fault"]): StepOutcome {
  switch (kind) {
    case "timeout":
      return failed("ping_timeout", "No complete answer in time.");
    case "unreadable":
      return failed("ping_parse_error", message);
    case "invalid":
      return failed("ping_unreachable", `The filled step is no valid request: ${message}`);
    case "blocked":
    case "unconnected":
    case "broken":
      return failed("ping_unreachable", message);
    default:
      return unreachable(kind);
  }
}

const statusList = /^\s*\d{3}(\s*,\s*\d{3})*\s*$/;

function isSuccess({ process_response_code }: Step, status: number): boolean {
  if (status >= 200 && status < 300) return true;
  return statusList.test(process_response_code) && process_response_code.includes(String(status));
}

/** Returns true if a step has a script for its answer. It is stored and never run: it is a customer's code. */
export const hasScript = ({ process_response_code }: Step): boolean =>
  process_response_code.trim() !== "" && !statusList.test(process_response_code);

/** The mappings that read the answer of a step, on whichever step they are written. */
export const mappingsOf = ({ steps }: Formula, index: number) =>
  steps
    .flatMap(({ response_field_mappings }) => response_field_mappings)
    .filter(({ stepIndex }) => stepIndex === index);

const isRead = (formula: Formula, { index, step }: IndexedStep): boolean =>
  step.selected_keys.length > 0 ||
  mappingsOf(formula, index).length > 0 ||
  asksForSomething(step.target_selection_criteria);

const retried: ReadonlySet<number> = new Set([502, 503, 504]);

/** Returns true if the same request may succeed in a moment: only where it was not taken. */
export const mayBeRetried = (answer: PingAnswer): boolean =>
  answer.kind === "answered" ? retried.has(answer.status) : answer.fault.kind === "unconnected";
