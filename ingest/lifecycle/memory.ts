import TinyQueue from "tinyqueue";
import type { Call } from "../call.ts";
import type { CallEvent } from "../event.ts";
import { isDone, nextTimer, toCall } from "./owed.ts";

/** Ended calls that are still remembered, so that repeated and late signals find them. */
const maxEndedCalls = 10_000;
/** A call may go without an event for so many signals of its partition: a restart has no more than that to read again. */
const maxUntoldSignals = 20_000;

interface Entry {
  readonly call: Call;
  /** Offset in `call-events` of the call's last event; -1 before its first. */
  readonly eventOffset: number;
}
interface Timer {
  readonly due: number;
  readonly callId: string;
}

/**
 * The calls of one partition and what a restart needs to know them again: the oldest event, and the oldest signal
 * that no event tells of yet. Pure memory; the runner keeps both offsets in the log.
 */
export function createOpenCalls() {
  // Both maps stay in the order of their offsets, because an entry is put at the end whenever its offset grows.
  const entries = new Map<string, Entry>();
  const untold = new Map<string, number>();
  const ended = new Set<string>();
  const timers = new TinyQueue<Timer>([], (one, other) => one.due - other.due);

  function setTimer(call: Call): void {
    const due = nextTimer(call);
    if (due !== null) timers.push({ due, callId: call.call_id });
  }

  return {
    get: (callId: string): Call | undefined => entries.get(callId)?.call,
    size: (): number => entries.size - ended.size,

    /** The call changed without an event, by the signal at `signalOffset`. */
    keep(call: Call, signalOffset: number): void {
      const known = entries.get(call.call_id);
      entries.set(call.call_id, { call, eventOffset: known?.eventOffset ?? -1 });
      if (!untold.has(call.call_id)) untold.set(call.call_id, signalOffset);
      setTimer(call);
    },

    /** The event was published at `eventOffset`; a call not known yet becomes what the event carries. */
    told(event: CallEvent, eventOffset: number): void {
      const known = entries.get(event.call_id)?.call;
      const call = known !== undefined && known.version >= event.version ? known : toCall(event);
      entries.delete(call.call_id);
      entries.set(call.call_id, { call, eventOffset });
      if (call.last_signal <= event.last_signal) untold.delete(call.call_id);
      if (isDone(call)) ended.add(call.call_id);
      setTimer(call);
    },

    /** Calls that are due by `now`, at most `limit`; each is taken off the clock until it changes again. */
    takeDue(now: number, limit: number): Call[] {
      const due = new Map<string, Call>();
      for (
        let timer = timers.peek();
        timer !== undefined && timer.due <= now && due.size < limit;
        timer = timers.peek()
      ) {
        timers.pop();
        const call = entries.get(timer.callId)?.call;
        // A timer that the call has outlived is passed over: its present one is in the queue as well.
        if (call !== undefined && (nextTimer(call) ?? Number.POSITIVE_INFINITY) <= now) due.set(timer.callId, call);
      }
      return [...due.values()];
    },

    /** When `takeDue` has something next; null if never. */
    nextDue: (): number | null => timers.peek()?.due ?? null,

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
export type OpenCalls = ReturnType<typeof createOpenCalls>;
