import type { Call } from "../call.ts";
import { subtract } from "../money.ts";

/**
 * The call with the amounts and the verdict that were put in place of its own, if any were; what was not named stays. A
 * side counts where its adjusted amount is more than nothing, and the call is converted where either does, unless that
 * was said in so many words. `at` is when a call that was not converted before is.
 */
export function override(call: Call, at: string): Call {
  const { adjusted } = call.terms;
  if (adjusted === null) return call;
  const revenue = adjusted.revenue ?? call.revenue;
  const payout = adjusted.payout ?? call.payout;
  const receivable = adjusted.revenue === null ? call.receivable : adjusted.revenue > 0;
  const payable = adjusted.payout === null ? call.payable : adjusted.payout > 0;
  const isMoney = adjusted.revenue !== null || adjusted.payout !== null;
  const converted = adjusted.converted ?? (isMoney ? receivable || payable : call.converted);
  return {
    ...call,
    revenue,
    payout,
    receivable,
    payable,
    converted,
    profit: revenue === null || payout === null ? null : subtract(revenue, payout),
    converted_at: converted ? (call.converted_at ?? at) : null,
    revenue_overridden: call.revenue_overridden || isMoney,
  };
}
