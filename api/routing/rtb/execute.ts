import type { Clock } from "../../../ingest/clock.ts";
import type { StepRecord } from "../../../ingest/rtb.ts";
import { deadlineOf, type PingLimits } from "./deadline.ts";
import { type Health, healthOf } from "./health.ts";
import type { PingRefusal } from "./judge.ts";
import type { PingSender } from "./pinger.ts";
import type { PingContext } from "./placeholders.ts";
import type { Formula } from "./request.ts";
import { type Ran, runSteps, stepsOf } from "./run-steps.ts";
import { type BidTerms, find, readTerms } from "./terms.ts";

/** What is kept of an execution, whatever it came to. */
export interface ExecutionRecord {
  readonly steps: readonly StepRecord[];
  readonly total_ms: number;
  /** What answers gave for the call: placeholders and filters from now on. */
  readonly tags: Readonly<Record<string, string>>;
  /** What later steps of the same formula are filled with. */
  readonly captured: Readonly<Record<string, string>>;
  readonly health: Health;
}

export type Bid = ExecutionRecord & BidTerms & { readonly kind: "bid" };
export type Refused = ExecutionRecord & {
  readonly kind: "refused";
  readonly reason: PingRefusal;
  /** Dollars, where one was bid before something else was missing. */
  readonly bid: number | null;
};
export type Execution = Bid | Refused;

export interface ExecuteOptions {
  readonly limits: PingLimits;
  readonly sender: PingSender;
  readonly clock: Clock;
}

/** Asks a formula's buyer for a bid: every step but those of a winner, by one deadline. It never throws. */
export async function execute(formula: Formula, context: PingContext, options: ExecuteOptions): Promise<Execution> {
  const { limits, sender, clock } = options;
  const began = clock.now();
  const deadlineAt = deadlineOf(formula, limits, began);
  const ran = await runSteps({ formula, context, deadlineAt, sender, clock, captured: {} }, stepsOf(formula, false));
  return { ...outcomeOf(formula, ran), ...toRecord(ran, clock.now() - began) };
}

export const toRecord = ({ records, tags, captured, last }: Ran, total_ms: number): ExecutionRecord => ({
  steps: records,
  total_ms,
  tags,
  captured,
  health: healthOf(last),
});

type Outcome =
  | (BidTerms & { readonly kind: "bid" })
  | { readonly kind: "refused"; readonly reason: PingRefusal; readonly bid: number | null };

function outcomeOf(formula: Formula, { answers, unreadable, failure, ended }: Ran): Outcome {
  if (ended && failure !== null) return { kind: "refused", reason: failure, bid: null };
  const terms = readTerms(formula, answers);
  if (terms.kind === "bid") return terms;
  const { reason, bid } = terms;
  // Where nothing was said of a bid, the reason is why there was nothing to read.
  const isSaid = answers.some((answer) => find(formula, "bid", answer) !== undefined);
  const unsaid = failure ?? (unreadable > 0 ? "ping_parse_error" : null);
  return { kind: "refused", reason: isSaid ? reason : (unsaid ?? reason), bid };
}
