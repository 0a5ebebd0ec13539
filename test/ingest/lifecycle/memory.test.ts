import { describe, expect, it } from "vitest";
import type { CallEvent } from "../../../ingest/event.ts";
import { applySignal } from "../../../ingest/lifecycle/fold.ts";
import { type CallMemory, createCallMemory } from "../../../ingest/lifecycle/memory.ts";
import type { CallId } from "../../../ingest/primitives.ts";
import type { Signal } from "../../../ingest/signal.ts";
import { aDialing, anAnswered, anIncoming, signalsOfCall, startOfTime } from "../../make.ts";

/** Keeps the signals as the runner does, the first at `position`; returns the events that they bring. */
function keep(calls: CallMemory, signals: readonly Signal[], position: number): CallEvent[] {
  return signals.flatMap((signal, index) => {
    const applied = applySignal(calls.get(signal.call_id), signal, position + index);
    if (applied.kind !== "applied") throw new Error(applied.kind);
    calls.keep(applied.call, position + index);
    return [...applied.events];
  });
}

function tellAll(calls: CallMemory, events: readonly CallEvent[], from: number): void {
  events.forEach((event, index) => {
    calls.published(event, from + index);
  });
}

const callTwo = { call_id: "call-2" as CallId };

describe("the memory of calls", () => {
  it("knows a call by its signals, and from its events alone", () => {
    const calls = createCallMemory();
    const events = keep(calls, signalsOfCall(16), 0);
    const restored = createCallMemory();
    tellAll(restored, events, 0);
    expect(restored.get("call-1")).toEqual(calls.get("call-1"));
  });

  it("does not let an older event replace what a newer signal has told", () => {
    const calls = createCallMemory();
    const [incoming] = keep(calls, [anIncoming(), aDialing()], 0);
    if (incoming === undefined) throw new Error("no event");
    calls.published(incoming, 0);
    expect(calls.get("call-1")?.target_id).toBe("tgt-1");
  });

  it("tells the oldest signal that no event tells of yet", () => {
    const calls = createCallMemory();
    const first = keep(calls, [anIncoming(), aDialing()], 10);
    const second = keep(calls, [anIncoming(callTwo), aDialing(callTwo)], 12);
    expect(calls.oldestUnpublishedSignal()).toBe(10);
    tellAll(calls, [...first, ...second], 0);
    expect(calls.oldestUnpublishedSignal()).toBe(10);
    tellAll(calls, keep(calls, [anAnswered()], 14), 2);
    expect(calls.oldestUnpublishedSignal()).toBe(12);
    tellAll(calls, keep(calls, [anAnswered(callTwo)], 15), 3);
    expect(calls.oldestUnpublishedSignal()).toBeNull();
  });

  it("tells the oldest event that a restart needs", () => {
    const calls = createCallMemory();
    tellAll(calls, keep(calls, [anIncoming()], 0), 5);
    tellAll(calls, keep(calls, [anIncoming(callTwo)], 1), 6);
    expect(calls.oldestEvent()).toBe(5);
    tellAll(calls, keep(calls, [aDialing(), anAnswered()], 2), 7);
    expect(calls.oldestEvent()).toBe(6);
  });

  it("tells which calls have gone without an event for long", () => {
    const calls = createCallMemory();
    tellAll(calls, keep(calls, [anIncoming(), aDialing()], 0), 0);
    expect(calls.longUnpublished(20_000)).toMatchObject([{ call_id: "call-1" }]);
    expect(calls.longUnpublished(19_999)).toEqual([]);
  });

  it("wakes for each mark once, and not for a call that is done", () => {
    const calls = createCallMemory();
    tellAll(calls, keep(calls, signalsOfCall(16).slice(0, 3), 0), 0);
    expect(calls.nextDue()).toBe(startOfTime + 5000);
    expect(calls.takeDue(startOfTime + 5000, 100)).toMatchObject([{ call_id: "call-1" }]);
    expect(calls.takeDue(startOfTime + 5000, 100)).toEqual([]);
    tellAll(calls, keep(calls, signalsOfCall(16).slice(3), 3), 2);
    expect(calls.takeDue(Number.MAX_SAFE_INTEGER, 100)).toEqual([]);
  });

  it("forgets the longest ended calls, but none whose signals a restart would read again", { tags: ["slow"] }, () => {
    const calls = createCallMemory();
    const ended = 10_002;
    for (let index = 0; index < ended; index++) {
      const signals = signalsOfCall(1, { call_id: `call-${index}` as CallId });
      tellAll(calls, keep(calls, signals, 4 * index), 4 * index);
    }
    calls.forgetEnded(3);
    expect(calls.get("call-0")).toBeDefined();
    calls.forgetEnded(4);
    expect(calls.get("call-0")).toBeUndefined();
    calls.forgetEnded(4 * ended);
    expect(["call-1", "call-2"].map((id) => calls.get(id) !== undefined)).toEqual([false, true]);
    expect(calls.oldestEvent()).toBe(4 * 2 + 3);
  });

  it("lets nothing wait for an event that can never be published", () => {
    const calls = createCallMemory();
    const [incoming] = keep(calls, [anIncoming()], 0);
    if (incoming === undefined) throw new Error("no event");
    calls.unpublishable(incoming);
    expect([calls.get("call-1"), calls.oldestUnpublishedSignal(), calls.oldestEvent()]).toEqual([
      undefined,
      null,
      null,
    ]);
    expect(calls.takeDue(Number.MAX_SAFE_INTEGER, 100)).toEqual([]);
  });
});
