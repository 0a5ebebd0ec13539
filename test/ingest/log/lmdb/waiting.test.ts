import { describe, expect, test, vi } from "vitest";
import type { Batch, EventLog, PartitionReader } from "../../../../ingest/log/log.ts";
import { onPartition, someMessages, take } from "../../../contract/log-work.ts";
import { createManualClock, type ManualClock } from "../../../manual-clock.ts";
import { openTemporaryLog } from "../temporary-log.ts";

/** Real time, for what waits for the disk. */
const patiently = { interval: 2, timeout: 5_000 };
const at = { group: "loader", topic: "call-events", partition: 0 } as const;
const limits = { maxMessages: 10, maxBytes: 1_000_000, waitMs: 1_000 };

/** Asks for a batch and returns once the reader sleeps; the sweep for old messages always sleeps too. */
async function ask(clock: ManualClock, next: () => Promise<Batch>) {
  const state: { batch?: Batch } = {};
  const done = next().then((batch) => {
    state.batch = batch;
  });
  await vi.waitFor(() => expect(clock.sleepers()).toBe(2), patiently);
  return { state, done };
}

/** Lets everything run that does not wait for the clock or the disk. */
const settle = async () => {
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
};

describe("a reader of the LMDB log", () => {
  const withReader = async (act: (reader: PartitionReader, clock: ManualClock, log: EventLog) => Promise<void>) => {
    const clock = createManualClock(Date.UTC(2026, 0, 5, 15));
    const { log } = await openTemporaryLog({ clock });
    await onPartition(log, at, (reader) => act(reader, clock, log));
  };

  test("waits just as long as asked for by the clock it was given", () =>
    withReader(async (reader, clock) => {
      const { state, done } = await ask(clock, () => reader.next(limits));
      for (let ms = 0; ms < 999; ms += 27) {
        clock.advance(27);
        await settle();
      }
      expect(state.batch).toBeUndefined();
      clock.advance(1);
      await done;
      expect(state.batch).toEqual({ messages: [], caughtUp: true });
    }));

  test("looks again only when its time has come or something was published", () =>
    withReader(async (reader, clock, log) => {
      const { done } = await ask(clock, () => reader.next(limits));
      const looks = vi.spyOn(clock, "sleep");
      await settle();
      expect(looks).not.toHaveBeenCalled();
      await log.publish([{ topic: "audit-log", key: "a", value: "{}" }]);
      await settle();
      expect(looks).toHaveBeenCalledTimes(1);
      clock.advance(1_000);
      await done;
    }));

  test("is woken by a publish while the clock stands still", () =>
    withReader(async (reader, clock, log) => {
      const { state, done } = await ask(clock, () => reader.next(limits));
      await log.publish(someMessages(1));
      await done;
      expect(state.batch?.messages).toHaveLength(1);
    }));

  test("gathers until the time that it is given, and waits for nothing after it", () =>
    withReader(async (reader, clock, log) => {
      const gatherUntil = clock.now() + 1_100;
      const { state, done } = await ask(clock, () => reader.next({ ...limits, gatherUntil }));
      clock.advance(900);
      await log.publish(someMessages(1));
      await settle();
      clock.advance(199);
      await log.publish(someMessages(1, { from: 1 }));
      await settle();
      expect(state.batch).toBeUndefined();
      clock.advance(1);
      await done;
      expect(state.batch?.messages).toHaveLength(2);
      expect(state.batch?.caughtUp).toBe(true);
      const later = await ask(clock, () => reader.next({ ...limits, gatherUntil }));
      await log.publish(someMessages(1, { from: 2 }));
      await later.done;
      expect(later.state.batch?.messages).toHaveLength(1);
    }));

  test("stops gathering when the batch is full", () =>
    withReader(async (reader, clock, log) => {
      await log.publish(someMessages(1));
      const { state, done } = await ask(clock, () =>
        reader.next({ ...limits, maxMessages: 3, gatherUntil: clock.now() + 60_000 }),
      );
      await log.publish(someMessages(5, { from: 1 }));
      await done;
      expect(state.batch?.messages).toHaveLength(3);
      expect(state.batch?.caughtUp).toBe(false);
    }));

  test("gives back what it had gathered when it is stopped meanwhile", async () => {
    const clock = createManualClock(Date.UTC(2026, 0, 5, 15));
    const { log } = await openTemporaryLog({ clock });
    await log.publish(someMessages(2));
    let asked: Awaited<ReturnType<typeof ask>> | undefined;
    const consumer = log.consume({
      ...at,
      async work(reader) {
        asked = await ask(clock, () => reader.next({ ...limits, gatherUntil: clock.now() + 60_000 }));
        await asked.done;
      },
    });
    await vi.waitFor(() => expect(asked).toBeDefined(), patiently);
    await consumer.stop();
    expect(asked?.state.batch).toEqual({ messages: [], caughtUp: false });
    expect(await onPartition(log, at, (reader) => take(reader, 2))).toHaveLength(2);
  });

  test("reads a backlog of many chunks in one batch", () =>
    withReader(async (reader, _clock, log) => {
      const message = { topic: "call-events" as const, key: "call-1", value: "x".repeat(600_000) };
      await log.publish(Array.from({ length: 9 }, () => message));
      const batch = await reader.next({ ...limits, maxBytes: 5_000_000 });
      expect(batch.messages.map(({ offset }) => offset)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
      expect(batch.caughtUp).toBe(false);
    }));
});
