import type { Clock } from "../../../ingest/clock.ts";
import type { StepRecord } from "../../../ingest/rtb.ts";
import { inSpan, type Tracing } from "../../../ingest/tracing.ts";
import { type BidTerms, find, readTerms } from "./bid-terms.ts";
import type { ControlRefusal, PingControls } from "./controls.ts";
import { deadlineOf, type Formula, type PingTimeLimits } from "./formula.ts";
import { type EndpointHealth, healthAfter, type PingSender } from "./pinger.ts";
import type { PingContext } from "./placeholders.ts";
import { type Ran, runSteps, stepsOf } from "./run-steps.ts";
import type { PingRefusal } from "./step-outcome.ts";

/** Record of an execution, with or without a bid. */
export interface ExecutionRecord {
  readonly steps: readonly StepRecord[];
  readonly total_ms: number;
  /** Tags that answers gave for the call: placeholders and filters see them from now on. */
  readonly tags: Readonly<Record<string, string>>;
  /** Values that steps have selected, for later steps of the same formula. */
  readonly captured: Readonly<Record<string, string>>;
  readonly health: EndpointHealth;
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
  readonly limits: PingTimeLimits;
  readonly sender: PingSender;
  readonly clock: Clock;
}

/** Asks a formula's buyer for a bid: every step but those of a winner, by one deadline. It never throws. */
export async function execute(formula: Formula, context: PingContext, options: ExecuteOptions): Promise<Execution> {
  const { limits, sender, clock } = options;
  const began = clock.now();
  const deadlineAt = deadlineOf(formula, limits, began);
  const ran = await runSteps({ formula, context, deadlineAt, sender, clock, captured: {} }, stepsOf(formula, false));
  return Object.assign(toRecord(ran, clock.now() - began), outcomeOf(formula, ran));
}

export const toRecord = ({ records, tags, captured, last }: Ran, total_ms: number): ExecutionRecord => ({
  steps: records,
  total_ms,
  tags,
  captured,
  health: healthAfter(last),
});

type Outcome =
  | (BidTerms & { readonly kind: "bid" })
  | { readonly kind: "refused"; readonly reason: PingRefusal; readonly bid: number | null };

function outcomeOf(formula: Formula, { answers, unreadable, failure, ended }: Ran): Outcome {
  if (ended && failure !== null) return { kind: "refused", reason: failure, bid: null };
  const terms = readTerms(formula, answers);
  if (terms.kind === "bid") return terms;
  const { reason, bid } = terms;
  // Without any mention of a bid, the reason is why there was nothing to read.
  const isMentioned = answers.some((answer) => find(formula, "bid", answer) !== undefined);
  const withoutMention = failure ?? (unreadable > 0 ? "ping_parse_error" : null);
  return { kind: "refused", reason: isMentioned ? reason : (withoutMention ?? reason), bid };
}

/** A control has refused the ping: nothing was sent, and nothing is counted. */
export interface NotAsked {
  readonly kind: "not_asked";
  readonly reason: ControlRefusal;
}

export interface PingDeps {
  readonly controls: PingControls;
  readonly sender: PingSender;
  readonly clock: Clock;
}

export interface PingOptions extends PingTimeLimits {
  /** Called when its controls have let it through, before anything is sent. */
  onSent?(): void;
}

/** Creates the function that asks a formula's buyer for a bid where its controls admit it. */
export function createPing({ controls, sender, clock }: PingDeps) {
  return async (formula: Formula, context: PingContext, options: PingOptions): Promise<Execution | NotAsked> => {
    const admission = controls.enter(formula);
    if (admission.kind === "refused") return { kind: "not_asked", reason: admission.reason };
    options.onSent?.();
    let health: EndpointHealth = { kind: "unknown" };
    try {
      const execution = await execute(formula, context, { limits: options, sender, clock });
      health = execution.health;
      return execution;
    } finally {
      admission.leave(health);
    }
  };
}
/** Creates the function that asks as `createPing` does, where the controls would admit it; they do not count it. */
export function createUncountedPing({ controls, sender, clock }: PingDeps): Ping {
  return async (formula, context, options) => {
    const reason = controls.refusal(formula);
    if (reason !== null) return { kind: "not_asked", reason };
    options.onSent?.();
    return execute(formula, context, { limits: options, sender, clock });
  };
}
export type Ping = ReturnType<typeof createPing>;

/** Wraps the function that asks for bids so that each has a span, from its formula's first request to its last. */
export const tracePings = (ping: Ping, tracing: Tracing | null): Ping =>
  tracing === null
    ? ping
    : (formula, context, options) =>
        inSpan(
          tracing,
          { name: "bid", kind: "internal", attributes: { "trunkline.rtb_id": formula.id } },
          async (span) => {
            const result = await ping(formula, context, options);
            span?.set({ "trunkline.outcome": result.kind === "bid" ? "bid" : result.reason });
            return result;
          },
        );
