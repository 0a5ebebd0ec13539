import { type Cluster, Kafka, logLevel } from "kafkajs";
import { describe, expect, test, vi } from "vitest";
import { fetchFrom } from "../../../../ingest/log/kafka/fetch.ts";
import type { FetchedPartition } from "../../../../ingest/log/kafka/fetch-response.ts";
import { codeOf, onPartition, readAll, someMessages, take, values } from "../../../contract/log-work.ts";
import { brokersOf, testBrokers } from "../../../kafka-server.ts";
import { createKafkaLogs } from "./rig.ts";

const topic = "call-events";
const at = { group: "loader", topic, partition: 0 } as const;

describe.skipIf(testBrokers === undefined)("gaps between offsets (TEST_REDPANDA_BROKERS)", () => {
  test("that transactions leave are passed over, and what was taken back is not told", async () => {
    const { prefix, open } = createKafkaLogs({ partitions: 1 });
    const log = await open();
    await inTransaction(`${prefix}${topic}`, [
      ["kept", "commit"],
      ["taken back", "abort"],
    ]);
    // A broker ends a transaction by writing so into each partition, after it has told its producer.
    await vi.waitFor(async () => expect(await log.ends(topic)).toEqual([4]));
    expect(values(await readAll(log, topic))).toEqual(["kept"]);
    await log.publish(someMessages(1));
    const told = await onPartition(log, at, (reader) => take(reader, 2));
    expect(told.map(({ offset, value }) => [offset, value])).toEqual([
      [0, "kept"],
      [4, '{"n":0}'],
    ]);
  });

  test("that retention leaves at the beginning are passed over, by groups too", async () => {
    const { prefix, open } = createKafkaLogs({ partitions: 1 });
    const log = await open();
    await log.publish(someMessages(5));
    await removeBefore(`${prefix}${topic}`, 3);
    expect((await readAll(log, topic)).map(({ offset }) => offset)).toEqual([3, 4]);
    const told = await onPartition(log, at, (reader) => take(reader, 2));
    expect(told.map(({ offset }) => offset)).toEqual([3, 4]);
  });

  test("do not hide that a group stands beyond the end: its work is refused", async () => {
    const log = await createKafkaLogs({ partitions: 1 }).open();
    await log.publish(someMessages(3));
    await onPartition(log, at, async (reader) => {
      expect(await codeOf(() => reader.commit(4))).toBe("bad_position");
      expect(await codeOf(() => reader.commit(0.5))).toBe("bad_position");
    });
    const lost = log.consume({
      ...at,
      async work(reader) {
        reader.seek(7);
        await reader.next({ maxMessages: 1, maxBytes: 1_000, waitMs: 3_600_000 });
      },
    });
    expect(await codeOf(() => lost.finished)).toBe("bad_position");
  });
});

async function inTransaction(name: string, sends: readonly (readonly [string, "commit" | "abort"])[]) {
  const kafka = new Kafka({ brokers: brokersOf(), logLevel: logLevel.NOTHING });
  const producer = kafka.producer({ transactionalId: name, maxInFlightRequests: 1, idempotent: true });
  await producer.connect();
  try {
    for (const [value, end] of sends) {
      const transaction = await producer.transaction();
      await transaction.send({ topic: name, messages: [{ key: "call-1", value }] });
      await transaction[end]();
    }
  } finally {
    await producer.disconnect();
  }
}

async function removeBefore(name: string, offset: number): Promise<void> {
  const admin = new Kafka({ brokers: brokersOf(), logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    // It then knows the topic's leader, which removing needs.
    await admin.fetchTopicOffsets(name);
    await admin.deleteTopicRecords({ topic: name, partitions: [{ partition: 0, offset: String(offset) }] });
  } finally {
    await admin.disconnect();
  }
}

describe("a fetch that brings nothing though there is more", () => {
  const nothing = (partition: number): FetchedPartition => ({ partition, highWatermark: "9", messages: [] });
  const something = (partition: number): FetchedPartition => ({
    ...nothing(partition),
    messages: [{ offset: "5", timestamp: "0", key: null, value: Buffer.from("{}") }],
  });

  /** A broker that answers each question as the next of these says; what it was asked for is noted. */
  function answering(...answers: ((partition: number) => FetchedPartition)[]) {
    const asked: number[][] = [];
    const fetch = async ({ topics }: { topics: { partitions: { partition: number }[] }[] }) => {
      const partitions = topics.flatMap((each) => each.partitions.map(({ partition }) => partition));
      asked.push(partitions);
      const answer = answers.shift() ?? nothing;
      return { responses: [{ topicName: topic, partitions: partitions.map(answer) }] };
    };
    const cluster: Partial<Record<keyof Cluster, unknown>> = { findBroker: async () => ({ fetch }) };
    return { asked, cluster: cluster as Cluster };
  }

  test("is put again for each partition alone, as an answer to many may be full", async () => {
    const { asked, cluster } = answering(nothing, something, something);
    const places = [0, 1].map((partition) => ({ partition, from: 5 }));
    const answers = await fetchFrom(cluster, "1", { topic, maxWaitMs: 0, places });
    expect(asked).toEqual([[0, 1], [0], [1]]);
    expect([...answers.values()].map(({ next }) => next)).toEqual([6, 6]);
  });

  test("passes over one offset when it was alone: compaction has left a batch without messages", async () => {
    const { cluster } = answering(nothing);
    const answers = await fetchFrom(cluster, "1", { topic, maxWaitMs: 0, places: [{ partition: 0, from: 5 }] });
    expect(answers.get(0)).toEqual({ messages: [], next: 6, end: 9 });
  });
});
