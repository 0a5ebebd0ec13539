import type { Call } from "../call.ts";
import { isoTime } from "../clock.ts";
import { type CallEvent, type CallEventName, type MarkSeconds, markEvent, markSeconds } from "../event.ts";
import type { EventId } from "../primitives.ts";
import { settle } from "./settle.ts";

/** A call that no signal ends is taken to have ended after this long: switches cut calls at four hours themselves. */
export const maxCallMs = 4 * 60 * 60 * 1000;

interface Owed {
  readonly event: CallEventName;
  readonly at: string;
}

/**
 * The events that a call's facts owe by `now` (ms), in the specification's order. What is owed follows from the facts
 * and from what was published, so publishing can stop anywhere and go on after a crash with the same events.
 */
export function publishOwed(call: Call, now: number): { call: Call; events: CallEvent[] } {
  const events: CallEvent[] = [];
  let current = call;
  for (let owed = nextOwed(current, now); owed !== null; owed = nextOwed(current, now)) {
    const told = publish(current, owed);
    events.push(told.event);
    current = told.call;
  }
  return { call: current, events };
}

/** When the call next needs a look without any signal, in ms: its next mark or its forced end; null once it is done. */
export function nextTimer(call: Call): number | null {
  if (isDone(call)) return null;
  if (call.ended_at !== null) return 0;
  const mark = nextMark(call);
  return mark === null ? forcedEnd(call) : Math.min(markTime(call, mark), forcedEnd(call));
}

export const isDone = (call: Call): boolean => call.published.includes("call.completed");

export const forcedEnd = (call: Call): number => Date.parse(call.connected_at ?? call.started_at) + maxCallMs;

function nextOwed(call: Call, now: number): Owed | null {
  const lacks = (event: CallEventName) => !call.published.includes(event);
  if (lacks("call.incoming")) return { event: "call.incoming", at: call.started_at };
  if (call.connected_at !== null && lacks("call.connected")) return { event: "call.connected", at: call.connected_at };
  const mark = nextMark(call);
  if (mark !== null && markTime(call, mark) <= Math.min(now, endTime(call))) {
    return { event: markEvent(mark), at: isoTime(markTime(call, mark)) };
  }
  if (call.ended_at === null) return null;
  const at = call.ended_at;
  const partyHungUp = call.connected_at !== null || call.termination_by !== "system";
  if (partyHungUp && lacks("call.hangup")) return { event: "call.hangup", at };
  if (call.connected_at === null && lacks("call.failure")) return { event: "call.failure", at };
  if (settle(call).converted && lacks("call.converted")) return { event: "call.converted", at };
  if (lacks("call.completed")) return { event: "call.completed", at };
  return null;
}

function nextMark(call: Call): MarkSeconds | null {
  if (call.connected_at === null) return null;
  return markSeconds.find((seconds) => !call.published.includes(markEvent(seconds))) ?? null;
}

const markTime = (call: Call, mark: MarkSeconds): number => Date.parse(call.connected_at ?? "") + mark * 1000;
const endTime = (call: Call): number => (call.ended_at === null ? Number.POSITIVE_INFINITY : Date.parse(call.ended_at));

function publish(call: Call, { event, at }: Owed): Told {
  const after = event === "call.converted" || event === "call.completed" ? settle(call) : call;
  return tell(after, event, { at, status: statusAfter(event, call) });
}

interface Told {
  readonly call: Call;
  readonly event: CallEvent;
}

/**
 * The event and the call after it, one version on. The event's id follows from the call, so a repeat has the same one.
 * A fact that reaches us late is not told as earlier than what was told before it.
 */
export function tell(call: Call, event: CallEventName, { at, status }: { at: string; status: Call["status"] }): Told {
  const version = call.version + 1;
  const occurred_at = at > call.updated_at ? at : call.updated_at;
  // A call can be corrected many times, but has each of the other events once.
  const id = (event === "call.updated" ? `${call.call_id}:${event}:${version}` : `${call.call_id}:${event}`) as EventId;
  const next: Call = { ...call, status, version, updated_at: occurred_at, published: [...call.published, event] };
  return { call: next, event: { ...next, v: 1, id, event, occurred_at } };
}

/** The call that an event carries. */
export function toCall({ v: _v, id: _id, event: _event, occurred_at: _at, ...call }: CallEvent): Call {
  return call;
}

function statusAfter(event: CallEventName, call: Call): Call["status"] {
  if (event === "call.failure") return "failed";
  if (event === "call.connected") return "connected";
  if (event === "call.completed" && call.status !== "failed") return "completed";
  return call.status;
}
