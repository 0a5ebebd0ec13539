import type { Call } from "../call.ts";
import { isoTime } from "../clock.ts";
import { type CallEvent, type CallEventName, type MarkSeconds, markEvent, markSeconds } from "../event.ts";
import type { EventId } from "../primitives.ts";
import { settle } from "./settle.ts";

/** A call without signals for this long is taken as lost: switches cut calls at four hours themselves. */
const maxSilenceMs = 4 * 60 * 60 * 1000;
/**
 * The lag above which a call counts as reported afterwards, when the pace of its signals says nothing about its
 * duration: its marks are published at its hangup. Half a minute covers slow switches and clock differences.
 */
const maxLiveLagMs = 30 * 1000;

/** A call, and the events published on the way to it. */
export interface Step {
  readonly call: Call;
  readonly events: readonly CallEvent[];
}

interface Owed {
  readonly event: CallEventName;
  readonly at: string;
}

/**
 * The events that a call's facts owe by `until` (ms, in the call's own time), in the specification's order. What is owed
 * follows from the facts and from what was published, so publishing can stop anywhere and go on after a crash with the
 * same events.
 */
export function publishOwed(call: Call, until: number): Step {
  const events: CallEvent[] = [];
  let current = call;
  for (let owed = nextOwed(current, until); owed !== null; owed = nextOwed(current, until)) {
    const emitted = publish(current, owed);
    events.push(emitted.event);
    current = emitted.call;
  }
  return { call: current, events };
}

/**
 * Returns the time (ms) at which the call next changes without a signal: its next mark or its forced end; null once it
 * is done.
 */
export function nextTimer(call: Call): number | null {
  if (isDone(call)) return null;
  if (call.ended_at !== null) return 0;
  const mark = isLive(call) ? nextMark(call) : null;
  return mark === null ? givenUpAt(call) : Math.min(markTime(call, mark) + call.lag_ms, givenUpAt(call));
}

export const isDone = (call: Call): boolean => call.published.includes("call.completed");

const isLive = (call: Call): boolean => call.lag_ms <= maxLiveLagMs;

/**
 * Returns the call's own time at `now`. It lags as much as the call's signals, so that a call that was over when it was
 * reported does not run beyond its end while its hangup is in transit.
 */
export const callTime = (call: Call, now: number): number =>
  isLive(call) ? now - call.lag_ms : Number.NEGATIVE_INFINITY;

/** Returns the end of a lost call, in its own time. */
export const lostEnd = (call: Call): number => Date.parse(call.last_signal_at ?? call.updated_at) + maxSilenceMs;

/** Returns the time by the clock at which a call without signals is given up. */
export const givenUpAt = (call: Call): number => lostEnd(call) + call.lag_ms;

function nextOwed(call: Call, until: number): Owed | null {
  const lacks = (event: CallEventName) => !call.published.includes(event);
  if (lacks("call.incoming")) return { event: "call.incoming", at: call.started_at };
  if (call.connected_at !== null && lacks("call.connected")) return { event: "call.connected", at: call.connected_at };
  const mark = nextMark(call);
  if (mark !== null && markTime(call, mark) <= Math.min(until, endTime(call))) {
    return { event: markEvent(mark), at: isoTime(markTime(call, mark)) };
  }
  if (call.ended_at === null) return null;
  const at = call.ended_at;
  const partyHungUp = call.connected_at !== null || call.termination_by !== "system";
  if (partyHungUp && lacks("call.hangup")) return { event: "call.hangup", at };
  if (call.connected_at === null && lacks("call.failure")) return { event: "call.failure", at };
  // A later adjustment of a call that is over is published as such, and not as its conversion.
  const isAdjustedLate = call.terms.adjusted !== null && isDone(call);
  if (!isAdjustedLate && settle(call).converted && lacks("call.converted")) return { event: "call.converted", at };
  if (lacks("call.completed")) return { event: "call.completed", at };
  return null;
}

function nextMark(call: Call): MarkSeconds | null {
  if (call.connected_at === null) return null;
  return markSeconds.find((seconds) => !call.published.includes(markEvent(seconds))) ?? null;
}

const markTime = (call: Call, mark: MarkSeconds): number => Date.parse(call.connected_at ?? "") + mark * 1000;
const endTime = (call: Call): number => (call.ended_at === null ? Number.POSITIVE_INFINITY : Date.parse(call.ended_at));

function publish(call: Call, { event, at }: Owed): Emitted {
  const after = event === "call.converted" || event === "call.completed" ? settle(call) : call;
  return emit(after, event, { at, status: statusAfter(event, call) });
}

interface Emitted {
  readonly call: Call;
  readonly event: CallEvent;
}

interface EmitOptions extends Pick<CallEvent, "cause" | "quiet"> {
  readonly at: string;
  readonly status: Call["status"];
}

/**
 * Returns the event and the call after it, with the next version. The event's id is derived from the call, so that a
 * repeat has the same one. A late fact gets no earlier time than the facts published before it.
 */
export function emit(call: Call, event: CallEventName, { at, status, ...about }: EmitOptions): Emitted {
  const version = call.version + 1;
  const occurred_at = at > call.updated_at ? at : call.updated_at;
  // A call can be corrected many times, but has each of the other events once.
  const id = (event === "call.updated" ? `${call.call_id}:${event}:${version}` : `${call.call_id}:${event}`) as EventId;
  const next: Call = { ...call, status, version, updated_at: occurred_at, published: [...call.published, event] };
  return { call: next, event: { ...next, v: 1, id, event, occurred_at, ...about } };
}

/** The call that an event carries. */
export function toCall(event: CallEvent): Call {
  const { v: _v, id: _id, event: _event, occurred_at: _at, cause: _cause, quiet: _quiet, ...call } = event;
  return call;
}

function statusAfter(event: CallEventName, call: Call): Call["status"] {
  if (event === "call.failure") return "failed";
  if (event === "call.connected") return "connected";
  if (event === "call.completed" && call.status !== "failed") return "completed";
  return call.status;
}
