import { describe, expect, test } from "vitest";
import type { Consumer, PartitionReader } from "../../ingest/log/log.ts";
import { type LogAdapter, openForEach } from "./log-adapter.ts";
import { type At, aborted, onPartition, someMessages, take, values } from "./log-work.ts";

const limits = { maxMessages: 100, maxBytes: 1_000_000, waitMs: 60_000 };

/** The part of the suite about consumers. */
export function describeConsuming(adapter: LogAdapter): void {
  describe("consuming", () => {
    const { log, reopen } = openForEach(adapter);

    /** Publishes `count` messages of one key, and tells where a group finds them. */
    const publish = async (count: number, group = "loader"): Promise<At> => {
      const [position] = await log().publish(someMessages(count));
      return { group, topic: "call-events", partition: position?.partition ?? -1 };
    };

    test("a new group begins with the first message", async () => {
      const at = await publish(3);
      const messages = await onPartition(log(), at, (reader) => take(reader, 3));
      expect(messages.map((message) => message.offset)).toEqual([0, 1, 2]);
      expect(values(messages)).toEqual(['{"n":0}', '{"n":1}', '{"n":2}']);
    });

    test("a group goes on from what it committed, and sees the rest again", async () => {
      const at = await publish(5);
      await onPartition(log(), at, async (reader) => {
        await take(reader, 5);
        await reader.commit(2);
      });
      await reopen();
      await onPartition(log(), at, async (reader) => {
        expect(await reader.committed()).toBe(2);
        expect((await take(reader, 3)).map((message) => message.offset)).toEqual([2, 3, 4]);
      });
    });

    test("groups do not disturb each other", async () => {
      const at = await publish(3);
      await onPartition(log(), at, async (reader) => reader.commit(3));
      const other = await onPartition(log(), { ...at, group: "lifecycle" }, (reader) => take(reader, 3));
      expect(other).toHaveLength(3);
    });

    test("all partitions are worked on, each message once", async () => {
      const keys = Array.from({ length: 20 }, (_, index) => `call-${index}`);
      await log().publish(keys.map((key) => ({ topic: "call-events", key, value: "{}" })));
      const seen: string[] = [];
      const all = new Promise<void>((resolve) => {
        log().consume({
          group: "loader",
          topic: "call-events",
          async work(reader) {
            while (!reader.signal.aborted) {
              for (const message of (await reader.next(limits)).messages) seen.push(message.key);
              if (seen.length === keys.length) resolve();
            }
          },
        });
      });
      await all;
      expect(seen.toSorted()).toEqual(keys.toSorted());
    });

    test("a batch is empty when nothing comes in time", async () => {
      const at = await publish(1);
      const batch = await onPartition(log(), at, async (reader) => {
        await take(reader, 1);
        return reader.next({ ...limits, waitMs: 20 });
      });
      expect(batch).toEqual({ messages: [], caughtUp: true });
    });

    test("a batch holds no more messages than asked for, and tells whether there are more", async () => {
      const at = await publish(5);
      const batches = await onPartition(log(), at, async (reader) => [
        await reader.next({ ...limits, maxMessages: 3 }),
        await reader.next({ ...limits, maxMessages: 2 }),
      ]);
      expect(batches.map((batch) => batch.messages.map((message) => message.offset))).toEqual([
        [0, 1, 2],
        [3, 4],
      ]);
      expect(batches.map((batch) => batch.caughtUp)).toEqual([false, true]);
    });

    test("a batch holds no more bytes than asked for, but at least one message", async () => {
      const [position] = await log().publish(
        [10, 500, 10, 10, 10].map((size) => ({ topic: "call-events", key: "call-1", value: `"${"x".repeat(size)}"` })),
      );
      const at: At = { group: "loader", topic: "call-events", partition: position?.partition ?? -1 };
      const offsets = await onPartition(log(), at, async (reader) => {
        const batches: number[][] = [];
        while (batches.flat().length < 5) {
          const batch = await reader.next({ ...limits, maxBytes: 40 });
          batches.push(batch.messages.map((message) => message.offset));
        }
        return batches;
      });
      expect(offsets).toEqual([[0], [1], [2, 3], [4]]);
    });

    test("a waiting reader is woken by what is published", async () => {
      const at = await publish(1);
      const batch = await onPartition(log(), at, async (reader) => {
        await take(reader, 1);
        const waiting = reader.next(limits);
        await log().publish(someMessages(1, { from: 1 }));
        return waiting;
      });
      expect(values(batch.messages)).toEqual(['{"n":1}']);
    });

    test("a batch gathers what is published until its time", async () => {
      const at = await publish(1);
      const batch = await onPartition(log(), at, async (reader) => {
        const gathering = reader.next({ ...limits, maxMessages: 3, gatherUntil: Date.now() + 60_000 });
        await log().publish(someMessages(2, { from: 1 }));
        return gathering;
      });
      expect(values(batch.messages)).toEqual(['{"n":0}', '{"n":1}', '{"n":2}']);
    });

    test("seek moves where reading goes on, not what is committed", async () => {
      const at = await publish(5);
      await onPartition(log(), at, async (reader) => {
        await take(reader, 5);
        reader.seek(1);
        expect((await take(reader, 2)).map((message) => message.offset)).toEqual([1, 2]);
        expect(await reader.committed()).toBe(0);
      });
    });

    test("a group commits its position in a second topic too", async () => {
      const at = await publish(1);
      const [other] = await log().publish(someMessages(4, { topic: "call-signals" }));
      expect(other?.partition).toBe(at.partition);
      await onPartition(log(), at, async (reader) => {
        expect(await reader.committed("call-signals")).toBe(0);
        await reader.commit(3, "call-signals");
        expect(await reader.committed("call-signals")).toBe(3);
        expect(await reader.committed()).toBe(0);
      });
      const signals: At = { ...at, topic: "call-signals" };
      const rest = await onPartition(log(), signals, (reader) => take(reader, 1));
      expect(rest.map((message) => message.offset)).toEqual([3]);
    });

    test("stopping wakes a waiting reader with an empty batch, and waits until its work has returned", async () => {
      const events: string[] = [];
      let consumer: Consumer | undefined;
      const waiting = new Promise<PartitionReader>((resolve) => {
        consumer = log().consume({
          group: "loader",
          topic: "audit-log",
          async work(reader) {
            resolve(reader);
            const batch = await reader.next({ ...limits, waitMs: 3_600_000 });
            events.push(`${batch.messages.length} messages`);
          },
        });
      });
      await waiting;
      await consumer?.stop();
      await consumer?.finished;
      expect(events).toEqual(Array.from({ length: adapter.partitions }, () => "0 messages"));
    });

    test("an error of the work stops the consumer and rejects `finished`", async () => {
      const at = await publish(1);
      const stopped: number[] = [];
      const consumer = log().consume({
        ...at,
        async work(reader) {
          if (reader.partition === at.partition) throw new Error("the warehouse is gone");
          await aborted(reader.signal);
          stopped.push(reader.partition);
        },
      });
      await expect(consumer.finished).rejects.toThrow("the warehouse is gone");
      expect(stopped).toHaveLength(adapter.partitions - 1);
      await consumer.stop();
    });

    test("closing the log stops its consumers, whose last commit still counts", async () => {
      const at = await publish(3);
      const started = new Promise<void>((resolve) => {
        log().consume({
          ...at,
          async work(reader) {
            if (reader.partition === at.partition) resolve();
            await aborted(reader.signal);
            if (reader.partition === at.partition) await reader.commit(2);
          },
        });
      });
      await started;
      await reopen();
      const rest = await onPartition(log(), at, (reader) => take(reader, 1));
      expect(rest.map((message) => message.offset)).toEqual([2]);
    });
  });
}
