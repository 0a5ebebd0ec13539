import { unreachable } from "../../../ingest/primitives.ts";
import { type Answer, decodeAnswer } from "./answer.ts";
import { accepts, asksForSomething } from "./criteria.ts";
import type { PingAnswer } from "./pinger.ts";
import type { Formula, Step } from "./request.ts";
import type { TermsRefusal } from "./terms.ts";

/** Why an execution came to nothing (semantics 8.2: R14, R16). */
export type PingRefusal = TermsRefusal | "ping_timeout" | "ping_unreachable" | "ping_http_error" | "not_accepted";

/** What a step came to. */
export type Fate =
  | { readonly kind: "passed"; readonly answer: Answer }
  | { readonly kind: "failed"; readonly reason: PingRefusal; readonly error: string };

const failed = (reason: PingRefusal, error: string): Fate => ({ kind: "failed", reason, error });

export interface Placed {
  readonly index: number;
  readonly step: Step;
}

/** Whether a step succeeded (semantics 8.6: Success of a step). To a winner's step an empty answer is no refusal. */
export function judge(formula: Formula, { index, step }: Placed, answer: PingAnswer): Fate {
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

function judgeFault({ kind, message }: Extract<PingAnswer, { kind: "failed" }>["fault"]): Fate {
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

/** Whether a step has a script to process its answer, which is kept and never run: it is a customer's code. */
export const hasScript = ({ process_response_code }: Step): boolean =>
  process_response_code.trim() !== "" && !statusList.test(process_response_code);

/** The mappings that read the answer of a step, on whichever step they are written. */
export const mappingsOf = ({ steps }: Formula, index: number) =>
  steps
    .flatMap(({ response_field_mappings }) => response_field_mappings)
    .filter(({ stepIndex }) => stepIndex === index);

const isRead = (formula: Formula, { index, step }: Placed): boolean =>
  step.selected_keys.length > 0 ||
  mappingsOf(formula, index).length > 0 ||
  asksForSomething(step.target_selection_criteria);

const retried: ReadonlySet<number> = new Set([502, 503, 504]);

/** Whether the same request may fare better in a moment: only where it was not taken. */
export const mayBeRetried = (answer: PingAnswer): boolean =>
  answer.kind === "answered" ? retried.has(answer.status) : answer.fault.kind === "unconnected";
