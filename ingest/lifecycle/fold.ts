import type { Call } from "../call.ts";
import { isoTime } from "../clock.ts";
import { unreachable } from "../primitives.ts";
import type { Signal, SignalOf } from "../signal.ts";
import { begin, type LastSignal } from "./begin.ts";
import { callTime, emit, givenUpAt, isDone, lostEnd, publishOwed, type Step } from "./due-events.ts";
import { isLost, lost } from "./settle.ts";
import { applyUpdate, isUpdate } from "./update.ts";
import { withTags } from "./with-tags.ts";

export type Applied =
  | ({ readonly kind: "applied" } & Step)
  /** Applied before, or overtaken by what the call already knows; nothing changes. */
  | { readonly kind: "repeated" }
  | { readonly kind: "unknown_call" };

/**
 * Folds one signal into its call. `position` is the signal's offset in the log: a signal at or before the call's last
 * one changes nothing. Marks that were due before the signal are published first, with the call as it was then.
 * `publishedAt` (ms) is when the signal was published, for timers; without a log it is the time of the signal.
 */
export function applySignal(
  call: Call | undefined,
  signal: Signal,
  position: number,
  publishedAt = Date.parse(signal.at),
): Applied {
  const at = Date.parse(signal.at);
  const lastSignal: LastSignal = {
    last_signal: position,
    last_signal_at: signal.at,
    lag_ms: Math.max(0, publishedAt - at),
    ...(signal.rekeyed === undefined ? {} : { rekeyed: withPlace(call?.rekeyed, signal.rekeyed) }),
  };
  if (call === undefined) {
    if (signal.kind !== "incoming") return { kind: "unknown_call" };
    return { kind: "applied", ...publishOwed(begin(signal, lastSignal), at) };
  }
  if (position <= call.last_signal || wasRekeyed(call, signal)) return { kind: "repeated" };
  if (isUpdate(signal)) {
    const updated = applyUpdate(call, signal, { ...lastSignal, publishedAt });
    return updated === null ? { kind: "repeated" } : { kind: "applied", ...updated };
  }
  const due = publishOwed(call, at);
  const changed = change(due.call, signal);
  if (changed === null) return { kind: "repeated" };
  const next = { ...changed, ...lastSignal };
  const owed = publishOwed(next, at);
  const after = isDone(next) ? correct(owed, signal.at) : owed;
  return { kind: "applied", call: after.call, events: [...due.events, ...after.events] };
}

/** Returns true if the signal was moved from another partition and applied before: it may have been moved twice. */
const wasRekeyed = ({ rekeyed: known }: Call, { rekeyed: place }: Signal): boolean =>
  place !== undefined && place.offset <= (known?.[place.partition] ?? -1);

const withPlace = (known: Call["rekeyed"], { partition, offset }: NonNullable<Signal["rekeyed"]>) => ({
  ...known,
  [partition]: offset,
});

/**
 * Applies the passing of time until `now` (ms): the marks of a live call, and the end of one that its switch has
 * forgotten.
 */
export function applyTime(call: Call, now: number): Step {
  if (call.ended_at !== null || now < givenUpAt(call)) return publishOwed(call, callTime(call, now));
  const end = lostEnd(call);
  const due = publishOwed(call, end);
  const after = publishOwed({ ...endCall(due.call, isoTime(end), "system", lost), failure_reason: lost }, end);
  return { call: after.call, events: [...due.events, ...after.events] };
}

function correct({ call, events }: Step, at: string): Step {
  const emitted = emit(call, "call.updated", { at, status: call.status });
  return { call: emitted.call, events: [...events, emitted.event] };
}

/** Returns the call after the signal; null if the signal changes nothing. */
function change(call: Call, signal: Signal): Call | null {
  const open = call.ended_at === null;
  const routing = open && call.connected_at === null;
  switch (signal.kind) {
    case "incoming":
      return null;
    case "tagged":
      return withTags(call, signal);
    case "dialing":
      return routing && !isDialing(call, signal) ? dial(call, signal) : null;
    case "dial_failed":
      return routing ? { ...call, failure_reason: signal.reason } : null;
    case "answered":
      return routing ? { ...call, connected_at: notBefore(call.started_at, signal.at), failure_reason: null } : null;
    case "hung_up":
      // A lost call takes its true end, and the conversion that follows, if the end is reported later.
      return open || isLost(call) ? endCall(call, signal.at, signal.by, `${signal.by}_hangup`) : null;
    case "failed":
      return routing ? endCall(call, signal.at, "system", signal.reason) : null;
    case "recorded":
      return call.recording_url === signal.recording_url ? null : { ...call, recording_url: signal.recording_url };
    case "adjusted":
    case "fields":
      // Updates, every one of them.
      return null;
    default:
      return unreachable(signal);
  }
}

/** Returns true while the destination is being dialed: it can be dialed again only after that dial has failed. */
const isDialing = (call: Call, { target, rtb_id }: SignalOf<"dialing">): boolean =>
  call.attempts > 0 &&
  call.target_id === (target?.id ?? null) &&
  call.rtb_id === rtb_id &&
  call.failure_reason === null;

function dial(call: Call, signal: SignalOf<"dialing">): Call {
  const publisher = signal.publisher_terms ?? call.terms.publisher;
  // Messages that are older than the field have had no other verdict than that of the call's arrival.
  const arrived = call.terms.arrived ?? { is_duplicate: call.is_duplicate, duplicate_of: call.duplicate_of };
  return {
    ...(withTags(call, signal) ?? call),
    target_id: signal.target?.id ?? null,
    target_name: signal.target?.name ?? null,
    target_type: signal.target?.type ?? null,
    buyer_id: signal.buyer?.id ?? null,
    buyer_name: signal.buyer?.name ?? null,
    rtb_id: signal.rtb_id,
    rtb_group_id: signal.rtb_group_id,
    failure_reason: null,
    attempts: call.attempts + 1,
    ivr_duration: call.attempts === 0 && signal.after_menu ? secondsUntil(call, signal) : call.ivr_duration,
    is_duplicate: arrived.is_duplicate || signal.duplicate_of !== null,
    duplicate_of: signal.duplicate_of ?? arrived.duplicate_of,
    configured_revenue: signal.buyer_terms.revenue,
    configured_payout: publisher?.payout ?? null,
    terms: {
      ...call.terms,
      arrived,
      publisher,
      buyer: signal.buyer_terms,
      target_webhook_ids: signal.webhook_ids,
      payable: signal.payable,
      receivable: signal.receivable,
      target_recording_access: signal.recording_access,
    },
  };
}

function endCall(call: Call, at: string, by: NonNullable<Call["termination_by"]>, reason: string): Call {
  const endedAt = notBefore(call.connected_at ?? call.started_at, at);
  return {
    ...call,
    ended_at: endedAt,
    termination_by: by,
    // The reason why it was not connected; a connected call has not failed.
    failure_reason: call.connected_at === null ? reason : null,
    duration: wholeSeconds(call.started_at, endedAt),
    connect_duration: call.connected_at === null ? 0 : wholeSeconds(call.connected_at, endedAt),
  };
}

const wholeSeconds = (from: string, to: string): number => Math.floor((Date.parse(to) - Date.parse(from)) / 1000);
const secondsUntil = ({ started_at }: Call, { at }: Signal): number =>
  wholeSeconds(started_at, notBefore(started_at, at));
/** ISO times of one form compare as text. */
const notBefore = (earliest: string, at: string): string => (at > earliest ? at : earliest);
