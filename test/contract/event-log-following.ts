import { describe, expect, test } from "vitest";
import type { Consumer, EventLog, PartitionFollower, Topic } from "../../ingest/log/log.ts";
import { type LogAdapter, openForEach } from "./log-adapter.ts";
import { aborted, codeOf, onPartition, someMessages, values } from "./log-work.ts";

const limits = { maxMessages: 100, maxBytes: 1_000_000, waitMs: 60_000 };
const topic: Topic = "call-events";

/** Reads until `count` messages have come. */
async function followUntil(log: EventLog, from: readonly number[], count: number) {
  const found: { partition: number; offset: number; value: string }[] = [];
  let consumer: Consumer | undefined;
  await new Promise<void>((resolve, reject) => {
    consumer = log.follow({
      topic,
      from,
      async work(reader) {
        while (!reader.signal.aborted && found.length < count) {
          const { messages } = await reader.next(limits);
          found.push(...messages.map(({ offset, value }) => ({ partition: reader.partition, offset, value })));
          if (found.length >= count) resolve();
        }
      },
    });
    consumer.finished.catch(reject);
  });
  await consumer?.stop();
  return found;
}

/** The part of the suite about followers. */
export function describeFollowing(adapter: LogAdapter): void {
  describe("following", () => {
    const { log } = openForEach(adapter);

    test("begins in each partition where it is told to, and goes on with what comes", async () => {
      const keys = Array.from({ length: 20 }, (_, index) => `call-${index}`);
      const publishAll = (value: string) => log().publish(keys.map((key) => ({ topic, key, value })));
      await publishAll('"before"');
      const from = await log().ends(topic);
      await publishAll('"after"');
      const found = await followUntil(log(), from, keys.length);
      expect(found.map(({ value }) => value)).toEqual(keys.map(() => '"after"'));
      expect(new Set(found.map(({ partition }) => partition)).size).toBe(adapter.partitions);
    });

    test("two followers and a group read the same messages, each all of them", async () => {
      const [position] = await log().publish(someMessages(3));
      const both = await Promise.all([followUntil(log(), [], 3), followUntil(log(), [], 3)]);
      expect(both.map((found) => found.map(({ offset }) => offset))).toEqual([
        [0, 1, 2],
        [0, 1, 2],
      ]);
      const at = { group: "loader", topic, partition: position?.partition ?? -1 };
      expect(values((await onPartition(log(), at, (reader) => reader.next(limits))).messages)).toHaveLength(3);
    });

    test("stopping wakes a waiting follower with an empty batch, and waits until its work has returned", async () => {
      const heard: number[] = [];
      let waiting = (_: PartitionFollower): void => undefined;
      const begun = new Promise<PartitionFollower>((resolve) => {
        waiting = resolve;
      });
      const follower = log().follow({
        topic,
        from: [],
        async work(reader) {
          waiting(reader);
          heard.push((await reader.next({ ...limits, waitMs: 3_600_000 })).messages.length);
        },
      });
      await begun;
      await follower.stop();
      expect(heard).toEqual(Array.from({ length: adapter.partitions }, () => 0));
    });

    test("an error of the work, or an offset beyond the end, stops the follower and rejects `finished`", async () => {
      const failing = log().follow({
        topic,
        from: [],
        work: async () => {
          throw new Error("out of memory");
        },
      });
      await expect(failing.finished).rejects.toThrow("out of memory");
      const beyond = log().follow({ topic, from: [7], work: ({ signal }) => aborted(signal) });
      expect(await codeOf(() => beyond.finished)).toBe("bad_position");
    });

    test("closing the log stops its followers, and a closed log has none", async () => {
      const follower = log().follow({ topic, from: [], work: ({ signal }) => aborted(signal) });
      await log().close();
      await follower.finished;
      expect(await codeOf(async () => log().follow({ topic, from: [], work: async () => {} }))).toBe("log_closed");
    });
  });
}
