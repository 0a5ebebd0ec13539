import type { Call } from "../call.ts";
import type { CallEvent } from "../event.ts";
import { isDone, nextTimer, toCall } from "./owed.ts";
import { createTimers } from "./timers.ts";

/** Ended calls that are still remembered, so that repeated and late signals find them. */
const maxEndedCalls = 10_000;
/** A call may go without an event for so many signals of its partition: a restart has no more than that to read again. */
const maxUntoldSignals = 20_000;

interface Entry {
  readonly call: Call;
  /** Offset in `call-events` of the call's last event; -1 before its first. */
  readonly eventOffset: number;
}

/**
 * The calls of one partition and what a restart needs to know them again: the oldest event, and the oldest signal
 * that no event tells of yet. Pure memory; the runner keeps both offsets in the log.
 */
export function createCallMemory() {
  // Both maps stay in the order of their offsets, because an entry is put at the end whenever its offset grows.
  const entries = new Map<string, Entry>();
  const untold = new Map<string, number>();
  const ended = new Set<string>();
  const timers = createTimers();

  return {
    get: (callId: string): Call | undefined => entries.get(callId)?.call,

    /** The call changed without an event, by the signal at `signalOffset`. */
    keep(call: Call, signalOffset: number): void {
      const known = entries.get(call.call_id);
      entries.set(call.call_id, { call, eventOffset: known?.eventOffset ?? -1 });
      if (!untold.has(call.call_id)) untold.set(call.call_id, signalOffset);
      timers.set(call.call_id, nextTimer(call));
    },

    /** The event was published at `eventOffset`; a call not known yet becomes what the event carries. */
    told(event: CallEvent, eventOffset: number): void {
      const known = entries.get(event.call_id)?.call;
      const call = known !== undefined && known.version >= event.version ? known : toCall(event);
      entries.delete(call.call_id);
      entries.set(call.call_id, { call, eventOffset });
      if (call.last_signal <= event.last_signal) untold.delete(call.call_id);
      if (isDone(call)) ended.add(call.call_id);
      timers.set(call.call_id, nextTimer(call));
    },

    /** The event can never be published: nothing waits for it, and a restart knows the call as it was told before. */
    untellable({ call_id }: CallEvent): void {
      const known = entries.get(call_id);
      untold.delete(call_id);
      if (known === undefined) return;
      if (isDone(known.call)) ended.add(call_id);
      if (known.eventOffset !== -1) return;
      entries.delete(call_id);
      ended.delete(call_id);
      timers.set(call_id, null);
    },

    /** Calls that are due by `now`, after a look at `limit` timers; each is taken off the clock until it changes again. */
    takeDue: (now: number, limit: number): Call[] =>
      timers.takeDue(now, limit).flatMap((callId) => entries.get(callId)?.call ?? []),

    /** When `takeDue` has something to look at next; null if never. */
    nextDue: timers.nextDue,

    /** Calls that no event has told of since long before `signalOffset`. */
    longUntold(signalOffset: number): Call[] {
      const calls: Call[] = [];
      for (const [callId, offset] of untold) {
        if (offset > signalOffset - maxUntoldSignals) break;
        const call = entries.get(callId)?.call;
        if (call !== undefined) calls.push(call);
      }
      return calls;
    },

    /** A restart reads `call-signals` from here; null when every signal has been told. */
    oldestUntoldSignal(): number | null {
      for (const offset of untold.values()) return offset;
      return null;
    },

    /** Forgets the longest ended calls, but none whose signals a restart from `signalOffset` would read again. */
    forgetEnded(signalOffset: number): void {
      for (const callId of ended) {
        if (ended.size <= maxEndedCalls) return;
        if ((entries.get(callId)?.call.last_signal ?? -1) >= signalOffset) return;
        ended.delete(callId);
        entries.delete(callId);
      }
    },

    /** A restart reads `call-events` from here; null when no call is remembered. */
    oldestEvent(): number | null {
      for (const { eventOffset } of entries.values()) return eventOffset;
      return null;
    },
  };
}
export type CallMemory = ReturnType<typeof createCallMemory>;
