import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";
import type { Topic } from "../../ingest/log/log.ts";
import { storedIn, type TableOfTopic, tablesByTopic, toLoadedTopic } from "../tables.ts";
import type { LogRange, Stored } from "../warehouse.ts";
import { type Batch, createBatch } from "./batch.ts";
import { isOfKind } from "./check.ts";
import { type Columns, columnsOf, quoted } from "./columns.ts";
import { toStoringError } from "./errors.ts";
import { countNewRows, findNewRows, type Source } from "./insert-once.ts";

/**
 * Stores ranges of the log. The raw JSON goes to the engine as it is and becomes columns in a table of the session; from
 * there the tables are filled, each by one insert, and last the place in the log moves. The engine has no transaction
 * around them, so every step may be done again, after a crash at any of them or by two processes at once: rows and
 * counts know the offsets that they came from.
 */
export function createClickhouseStore(client: ClickHouseClient, columns: Columns) {
  async function position(topic: Topic, partition: number): Promise<number> {
    const found = await client.query({
      query: `SELECT max(next_offset) AS next_offset FROM loader_positions
        WHERE topic = {topic:String} AND partition = {partition:UInt32}`,
      query_params: { topic, partition },
      format: "JSONEachRow",
    });
    const [row] = await found.json<{ next_offset: number | string }>();
    return Number(row?.next_offset ?? 0);
  }

  const moveTo = ({ topic, partition, nextOffset }: LogRange) =>
    client.command({
      query: "INSERT INTO loader_positions SELECT {topic:String}, {partition:UInt32}, {next:UInt64}",
      query_params: { topic, partition, next: nextOffset },
    });

  async function store(range: LogRange): Promise<Stored> {
    const tables = tablesByTopic[toLoadedTopic(range.topic)];
    const known = Math.max(0, (await position(range.topic, range.partition)) - range.firstOffset);
    const values = range.values.slice(known);
    const batch = createBatch(client);
    try {
      let stored = 0;
      if (values.length > 0) {
        const read = await batch.read(values, tables, columns);
        const source = { parsed: read.table, range: { ...range, firstOffset: range.firstOffset + known }, columns };
        for (const table of tables) if (read.rowsOf(table) > 0) stored += await fill(batch, table, source);
      }
      await moveTo(range);
      return { stored, duplicate: range.values.length - stored };
    } catch (error) {
      throw toStoringError(error);
    } finally {
      await batch.drop();
    }
  }

  return { store, position };
}

type Filling = Source & { readonly columns: Columns };

/** Fills one table; returns how many messages brought a row that was not there. */
async function fill(batch: Batch, table: TableOfTopic, from: Filling): Promise<number> {
  // The latest version of a row sums up messages that a table of single rows counts beside it.
  if (table.keep === "latest" && table.counted !== true) return fillLatest(batch, table, from);
  const fresh = await findNewRows(batch, table, from);
  const [found] = await batch.select<{ rows: number | string }>(`SELECT count() AS rows FROM ${fresh}`);
  const rows = Number(found?.rows ?? 0);
  if (rows > 0 && table.counted === true) await countNewRows(batch, table, { ...from, fresh });
  if (table.keep === "latest") return fillLatest(batch, table, from);
  if (rows > 0) await fillOnce(batch, table, { ...from, fresh });
  return rows;
}

async function fillLatest(batch: Batch, table: TableOfTopic, { parsed, range, columns }: Filling): Promise<0> {
  const names = namesOf(columns, table);
  await batch.command(
    `INSERT INTO ${storedIn(table.table)} (${names}) SELECT ${names} FROM ${parsed}
     WHERE ${isOfKind(table)} ORDER BY version DESC LIMIT 1 BY org_id, ${table.time}, ${table.key}`,
    inOnePart(range),
  );
  return 0;
}

async function fillOnce(batch: Batch, table: TableOfTopic, from: Filling & { readonly fresh: string }): Promise<void> {
  const { parsed, range, columns, fresh } = from;
  const names = namesOf(columns, table);
  await batch.command(
    `INSERT INTO ${storedIn(table.table)} (${names}, log_partition, log_offset)
     SELECT ${names}, ${range.partition}, ${range.firstOffset} + position FROM ${parsed}
     WHERE position IN (SELECT position FROM ${fresh})`,
    inOnePart(range),
  );
}

const namesOf = (columns: Columns, table: TableOfTopic): string =>
  columnsOf(columns, table)
    .map(({ name }) => quoted(name))
    .join(", ");

/** More than a range has, so that it is one block: of each month one part, all of it or nothing. */
const blockLimits: ClickHouseSettings = {
  max_insert_threads: "1",
  min_insert_block_size_rows: "10000000",
  min_insert_block_size_bytes: "0",
  max_partitions_per_insert_block: "0",
};

/** A part that the engine has of this range already is dropped: then a retry leaves nothing to merge. */
const inOnePart = ({ topic, partition, firstOffset, nextOffset }: Source["range"]): ClickHouseSettings => ({
  ...blockLimits,
  insert_deduplicate: 1,
  insert_deduplication_token: `${topic}:${partition}:${firstOffset}-${nextOffset}`,
});
