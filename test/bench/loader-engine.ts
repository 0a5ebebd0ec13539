import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { ClickHouseSettings } from "@clickhouse/client";
import { createClickhouse } from "../../sql/clickhouse.ts";
import { openClickhouseWarehouse } from "../../warehouse/warehouse-clickhouse.ts";
import { clickhouseDatabase } from "../clickhouse-server.ts";

/** As many as the loader stores at once. */
const rowsPerInsert = 20_000;
const reading: ClickHouseSettings = { date_time_input_format: "best_effort", input_format_skip_unknown_fields: 1 };

export interface EngineGiven {
  readonly brokers: readonly string[];
  /** The topic's name on the brokers. */
  readonly topic: string;
  readonly values: readonly string[];
}

/** What the ClickHouse engine can do by itself: its own insert, and its own table on brokers with a view that stores. */
export async function openEngine({ brokers, topic, values }: EngineGiven) {
  const options = await clickhouseDatabase();
  const warehouse = openClickhouseWarehouse(options);
  // Brings the schema, whose columns the engine fills by itself.
  await warehouse.position("webhook-deliveries", 0);
  await warehouse.close();
  const client = createClickhouse(options);
  const command = (query: string) => client.command({ query });
  async function read<T>(query: string): Promise<readonly T[]> {
    return (await client.query({ query, format: "JSONEachRow" })).json<T>();
  }
  const columns = await read<{ name: string; type: string }>(
    `SELECT name, type FROM system.columns WHERE database = currentDatabase()
       AND table = 'stored_outgoing_webhook_requests' AND NOT startsWith(name, 'log_') ORDER BY position`,
  );
  const names = columns.map(({ name }) => `\`${name}\``).join(", ");

  async function expectAll(): Promise<void> {
    const [found] = await read<{ rows: number | string }>("SELECT uniqExact(id) AS rows FROM bare");
    const rows = Number(found?.rows ?? 0);
    if (rows !== values.length) throw new Error(`${rows} of ${values.length} rows are there.`);
  }
  return {
    /** An empty table on disk, without what the loader's needs to store once. */
    createBare: () =>
      command(`CREATE OR REPLACE TABLE bare AS stored_outgoing_webhook_requests ENGINE = MergeTree
        PARTITION BY toYYYYMM(created_at) ORDER BY (org_id, created_at, id) SETTINGS fsync_after_insert = 1`),
    async insert(): Promise<void> {
      for (let first = 0; first < values.length; first += rowsPerInsert) {
        const sent = values.slice(first, first + rowsPerInsert).join("\n");
        const { stream } = await client.exec({
          query: `INSERT INTO bare (${names}) FORMAT JSONEachRow`,
          values: Readable.from([Buffer.from(sent)], { objectMode: false }),
          clickhouse_settings: reading,
        });
        for await (const _ of stream);
      }
    },
    /** Waits for as many rows as the topic has; the loader's own batches and wait are the table's. */
    async consume(): Promise<void> {
      await command(`CREATE TABLE queue (${columns.map(({ name, type }) => `\`${name}\` ${type}`).join(", ")})
        ENGINE = Kafka SETTINGS kafka_broker_list = '${brokers.join(",")}', kafka_topic_list = '${topic}',
          kafka_group_name = '${randomUUID()}', kafka_format = 'JSONEachRow', kafka_max_block_size = ${rowsPerInsert},
          kafka_flush_interval_ms = 250, kafka_poll_timeout_ms = 100,
          date_time_input_format = 'best_effort', input_format_skip_unknown_fields = 1`);
      await command(`CREATE MATERIALIZED VIEW storing TO bare
        AS SELECT ${names}, _partition AS log_partition, _offset AS log_offset FROM queue`);
      for (let rows = 0; rows < values.length; ) {
        await pause(10);
        const [found] = await read<{ rows: number | string }>("SELECT count() AS rows FROM bare");
        rows = Number(found?.rows ?? 0);
      }
    },
    expectAll,
    async stopConsuming(): Promise<void> {
      await command("DROP TABLE storing SYNC");
      await command("DROP TABLE queue SYNC");
      await expectAll();
    },
    close: () => client.close(),
  };
}
