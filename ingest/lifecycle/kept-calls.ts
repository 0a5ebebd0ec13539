import type { Call } from "../call.ts";
import { isDone } from "./due-events.ts";

/** Ended calls that are remembered for repeated and late signals. */
const maxEndedCalls = 10_000;

interface Entry {
  readonly call: Call;
  /** Offset in `call-events` of the call's last event; -1 before its first. */
  readonly eventOffset: number;
}

/** The calls of a partition, in the order of their last events, and which of them have ended. */
export function createKeptCalls() {
  // In the order of the offsets, because an entry is put at the end whenever its offset grows.
  const entries = new Map<string, Entry>();
  const ended = new Set<string>();

  return {
    get: (callId: string): Call | undefined => entries.get(callId)?.call,

    /** The call changed without an event. */
    put(call: Call): void {
      entries.set(call.call_id, { call, eventOffset: entries.get(call.call_id)?.eventOffset ?? -1 });
    },

    /** An event of the call was published at `eventOffset`. */
    putPublished(call: Call, eventOffset: number): void {
      entries.delete(call.call_id);
      entries.set(call.call_id, { call, eventOffset });
      if (isDone(call)) ended.add(call.call_id);
    },

    /** The state of the call will not be published. Returns true if none ever was: then the call is forgotten. */
    leaveUnpublished(callId: string): boolean {
      const known = entries.get(callId);
      if (known === undefined) return false;
      if (known.eventOffset === -1) {
        entries.delete(callId);
        ended.delete(callId);
        return true;
      }
      if (isDone(known.call)) ended.add(callId);
      return false;
    },

    /**
     * Forgets the calls that ended first, except those whose signals a restart from `signalOffset` would read again.
     */
    forgetEnded(signalOffset: number): void {
      for (const callId of ended) {
        if (ended.size <= maxEndedCalls) return;
        if ((entries.get(callId)?.call.last_signal ?? -1) >= signalOffset) return;
        ended.delete(callId);
        entries.delete(callId);
      }
    },

    /** A restart reads `call-events` from here; null when no call is kept. */
    oldestEvent(): number | null {
      for (const { eventOffset } of entries.values()) return eventOffset;
      return null;
    },
  };
}
