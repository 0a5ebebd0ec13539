import { crc32 } from "node:zlib";
import { type ICustomPartitioner, Kafka, logLevel, Partitioners } from "kafkajs";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../../ingest/clock.ts";
import { type CallEvent, callEventSchema } from "../../../ingest/event.ts";
import { type LifecycleBatch, runLifecycle } from "../../../ingest/lifecycle/run.ts";
import { partitionOf } from "../../../ingest/log/key-partition.ts";
import type { EventLog, Topic } from "../../../ingest/log/log.ts";
import type { CallId } from "../../../ingest/primitives.ts";
import type { Signal } from "../../../ingest/signal.ts";
import { codeOf } from "../../contract/log-work.ts";
import { brokersOf, testBrokers } from "../../kafka-server.ts";
import { aDialing, aHungUp, anAdjusted, anAnswered, anIncoming, aRecorded } from "../../make.ts";
import { createKafkaLogs } from "../log/kafka/rig.ts";
import { eventually } from "./lifecycle-rig.ts";

const partitions = 4;
const connected = ["call.incoming", "call.connected"];
const told = [...connected, "call.hangup", "call.completed"];

async function openRig() {
  const { prefix, open } = createKafkaLogs({ partitions });
  const log = await open();
  const batches: LifecycleBatch[] = [];
  const lifecycle = runLifecycle({
    log,
    clock: systemClock,
    onTrouble: () => undefined,
    onBatch: (batch) => batches.push(batch),
  });
  onTestFinished(() => lifecycle.stop());
  const topic = `${prefix}call-signals`;
  const eventsOf = async (callId: CallId) => (await readEvents(log)).filter(({ event }) => event.call_id === callId);
  return {
    log,
    topic,
    prefix,
    open,
    eventsOf,
    producer: (partitioner: ICustomPartitioner) => openProducer(topic, partitioner),
    rekeyed: () => batches.reduce((sum, { rekeyed }) => sum + rekeyed, 0),
    held: () => batches.reduce((sum, { held }) => sum + held, 0),
    namesOf: async (callId: CallId) => (await eventsOf(callId)).map(({ event }) => event.event),
    letters: async () => (await readAll(log, "dead-letters")).map(({ value }) => JSON.parse(value)),
  };
}

/** A client that knows nothing of the platform. */
async function openProducer(topic: string, createPartitioner: ICustomPartitioner) {
  const kafka = new Kafka({ brokers: brokersOf(), logLevel: logLevel.NOTHING });
  const producer = kafka.producer({ createPartitioner });
  await producer.connect();
  onTestFinished(() => producer.disconnect());
  return (signal: Signal, place: { key: string | null; partition?: number }) =>
    producer.send({ topic, messages: [{ ...place, value: JSON.stringify(signal) }] });
}

/** The default of librdkafka, and so of kcat. */
const byCrc32: ICustomPartitioner =
  () =>
  ({ message, partitionMetadata }) =>
    crc32(message.key ?? "") % partitionMetadata.length;

async function readAll(log: EventLog, topic: Topic) {
  const all = [];
  for (const partition of (await log.ends(topic)).keys()) {
    for await (const { value } of log.read({ topic, partition, offset: 0 })) all.push({ partition, value });
  }
  return all;
}

const readEvents = async (log: EventLog): Promise<{ partition: number; event: CallEvent }[]> =>
  (await readAll(log, "call-events")).map(({ partition, value }) => ({
    partition,
    event: callEventSchema.parse(JSON.parse(value)),
  }));

/** A call of now: so its end is told as soon as it is heard of. */
function aCall(call_id: CallId) {
  const begin = Date.now() - 4_000;
  const at = (ms: number) => ({ call_id, at: new Date(begin + ms).toISOString() });
  return [anIncoming(at(0)), aDialing(at(5)), anAnswered(at(1_000)), aHungUp(at(3_000))] as const;
}

const callIds = Array.from({ length: 8 }, (_, n) => `call-${n}` as CallId);
const isAstray = (callId: CallId) => crc32(callId) % partitions !== partitionOf(callId, partitions);

describe.skipIf(testBrokers === undefined)("a foreign producer of signals (TEST_REDPANDA_BROKERS)", () => {
  it("with Kafka's default partitioner puts calls where ours are: nothing is moved", async () => {
    const rig = await openRig();
    const send = await rig.producer(Partitioners.DefaultPartitioner);
    for (const key of callIds) for (const signal of aCall(key)) await send(signal, { key });
    for (const callId of callIds) await eventually(async () => expect(await rig.namesOf(callId)).toEqual(told));
    expect([rig.rekeyed(), rig.held()]).toEqual([0, 0]);
  });

  it("with another partitioner has its calls folded once, and undoes no correction", async () => {
    const rig = await openRig();
    const send = await rig.producer(byCrc32);
    expect(callIds.filter(isAstray).length).toBeGreaterThan(0);
    for (const key of callIds) for (const signal of aCall(key)) await send(signal, { key });
    for (const callId of callIds) await eventually(async () => expect(await rig.namesOf(callId)).toEqual(told));
    await eventually(() => expect(rig.rekeyed()).toBe(4 * callIds.filter(isAstray).length));

    const callId = callIds.find(isAstray) ?? callIds[0] ?? ("call-0" as CallId);
    const at = new Date().toISOString();
    const value = JSON.stringify(anAdjusted({ call_id: callId, at, revenue: 44, payout: 11 }));
    await rig.log.publish([{ topic: "call-signals", key: callId, value }]);
    await eventually(async () => expect((await rig.namesOf(callId)).at(-1)).toBe("call.updated"));
    await send(aRecorded({ call_id: callId, at }), { key: callId });
    await eventually(async () => expect(await rig.namesOf(callId)).toEqual([...told, "call.updated", "call.updated"]));
    const events = await rig.eventsOf(callId);
    expect(events.map(({ event }) => event.version)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(new Set(events.map(({ partition }) => partition))).toEqual(new Set([partitionOf(callId, partitions)]));
    expect(events.at(-1)?.event).toMatchObject({ revenue: 44, payout: 11, recording_url: expect.any(String) });
  });

  it("without a key, that puts one call's signals into several partitions, has it folded in its order", async () => {
    const rig = await openRig();
    const send = await rig.producer(Partitioners.DefaultPartitioner);
    const callId = "spread" as CallId;
    const home = partitionOf(callId, partitions);
    for (const [index, signal] of aCall(callId).entries()) {
      await send(signal, { key: null, partition: (home + 1 + (index % (partitions - 1))) % partitions });
    }
    await eventually(async () => expect(await rig.namesOf(callId)).toEqual(told));
    const events = await rig.eventsOf(callId);
    expect(events.map(({ event }) => event.version)).toEqual([1, 2, 3, 4]);
    expect(events.at(-1)?.event).toMatchObject({ target_id: "tgt-1", attempts: 1 });
    await eventually(() => expect(rig.rekeyed()).toBe(4));
    expect(await rig.letters()).toEqual([]);
  });
});

describe.skipIf(testBrokers === undefined)(
  "topics whose keys were spread by another hash (TEST_REDPANDA_BROKERS)",
  () => {
    it("are refused with what to do, as their open calls would not be found again", async () => {
      const { prefix, open } = createKafkaLogs({ partitions });
      await (await open()).close();
      const send = await openProducer(`${prefix}call-events`, byCrc32);
      for (const key of callIds) await send(anIncoming({ call_id: key }), { key });
      expect(await codeOf(open)).toBe("log_unavailable");
      await expect(open()).rejects.toThrow(/murmur2.*another REDPANDA_TOPIC_PREFIX/);
    });

    it("are not taken for that because of a stray message", async () => {
      const { prefix, open } = createKafkaLogs({ partitions });
      const log = await open();
      await log.publish(
        callIds.map((key) => ({ topic: "call-events", key, value: JSON.stringify(anIncoming({ call_id: key })) })),
      );
      const key = callIds.find(isAstray) ?? "";
      await (await openProducer(`${prefix}call-events`, byCrc32))(anIncoming(), { key });
      await open();
    });
  },
);
