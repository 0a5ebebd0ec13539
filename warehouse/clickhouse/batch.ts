import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";
import type { TableOfTopic } from "../tables.ts";
import { WarehouseError } from "../warehouse.ts";
import { type Columns, columnsOf, fieldsOf, isRequired, quoted, toReading } from "./columns.ts";
import { toReadingError } from "./errors.ts";

/** What a batch is read with: any ISO time; a field that no column bears is passed over. */
const reading: ClickHouseSettings = {
  date_time_input_format: "best_effort",
  input_format_skip_unknown_fields: 1,
  input_format_null_as_default: 0,
};

/** Messages of one range on their way into the tables: temporary tables of one session, gone with it. */
export function createBatch(client: ClickHouseClient) {
  const session_id = randomUUID();
  // The session alone would do, where each has its own temporary tables.
  const name = `batch_${session_id.replaceAll("-", "")}`;
  const made: string[] = [];
  const command = (query: string, settings: ClickHouseSettings = {}) =>
    client.command({ query, session_id, clickhouse_settings: settings });

  async function select<T>(query: string): Promise<readonly T[]> {
    const found = await client.query({ query, session_id, format: "JSONEachRow" });
    return found.json<T>();
  }

  async function createTable(suffix: string, definition: string, settings: ClickHouseSettings = {}): Promise<string> {
    const table = `${name}_${suffix}`;
    made.push(table);
    await command(`CREATE TEMPORARY TABLE ${table} ${definition}`, settings);
    return table;
  }

  async function send(table: string, values: readonly string[]): Promise<void> {
    // A message is one line: a line break between its parts is as good as a space.
    const lines = values.map((value) => (/[\r\n]/.test(value) ? value.replaceAll(/[\r\n]/g, " ") : value));
    const { stream } = await client.exec({
      query: `INSERT INTO ${table} FORMAT JSONEachRow`,
      values: Readable.from([Buffer.from(lines.join("\n"))], { objectMode: false }),
      ...{ session_id, clickhouse_settings: reading },
    });
    for await (const _ of stream);
  }

  return {
    command,
    select,
    createTable,
    /** Ends it; what cannot be dropped goes with the session. */
    async drop(): Promise<void> {
      for (const table of made) await command(`DROP TABLE IF EXISTS ${table}`).catch(() => undefined);
    },
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
        const table = await createTable("parsed", parsed, { max_threads: 1, prefer_column_name_to_alias: 1 });
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

export const isOfKind = ({ kind }: TableOfTopic): string => (kind === undefined ? "true" : `kind = '${kind}'`);

interface Checked {
  readonly messages: number;
  readonly tables: readonly TableOfTopic[];
  readonly columns: Columns;
}
type Select = <T>(query: string) => Promise<readonly T[]>;
type Counts = Readonly<Record<string, number | string>>;

async function check(select: Select, read: string, { messages, tables, columns }: Checked) {
  const kinds = tables.flatMap(({ kind }) => (kind === undefined ? [] : [`'${kind}'`]));
  const isUnknown = kinds.length === 0 ? "false" : `kind IS NULL OR kind NOT IN (${kinds.join(", ")})`;
  const lacks = missingOf(tables, columns).map(({ condition }) => condition);
  const counts = [
    "count() AS rows",
    `countIf(${isUnknown}) AS unknown`,
    `countIf(${lacks.join(" OR ")}) AS faults`,
    ...tables.map((table) => `countIf(${isOfKind(table)}) AS ${table.table}`),
  ];
  const [found = {}] = await select<Counts>(`SELECT ${counts.join(", ")} FROM ${read}`);
  const count = (name: string) => Number(found[name] ?? 0);
  if (count("rows") !== messages) {
    throw new WarehouseError("row_refused", `${messages} messages hold ${count("rows")} documents; each must be one.`);
  }
  if (count("unknown") > 0) {
    throw new WarehouseError("row_refused", `kind is missing, or none of ${kinds.join(", ")}`);
  }
  if (count("faults") > 0)
    throw new WarehouseError("row_refused", await describeFaults(select, read, { tables, columns }));
  return ({ table }: TableOfTopic) => count(table);
}

/** What no row of a table may lack. */
const missingOf = (tables: readonly TableOfTopic[], columns: Columns) =>
  tables.flatMap((table) =>
    columnsOf(columns, table)
      .filter(isRequired)
      .map(({ name }) => ({ name, condition: `(${isOfKind(table)} AND ${quoted(name)} IS NULL)` })),
  );

async function describeFaults(select: Select, read: string, { tables, columns }: Pick<Checked, "tables" | "columns">) {
  const missing = missingOf(tables, columns);
  const counts = missing.map(({ condition }, index) => `countIf(${condition}) AS at_${index}`);
  const [found = {}] = await select<Counts>(`SELECT ${counts.join(", ")} FROM ${read}`);
  const names = missing.filter((_, index) => Number(found[`at_${index}`]) > 0).map(({ name }) => name);
  return `${[...new Set(names)].join(", ")} is missing`;
}
