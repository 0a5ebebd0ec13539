import { type Call, maxUpdates } from "../call.ts";
import { isoTime } from "../clock.ts";
import type { CallEvent } from "../event.ts";
import { add } from "../money.ts";
import { unreachable } from "../primitives.ts";
import type { Signal, SignalOf, Update } from "../signal.ts";
import type { LastSignal } from "./begin.ts";
import { callTime, emit, isDone, publishOwed, type Step } from "./due-events.ts";
import { override } from "./override.ts";
import { settleByTerms } from "./settle.ts";
import { retag } from "./with-tags.ts";

/** A signal of a system outside. */
export type UpdateSignal = (SignalOf<"tagged"> | SignalOf<"adjusted"> | SignalOf<"fields">) & {
  readonly update: Update;
};

export const isUpdate = (signal: Signal): signal is UpdateSignal => "update" in signal && signal.update !== null;

interface UpdatePosition extends Pick<LastSignal, "last_signal" | "rekeyed"> {
  readonly publishedAt: number;
}

/**
 * Folds an update into its call, live or over, and publishes the call again; null for an update that was applied
 * before. The switch's facts and times stay: external clocks are not the switch's, so the marks keep their time.
 */
export function applyUpdate(call: Call, signal: UpdateSignal, lastSignal: UpdatePosition) {
  if (call.updates.includes(signal.update.id)) return null;
  const now = isDone(call) ? Date.parse(signal.at) : callTime(call, lastSignal.publishedAt);
  const due: Step = isDone(call) ? { call, events: [] } : publishOwed(call, now);
  const updates = [...due.call.updates, signal.update.id].slice(-maxUpdates);
  const { last_signal, rekeyed } = lastSignal;
  const next = { ...change(due.call, signal), updates, last_signal, ...(rekeyed === undefined ? {} : { rekeyed }) };
  const at = Number.isFinite(now) ? isoTime(now) : next.updated_at;
  const emitted = emit(next, "call.updated", { at, status: next.status, ...aboutUpdate(signal) });
  return { call: emitted.call, events: [...due.events, emitted.event] };
}

function aboutUpdate(signal: UpdateSignal): Pick<CallEvent, "cause" | "quiet"> {
  const { source } = signal.update;
  if (signal.kind !== "adjusted") return { cause: { source, reason: null } };
  return { cause: { source, reason: signal.reason }, ...(signal.fire_webhooks ? {} : { quiet: true }) };
}

function change(call: Call, signal: UpdateSignal): Call {
  switch (signal.kind) {
    case "tagged":
      return retag(call, signal);
    case "fields": {
      const { caller_zip = call.caller_zip, caller_state = call.caller_state } = signal;
      return { ...retag(call, signal), caller_zip, caller_state };
    }
    case "adjusted":
      return adjust(call, signal);
    default:
      return unreachable(signal);
  }
}

type AdjustedAmounts = Pick<SignalOf<"adjusted">, "revenue" | "payout" | "revenue_delta" | "payout_delta">;

/**
 * Also kept with the terms: a live call is settled at its end, and keeps earlier adjustments. A call that is said not to
 * have converted is worth nothing to either side, also where a zero says so once more; one that has
 * converted after all has the amounts of its terms again.
 */
function adjust(call: Call, { at, ...signal }: SignalOf<"adjusted">): Call {
  const { adjusted: known } = call.terms;
  const revenue = signal.revenue ?? changed(call.revenue, signal.revenue_delta);
  const payout = signal.payout ?? changed(call.payout, signal.payout_delta);
  if (signal.converted === true && revenue === null && payout === null && isWorthNothing(known)) {
    const adjusted = { revenue: null, payout: null, converted: true };
    return override(settleAgain({ ...call, terms: { ...call.terms, adjusted } }), at);
  }
  const isUnconverted = signal.converted === false && !namesMoney(signal);
  const adjusted = isUnconverted
    ? { revenue: 0, payout: 0, converted: false }
    : {
        revenue: revenue ?? known?.revenue ?? null,
        payout: payout ?? known?.payout ?? null,
        converted: signal.converted ?? convertedBefore(known, { revenue, payout }),
      };
  return override({ ...call, terms: { ...call.terms, adjusted } }, at);
}

/** True after an adjustment that said that the call has not converted. */
const isWorthNothing = (known: Call["terms"]["adjusted"]): boolean =>
  known?.converted === false && known.revenue === 0 && known.payout === 0;

/** The call with the amounts of its terms; without amounts until it is over. */
const settleAgain = (call: Call): Call =>
  call.ended_at === null
    ? { ...call, revenue: null, payout: null, profit: null, payable: false, receivable: false }
    : settleByTerms(call);

/** True if the adjustment has an amount or a change other than 0. */
const namesMoney = ({ revenue, payout, revenue_delta, payout_delta }: AdjustedAmounts): boolean =>
  [revenue, payout, revenue_delta, payout_delta].some((amount) => amount !== null && amount !== 0);

const changed = (amount: number | null, more: number | null): number | null =>
  more === null ? null : Math.max(0, add(amount ?? 0, more));

/** An amount that is put in place later speaks for itself: what was said of the conversion before was of another amount. */
const convertedBefore = (
  known: Call["terms"]["adjusted"],
  { revenue, payout }: Pick<SignalOf<"adjusted">, "revenue" | "payout">,
): boolean | null => (revenue === null && payout === null ? (known?.converted ?? null) : null);
