import type { Call } from "../call.ts";
import { percentOf, subtract } from "../money.ts";
import type { PayoutCondition } from "../terms.ts";
import { override } from "./override.ts";

/** The reason of a call that was given up: its connected time is unknown, so nobody pays for it. */
export const lost = "lost";
export const isLost = (call: Pick<Call, "connected_at" | "failure_reason">): boolean =>
  call.connected_at !== null && call.failure_reason === lost;

/** The rule by which one side of a call was judged. */
export interface SideRule {
  readonly condition: PayoutCondition;
  readonly condition_seconds: number;
  /** True if the call met the condition. */
  readonly met: boolean;
  /** False where an earlier call of the caller takes this side's money, whatever the condition says. */
  readonly allowed: boolean;
}

/** The judgement of a call: a side converted if its rule is met and allowed; null for a side without terms. */
export interface ConversionRules {
  readonly receivable: SideRule | null;
  readonly payable: SideRule | null;
}

/** The fields that a judgement needs; messages and rows have more. */
export type JudgedCall = Pick<Call, "started_at" | "connected_at" | "ended_at" | "failure_reason" | "terms">;

/**
 * Judges each side of a call by its rule. Durations are compared in milliseconds with `>=`, so a call of exactly the
 * required length counts. `call_converted` of a publisher's terms requires that the revenue side converted, and that
 * side is `receivable`: a publisher who agreed to be paid out of the buyer's revenue gets nothing if a
 * duplicate's revenue is waived. One with his own condition is paid all the same: `route_no_revenue` takes no payout.
 */
export function judgeConversion(call: JudgedCall): ConversionRules {
  const { buyer, publisher, receivable, payable } = call.terms;
  const revenueSide = buyer && toRule(call, buyer, { allowed: receivable, revenueSideConverted: false });
  const revenueSideConverted = isConverted(revenueSide);
  const payoutSide = publisher && toRule(call, publisher, { allowed: payable, revenueSideConverted });
  return { receivable: revenueSide, payable: payoutSide };
}

/**
 * Settles the amounts of a call that has ended. The call is converted, and `call.converted` fires, if either side is:
 * `converted = payable ∨ receivable`. Adjustments made meanwhile stay.
 */
export function settle(call: Call): Call {
  const settled = settleByTerms(call);
  return call.ended_at === null ? settled : override(settled, call.ended_at);
}

/** Settles without adjustments. */
export function settleByTerms(call: Call): Call {
  const { buyer, publisher } = call.terms;
  const rules = judgeConversion(call);
  const [receivable, payable] = [isConverted(rules.receivable), isConverted(rules.payable)];
  const revenue = receivable ? (buyer?.revenue ?? 0) : 0;
  const percentage = publisher?.percentage ?? null;
  const earned = percentage === null ? (publisher?.payout ?? 0) : percentOf(revenue, percentage);
  const payout = payable ? earned : 0;
  const converted = payable || receivable;
  return {
    ...call,
    payable,
    receivable,
    converted,
    converted_at: converted ? call.ended_at : null,
    revenue,
    payout,
    profit: subtract(revenue, payout),
  };
}

/** True for a side that is paid. */
export const isConverted = (rule: SideRule | null): boolean => rule?.met === true && rule.allowed;

interface Side {
  readonly allowed: boolean;
  readonly revenueSideConverted: boolean;
}

type Condition = Pick<SideRule, "condition" | "condition_seconds">;

const toRule = (call: JudgedCall, { condition, condition_seconds }: Condition, side: Side): SideRule => ({
  condition,
  condition_seconds,
  allowed: side.allowed,
  met: meets(call, { condition, condition_seconds }, side.revenueSideConverted),
});

function meets(call: JudgedCall, { condition, condition_seconds }: Condition, revenueSideConverted: boolean): boolean {
  if (call.connected_at === null || call.ended_at === null || isLost(call)) return false;
  const lasted = (since: string) => Date.parse(call.ended_at ?? since) - Date.parse(since) >= condition_seconds * 1000;
  switch (condition) {
    case "call_successfully_connected":
      return true;
    case "call_length_connected":
      return lasted(call.connected_at);
    case "call_length_incoming":
      return lasted(call.started_at);
    case "call_converted":
      return revenueSideConverted;
  }
}
