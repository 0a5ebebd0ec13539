import type { Call } from "../call.ts";
import { percentOf, subtract } from "../money.ts";
import type { PayoutCondition } from "../terms.ts";

/** The reason of a call that was given up: nobody told how long it was connected, so nobody pays for it. */
export const lost = "lost";
export const isLost = (call: Call): boolean => call.connected_at !== null && call.failure_reason === lost;

/**
 * Who is paid what for a call that has ended. Durations are compared in milliseconds with `>=`, so a call of exactly the
 * required length counts.
 *
 * Two things bear the name of conversion. The call is converted, and `call.converted` fires, when either side's
 * condition is met: `converted = payable ∨ receivable` (semantics 8.10). The condition `call_converted` of a publisher's
 * terms asks for less and for more: that the revenue side converted, `receivable` (semantics 8.11).
 */
export function settle(call: Call): Call {
  const { buyer, publisher } = call.terms;
  const receivable = buyer !== null && meets(call, buyer.condition, buyer.condition_seconds, false);
  const revenue = receivable ? buyer.revenue : 0;
  const payable = publisher !== null && meets(call, publisher.condition, publisher.condition_seconds, receivable);
  const payout = !payable
    ? 0
    : publisher.percentage === null
      ? publisher.payout
      : percentOf(revenue, publisher.percentage);
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

function meets(call: Call, condition: PayoutCondition, seconds: number, revenueSideConverted: boolean): boolean {
  if (call.connected_at === null || call.ended_at === null || isLost(call)) return false;
  const lasted = (since: string) => Date.parse(call.ended_at ?? since) - Date.parse(since) >= seconds * 1000;
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
