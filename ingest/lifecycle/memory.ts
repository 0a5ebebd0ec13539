import type { Call } from "../call.ts";
import type { CallEvent } from "../event.ts";
import { nextTimer, toCall } from "./due-events.ts";
import { createKeptCalls } from "./kept-calls.ts";
import { createTimers } from "./timers.ts";

/**
 * The calls of one partition, and what a restart needs to restore them: the offsets of the oldest event and of the
 * oldest signal without a published event. In memory only; the runner stores both offsets in the log.
 */
export function createCallMemory() {
  const kept = createKeptCalls();
  const unpublished = createUnpublished();
  const timers = createTimers();

  return {
    get: kept.get,

    /** The call changed without an event, by the signal at `signalOffset`. */
    keep(call: Call, signalOffset: number): void {
      kept.put(call);
      unpublished.add(call.call_id, signalOffset);
      timers.set(call.call_id, nextTimer(call));
    },

    /** The event was published at `eventOffset`; a call not known yet becomes what the event carries. */
    published(event: CallEvent, eventOffset: number): void {
      const known = kept.get(event.call_id);
      const call = known !== undefined && known.version >= event.version ? known : toCall(event);
      kept.putPublished(call, eventOffset);
      if (call.last_signal <= event.last_signal) unpublished.remove(call.call_id);
      timers.set(call.call_id, nextTimer(call));
    },

    /** The event can never be published: nothing waits for it, and a restart restores the call as published before. */
    unpublishable({ call_id }: CallEvent): void {
      unpublished.remove(call_id);
      if (kept.leaveUnpublished(call_id)) timers.set(call_id, null);
    },

    /** Calls that are due by `now`, after a look at `limit` timers; each is taken off the clock until it changes again. */
    takeDue: (now: number, limit: number): Call[] =>
      timers.takeDue(now, limit).flatMap((callId) => kept.get(callId) ?? []),

    /** The time at which `takeDue` next has work; null if never. */
    nextDue: timers.nextDue,

    /** Calls whose signals long before `signalOffset` have no published event. */
    longUnpublished: (signalOffset: number): Call[] =>
      unpublished.longBefore(signalOffset).flatMap((callId) => kept.get(callId) ?? []),

    /** A restart reads `call-signals` from here; null if every signal has its events published. */
    oldestUnpublishedSignal: unpublished.oldest,
    forgetEnded: kept.forgetEnded,
    oldestEvent: kept.oldestEvent,
  };
}
export type CallMemory = ReturnType<typeof createCallMemory>;

/** A call may go without an event for so many signals of its partition: a restart has no more than that to read again. */
const maxUnpublishedSignals = 20_000;

/** Calls that changed without an event, each since the signal at an offset; in the order of their offsets. */
function createUnpublished() {
  const offsets = new Map<string, number>();

  return {
    /** Keeps the first of several signals. */
    add(callId: string, signalOffset: number): void {
      if (!offsets.has(callId)) offsets.set(callId, signalOffset);
    },
    remove(callId: string): void {
      offsets.delete(callId);
    },
    /** Returns null if every signal has its events published. */
    oldest(): number | null {
      for (const offset of offsets.values()) return offset;
      return null;
    },
    /** Calls whose signals long before `signalOffset` have no published event. */
    longBefore(signalOffset: number): string[] {
      const callIds: string[] = [];
      for (const [callId, offset] of offsets) {
        if (offset > signalOffset - maxUnpublishedSignals) break;
        callIds.push(callId);
      }
      return callIds;
    },
  };
}
