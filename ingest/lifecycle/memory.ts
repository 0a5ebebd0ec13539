import type { Call } from "../call.ts";
import type { CallEvent } from "../event.ts";
import { createKeptCalls } from "./kept-calls.ts";
import { nextTimer, toCall } from "./owed.ts";
import { createTimers } from "./timers.ts";
import { createUntold } from "./untold.ts";

/**
 * The calls of one partition and what a restart needs to know them again: the oldest event, and the oldest signal
 * that no event tells of yet. Pure memory; the runner keeps both offsets in the log.
 */
export function createCallMemory() {
  const kept = createKeptCalls();
  const untold = createUntold();
  const timers = createTimers();

  return {
    get: kept.get,

    /** The call changed without an event, by the signal at `signalOffset`. */
    keep(call: Call, signalOffset: number): void {
      kept.put(call);
      untold.add(call.call_id, signalOffset);
      timers.set(call.call_id, nextTimer(call));
    },

    /** The event was published at `eventOffset`; a call not known yet becomes what the event carries. */
    told(event: CallEvent, eventOffset: number): void {
      const known = kept.get(event.call_id);
      const call = known !== undefined && known.version >= event.version ? known : toCall(event);
      kept.putTold(call, eventOffset);
      if (call.last_signal <= event.last_signal) untold.remove(call.call_id);
      timers.set(call.call_id, nextTimer(call));
    },

    /** The event can never be published: nothing waits for it, and a restart knows the call as it was told before. */
    untellable({ call_id }: CallEvent): void {
      untold.remove(call_id);
      if (kept.leaveUntold(call_id)) timers.set(call_id, null);
    },

    /** Calls that are due by `now`, after a look at `limit` timers; each is taken off the clock until it changes again. */
    takeDue: (now: number, limit: number): Call[] =>
      timers.takeDue(now, limit).flatMap((callId) => kept.get(callId) ?? []),

    /** When `takeDue` has something to look at next; null if never. */
    nextDue: timers.nextDue,

    /** Calls that no event has told of since long before `signalOffset`. */
    longUntold: (signalOffset: number): Call[] =>
      untold.longBefore(signalOffset).flatMap((callId) => kept.get(callId) ?? []),

    /** A restart reads `call-signals` from here; null when every signal has been told. */
    oldestUntoldSignal: untold.oldest,
    forgetEnded: kept.forgetEnded,
    oldestEvent: kept.oldestEvent,
  };
}
export type CallMemory = ReturnType<typeof createCallMemory>;
