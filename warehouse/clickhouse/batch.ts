import { Readable } from "node:stream";
import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";
import type { TableOfTopic } from "../tables.ts";
import { check } from "./check.ts";
import { type Columns, fieldsOf, quoted, toReading } from "./columns.ts";
import { toReadingError } from "./errors.ts";
import { createTemporary } from "./temporary.ts";

/** Settings of reading a batch: any ISO time is accepted, and fields without a column are skipped. */
const reading: ClickHouseSettings = {
  date_time_input_format: "best_effort",
  input_format_skip_unknown_fields: 1,
  input_format_null_as_default: 0,
};

/** Messages of one range on their way into the tables, by way of temporary ones. */
export function createBatch(client: ClickHouseClient) {
  const { session_id, command, select, createTable, drop } = createTemporary(client);

  async function send(table: string, values: readonly string[]): Promise<void> {
    // A message is one line: a line break between its parts is as good as a space.
    const lines = values.map((value) => (/[\r\n]/.test(value) ? value.replaceAll(/[\r\n]/g, " ") : value));
    const { stream } = await client.exec({
      query: `INSERT INTO ${table} FORMAT JSONEachRow`,
      values: Readable.from([Buffer.from(lines.join("\n"))], { objectMode: false }),
      session_id,
      clickhouse_settings: reading,
    });
    for await (const _ of stream);
  }

  return {
    command,
    select,
    createTable,
    drop,
    /**
     * Reads the messages as they came into a table of the tables' columns, each with its `position` in the range.
     * Refuses the range for a value that does not fit its column, and for one that is missing. Returns that table, and how
     * many of its rows are for each of theirs.
     */
    async read(values: readonly string[], tables: readonly TableOfTopic[], columns: Columns): Promise<ReadBatch> {
      const fields = fieldsOf(columns, tables).map((field) => ({ name: quoted(field.name), ...toReading(field) }));
      const shape = fields.map(({ name, read }) => `${name} ${read}`).join(", ");
      const raw = await createTable("raw", `(${shape}) ENGINE = Memory`);
      try {
        await send(raw, values);
        const taken = fields.map(({ name, take }) => `${take(name)} AS ${name}`).join(", ");
        // On one thread, so that rows are numbered in the order in which they came.
        const parsed = `ENGINE = Memory AS SELECT rowNumberInAllBlocks() AS position, ${taken} FROM ${raw}`;
        const table = await createTable("parsed", parsed, { max_threads: 1 });
        return { table, rowsOf: await check(select, table, { messages: values.length, tables, columns }) };
      } catch (error) {
        throw toReadingError(error);
      }
    },
  };
}
export type Batch = ReturnType<typeof createBatch>;

interface ReadBatch {
  readonly table: string;
  readonly rowsOf: (table: TableOfTopic) => number;
}
