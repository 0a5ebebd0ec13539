import type { Call } from "../call.ts";
import { percentOf, subtract } from "../money.ts";
import type { PayoutCondition } from "../terms.ts";

/**
 * Who is paid what for a call that has ended (semantics 8.11). Durations are compared in milliseconds with `>=`, so a
 * call of exactly the required length counts.
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
  if (call.connected_at === null || call.ended_at === null) return false;
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
