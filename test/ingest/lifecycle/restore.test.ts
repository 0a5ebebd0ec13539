import { describe, expect, it, onTestFinished } from "vitest";
import type { CallEvent } from "../../../ingest/event.ts";
import { createCallMemory } from "../../../ingest/lifecycle/memory.ts";
import { restore } from "../../../ingest/lifecycle/restore.ts";
import { openLmdbLog } from "../../../ingest/log/log-lmdb.ts";
import type { CallId } from "../../../ingest/primitives.ts";
import { anEvent, startOfTime } from "../../make.ts";
import { createManualClock } from "../../manual-clock.ts";
import { temporaryFolder } from "../../temporary.ts";

/** What a restart knows of a log with these events, and what it could not read. */
async function restoreFrom(events: readonly (CallEvent | string)[], { committed = 0, stopped = false } = {}) {
  const log = await openLmdbLog({ dir: temporaryFolder(), clock: createManualClock(startOfTime) });
  onTestFinished(() => log.close());
  await log.publish(
    events.map((event) => ({
      topic: "call-events",
      ...(typeof event === "string"
        ? { key: "odd", value: event }
        : { key: event.call_id, value: JSON.stringify(event) }),
    })),
  );
  const calls = createCallMemory();
  const unreadable: string[] = [];
  const stop = new AbortController();
  if (stopped) stop.abort();
  const reader = { partition: 0, signal: stop.signal, committed: async () => committed };
  await restore(log, reader, { calls, onTrouble: ({ place }) => void unreadable.push(place.id) });
  return { calls, unreadable };
}

const version = (number: number, of: Partial<CallEvent> = {}): CallEvent => ({
  ...anEvent("call.connected"),
  version: number,
  caller_zip: `zip ${number}`,
  ...of,
});
const another = { call_id: "call-2" as CallId };

describe("after a restart", () => {
  it("each call is as its newest event tells, wherever that stands, and the next restart reads from there", async () => {
    const { calls } = await restoreFrom([version(1), version(3), version(1, another), version(2)]);
    expect(calls.get("call-1")).toMatchObject({ version: 3, caller_zip: "zip 3" });
    expect(calls.get("call-2")).toMatchObject({ version: 1 });
    expect(calls.oldestEvent()).toBe(1);
  });

  it("the oldest of the calls' newest events is where the next restart begins", async () => {
    const { calls } = await restoreFrom([version(1), version(1, another), version(2)]);
    expect(calls.oldestEvent()).toBe(1);
  });

  it("a call whose newest event cannot be read is as the one before tells, and that event is named once", async () => {
    const spoilt = JSON.stringify({ ...version(3), status: "unknown" });
    const { calls, unreadable } = await restoreFrom([version(1), version(2), spoilt, version(1, another), "no JSON"]);
    expect(calls.get("call-1")).toMatchObject({ version: 2, caller_zip: "zip 2" });
    expect(calls.oldestEvent()).toBe(1);
    expect(unreadable.sort()).toEqual(["0:2", "0:4"]);
  });

  it("events before the committed offset count no more", async () => {
    const { calls } = await restoreFrom([version(1), version(1, another)], { committed: 1 });
    expect([calls.get("call-1"), calls.get("call-2")?.version]).toEqual([undefined, 1]);
  });

  it("many calls are checked a few at a time, and whatever else is due runs in between", async () => {
    const log = {
      async *read() {
        for (let offset = 0; offset < 1000; offset++) {
          const value = JSON.stringify(version(1, { call_id: `call-${offset}` as CallId }));
          yield { offset, key: `call-${offset}`, value, publishedAt: startOfTime };
        }
      },
    };
    const calls = createCallMemory();
    let turns = 0;
    const onTurn = () => {
      turns += 1;
      turning = setImmediate(onTurn);
    };
    let turning = setImmediate(onTurn);
    const reader = { partition: 0, signal: new AbortController().signal, committed: async () => 0 };
    await restore(log, reader, { calls, onTrouble: () => undefined });
    clearImmediate(turning);
    expect(calls.get("call-999")).toBeDefined();
    expect(turns).toBeGreaterThanOrEqual(9);
  });

  it("nothing is taken of a log that was read in part, as it is to stop", async () => {
    const { calls } = await restoreFrom([version(1)], { stopped: true });
    expect(calls.oldestEvent()).toBeNull();
  });
});
