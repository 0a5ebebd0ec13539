import type { Call } from "../call.ts";
import { isoTime } from "../clock.ts";
import type { CallEvent } from "../event.ts";
import { unreachable } from "../primitives.ts";
import type { Signal, SignalOf } from "../signal.ts";
import { begin } from "./begin.ts";
import { forcedEnd, isDone, publishOwed, tell } from "./owed.ts";

interface Step {
  readonly call: Call;
  readonly events: readonly CallEvent[];
}

export type Applied =
  | ({ readonly kind: "applied" } & Step)
  /** Applied before, or overtaken by what the call already knows; nothing changes. */
  | { readonly kind: "repeated" }
  | { readonly kind: "unknown_call" };

/**
 * Folds one signal into its call. `position` is the signal's place in the log: a signal at or before the call's last
 * one changes nothing. Marks that were due before the signal are published first, as the call stood then.
 */
export function applySignal(call: Call | undefined, signal: Signal, position: number): Applied {
  const at = Date.parse(signal.at);
  if (call === undefined) {
    if (signal.kind !== "incoming") return { kind: "unknown_call" };
    return { kind: "applied", ...publishOwed(begin(signal, position), at) };
  }
  if (position <= call.last_signal) return { kind: "repeated" };
  const due = publishOwed(call, at);
  const changed = change(due.call, signal);
  if (changed === null) return { kind: "repeated" };
  const next = { ...changed, last_signal: position };
  const after = isDone(next) ? correct(next, signal.at) : publishOwed(next, at);
  return { kind: "applied", call: after.call, events: [...due.events, ...after.events] };
}

/** What time alone brings by `now` (ms): marks, and the end of a call that its switch has forgotten. */
export function applyTime(call: Call, now: number): Step {
  const end = forcedEnd(call);
  if (call.ended_at !== null || now < end) return publishOwed(call, now);
  const due = publishOwed(call, end);
  const after = publishOwed(endCall(due.call, isoTime(end), "system", "lost"), now);
  return { call: after.call, events: [...due.events, ...after.events] };
}

function correct(call: Call, at: string): Step {
  const told = tell(call, "call.updated", { at, status: call.status });
  return { call: told.call, events: [told.event] };
}

/** The call after the signal; null when it tells nothing that the call can still take. */
function change(call: Call, signal: Signal): Call | null {
  const open = call.ended_at === null;
  const routing = open && call.connected_at === null;
  switch (signal.kind) {
    case "incoming":
      return null;
    case "dialing":
      return routing ? dial(call, signal) : null;
    case "dial_failed":
      return routing ? { ...call, failure_reason: signal.reason } : null;
    case "answered":
      return routing ? { ...call, connected_at: notBefore(call.started_at, signal.at), failure_reason: null } : null;
    case "hung_up":
      return open ? endCall(call, signal.at, signal.by, `${signal.by}_hangup`) : null;
    case "failed":
      return routing ? endCall(call, signal.at, "system", signal.reason) : null;
    case "recorded":
      return { ...call, recording_url: signal.recording_url };
    default:
      return unreachable(signal);
  }
}

function dial(call: Call, signal: SignalOf<"dialing">): Call {
  const publisher = signal.publisher_terms ?? call.terms.publisher;
  return {
    ...call,
    ...{ target_id: signal.target.id, target_name: signal.target.name, target_type: signal.target.type },
    ...{ buyer_id: signal.buyer?.id ?? null, buyer_name: signal.buyer?.name ?? null },
    ...{ rtb_id: signal.rtb_id, rtb_group_id: signal.rtb_group_id },
    attempts: call.attempts + 1,
    configured_revenue: signal.buyer_terms.revenue,
    configured_payout: publisher?.payout ?? null,
    terms: { ...call.terms, buyer: signal.buyer_terms, publisher, target_webhook_ids: signal.webhook_ids },
  };
}

function endCall(call: Call, at: string, by: NonNullable<Call["termination_by"]>, reason: string): Call {
  const endedAt = notBefore(call.connected_at ?? call.started_at, at);
  return {
    ...call,
    ended_at: endedAt,
    termination_by: by,
    // Why it was not connected; a call that was connected has not failed.
    failure_reason: call.connected_at === null ? reason : null,
    duration: wholeSeconds(call.started_at, endedAt),
    connect_duration: call.connected_at === null ? 0 : wholeSeconds(call.connected_at, endedAt),
  };
}

const wholeSeconds = (from: string, to: string): number => Math.floor((Date.parse(to) - Date.parse(from)) / 1000);
/** ISO times of one form compare as text. */
const notBefore = (earliest: string, at: string): string => (at > earliest ? at : earliest);
