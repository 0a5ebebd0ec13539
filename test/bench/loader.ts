import { Kafka, logLevel } from "kafkajs";
import { v4 as uuidv4 } from "uuid";
import { systemClock } from "../../ingest/clock.ts";
import type { EventLog, Topic } from "../../ingest/log/log.ts";
import { openKafkaLog } from "../../ingest/log/log-kafka.ts";
import { runLoader } from "../../warehouse/loader.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import { openClickhouseWarehouse } from "../../warehouse/warehouse-clickhouse.ts";
import { openDuckdbWarehouse } from "../../warehouse/warehouse-duckdb.ts";
import { clickhouseDatabase } from "../clickhouse-server.ts";
import { anOutgoingRequest } from "../make.ts";
import { startKafka } from "../services/kafka.ts";
import type { Bench } from "./bench.ts";
import type { Subject } from "./compare.ts";
import { countByKafkajs, countByLog } from "./loader-counts.ts";
import { openEngine } from "./loader-engine.ts";

const topic: Topic = "webhook-deliveries";
const partitions = 4;
const rows = 50_000;
const rowsPerPublish = 1000;
const about = { units: rows, unit: "row" };

/**
 * Reading the log, from joining the group on: a bare consumer that only counts, ours that does, and the loader; beside it
 * what the ClickHouse engine stores by itself, of the same bytes in memory and of the same brokers.
 */
export async function openLoaderBench(): Promise<Bench> {
  const { REDPANDA_BROKERS: given } = process.env;
  const kafka = given ? { brokers: given, stop: async () => undefined } : await startOwn();
  const brokers = kafka.brokers.split(",");
  const prefix = `bench-${uuidv4()}.`;
  const log = await openKafkaLog({ brokers, prefix, partitions });
  const values = Array.from({ length: rows }, (_, index) => JSON.stringify(anOutgoingRequest({ id: `out-${index}` })));
  await fill(log, values);
  const engine = await openEngine({ brokers, topic: `${prefix}${topic}`, values });
  return {
    comparisons: [
      {
        title: `${rows} records of webhooks in ${partitions} partitions of a log on brokers`,
        baseline: {
          ...about,
          name: "kafkajs, counted",
          round: () => countByKafkajs({ brokers, name: `${prefix}${topic}`, rows }),
        },
        subjects: [
          { ...about, name: "our log, counted", round: () => countByLog({ log, topic, rows }) },
          loading("loader, into DuckDB", log, () => openDuckdbWarehouse({ path: ":memory:" })),
          loading("loader, into ClickHouse", log, openClickhouse),
          {
            ...about,
            name: "ClickHouse's own insert of the same bytes",
            before: engine.createBare,
            round: engine.insert,
            after: engine.expectAll,
          },
          {
            ...about,
            name: "ClickHouse's own Kafka table, a view into MergeTree",
            before: engine.createBare,
            round: engine.consume,
            after: engine.stopConsuming,
          },
        ],
        rounds: 5,
        warmUps: 1,
      },
    ],
    async close() {
      await engine.close();
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

const openClickhouse = async () => openClickhouseWarehouse(await clickhouseDatabase());

async function fill(log: EventLog, values: readonly string[]): Promise<void> {
  for (let first = 0; first < rows; first += rowsPerPublish) {
    const some = values.slice(first, first + rowsPerPublish);
    await log.publish(some.map((value, index) => ({ topic, key: `out-${first + index}`, value })));
  }
}

/** Into an empty warehouse each time, whose schema is there: where the log is read from is the warehouse's to say. */
function loading(name: string, log: EventLog, open: () => Promise<Warehouse>): Subject {
  let warehouse: Warehouse | undefined;
  return {
    ...about,
    name,
    async before() {
      warehouse = await open();
      await warehouse.position(topic, 0);
    },
    round: async () => warehouse && load(log, warehouse),
    after: async () => warehouse?.close(),
  };
}

async function load(log: EventLog, warehouse: Warehouse): Promise<void> {
  let stored = 0;
  let done = (): void => undefined;
  const all = new Promise<void>((resolve) => {
    done = resolve;
  });
  const loaders = runLoader({
    log,
    warehouse,
    clock: systemClock,
    onTrouble: (error) => process.stderr.write(`${error}\n`),
    onBatch(batch) {
      stored += batch.stored;
      if (stored >= rows) done();
    },
  });
  await all;
  await Promise.all(loaders.map((loader) => loader.stop()));
}

async function removeTopics(brokers: string[], prefix: string): Promise<void> {
  const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  const topics = (await admin.listTopics()).filter((name) => name.startsWith(prefix));
  await admin.deleteTopics({ topics });
  await admin.disconnect();
}
