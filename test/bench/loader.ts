import { Kafka, logLevel } from "kafkajs";
import { v4 as uuidv4 } from "uuid";
import { systemClock } from "../../ingest/clock.ts";
import type { EventLog, Topic } from "../../ingest/log/log.ts";
import { openKafkaLog } from "../../ingest/log/log-kafka.ts";
import { runLoader } from "../../warehouse/loader.ts";
import { openDuckdbWarehouse } from "../../warehouse/warehouse-duckdb.ts";
import { anOutgoingRequest } from "../make.ts";
import { startKafka } from "../services/kafka.ts";
import type { Bench } from "./bench.ts";

const topic: Topic = "webhook-deliveries";
const partitions = 4;
const rows = 50_000;
const rowsPerPublish = 1000;

/** Reading the log, from joining the group on: a bare consumer that only counts, ours that does, and the loader. */
export async function openLoaderBench(): Promise<Bench> {
  const { REDPANDA_BROKERS: given } = process.env;
  const kafka = given ? { brokers: given, stop: async () => undefined } : await startOwn();
  const brokers = kafka.brokers.split(",");
  const prefix = `bench-${uuidv4()}.`;
  const log = await openKafkaLog({ brokers, prefix, partitions });
  await fill(log);
  const about = { units: rows, unit: "row" };
  return {
    comparisons: [
      {
        title: `${rows} records of webhooks in ${partitions} partitions of a log on brokers`,
        baseline: { ...about, name: "kafkajs, counted", round: () => countByKafkajs(brokers, `${prefix}${topic}`) },
        subjects: [
          { ...about, name: "our log, counted", round: () => countByLog(log) },
          { ...about, name: "loader, into DuckDB", round: () => load(log) },
        ],
        rounds: 5,
      },
    ],
    async close() {
      await log.close();
      await removeTopics(brokers, prefix);
      await kafka.stop();
    },
  };
}

async function startOwn() {
  const { environment, stop } = await startKafka();
  return { brokers: environment["TEST_REDPANDA_BROKERS"] ?? "", stop };
}

async function fill(log: EventLog): Promise<void> {
  for (let first = 0; first < rows; first += rowsPerPublish) {
    const ids = Array.from({ length: rowsPerPublish }, (_, index) => `out-${first + index}`);
    await log.publish(ids.map((id) => ({ topic, key: id, value: JSON.stringify(anOutgoingRequest({ id })) })));
  }
}

async function countByKafkajs(brokers: string[], name: string): Promise<void> {
  const consumer = new Kafka({ brokers, logLevel: logLevel.NOTHING }).consumer({ groupId: uuidv4() });
  await consumer.connect();
  await consumer.subscribe({ topics: [name], fromBeginning: true });
  let counted = 0;
  await new Promise<void>((resolve, reject) => {
    consumer
      .run({
        async eachBatch({ batch }) {
          counted += batch.messages.length;
          if (counted >= rows) resolve();
        },
      })
      .catch(reject);
  });
  await consumer.disconnect();
}

async function countByLog(log: EventLog): Promise<void> {
  let counted = 0;
  let done = (): void => undefined;
  const all = new Promise<void>((resolve) => {
    done = resolve;
  });
  const consumer = log.consume({
    ...{ group: uuidv4(), topic },
    async work(reader) {
      while (!reader.signal.aborted) {
        const { messages } = await reader.next({ maxMessages: 20_000, maxBytes: 32 * 1024 * 1024, waitMs: 1000 });
        counted += messages.length;
        if (counted >= rows) done();
      }
    },
  });
  await all;
  await consumer.stop();
}

/** Into an empty warehouse: where it begins is the warehouse's to say. */
async function load(log: EventLog): Promise<void> {
  const warehouse = await openDuckdbWarehouse({ path: ":memory:" });
  let stored = 0;
  let done = (): void => undefined;
  const all = new Promise<void>((resolve) => {
    done = resolve;
  });
  const loaders = runLoader({
    ...{ log, warehouse, clock: systemClock, onTrouble: (error) => process.stderr.write(`${error}\n`) },
    onBatch(batch) {
      stored += batch.stored;
      if (stored >= rows) done();
    },
  });
  await all;
  await Promise.all(loaders.map((loader) => loader.stop()));
  await warehouse.close();
}

async function removeTopics(brokers: string[], prefix: string): Promise<void> {
  const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  const topics = (await admin.listTopics()).filter((name) => name.startsWith(prefix));
  await admin.deleteTopics({ topics });
  await admin.disconnect();
}
