import { type DuckDBConnection, DuckDBDataChunk, INTEGER, VARCHAR } from "@duckdb/node-api";
import type { Topic } from "../../ingest/log/log.ts";
import { inTransaction } from "../../sql/duckdb.ts";
import { slotMs } from "../history/slot-range.ts";
import {
  allTables,
  type LoadedTopic,
  loadedTopics,
  storedIn,
  type TableOfTopic,
  tablesByTopic,
  toLoadedTopic,
} from "../tables.ts";
import { type LogRange, type Stored, WarehouseError } from "../warehouse.ts";
import { tagPairs, tagPairsOf } from "./tag-pairs.ts";

/** Rows of one appended chunk: the engine's vector size. */
const chunkRows = 2048;

/** Column names and types of each table, in order. */
type Columns = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * Stores ranges of the log over one connection. The raw JSON goes to the engine as it is and becomes columns there: a
 * field fills the column of its name, whose type is read from the table itself. No statement is prepared for later: the
 * engine plans by what tables hold then, and would go on to leave out rows that it knew not to be there.
 */
export async function createDuckdbStore(connection: DuckDBConnection) {
  const columns = await readColumns(connection);
  const parsing = new Map(loadedTopics.map((topic) => [topic, parse(topic, columns)]));
  /** Places as this store, the only one on its file, has last moved them. */
  const places = new Map<string, number>();

  async function position(topic: Topic, partition: number): Promise<number> {
    const result = await connection.runAndReadAll(
      'SELECT next_offset FROM loader.positions WHERE topic = $1 AND "partition" = $2',
      [topic, partition],
    );
    return Number(result.getRows()[0]?.[0] ?? 0);
  }

  const moveTo = ({ topic, partition, nextOffset }: LogRange) =>
    connection.run(
      `INSERT INTO loader.positions VALUES ($1, $2, $3)
       ON CONFLICT DO UPDATE SET next_offset = greatest(next_offset, excluded.next_offset)`,
      [topic, partition, BigInt(nextOffset)],
    );

  async function store(range: LogRange): Promise<Stored> {
    const topic = toLoadedTopic(range.topic);
    const place = `${topic}:${range.partition}`;
    const from = places.get(place) ?? (await position(range.topic, range.partition));
    const values = range.values.slice(Math.max(0, from - range.firstOffset));
    // After a failure the file alone tells the place.
    places.delete(place);
    if (values.length > 0) await fillBatch(connection, values);
    const stored = await inTransaction(connection, async () => {
      const rows = values.length > 0 ? await storeBatch(topic) : 0;
      await moveTo(range);
      return rows;
    });
    places.set(place, Math.max(from, range.nextOffset));
    return { stored, duplicate: range.values.length - stored };
  }

  async function storeBatch(topic: LoadedTopic): Promise<number> {
    await connection.run(parsing.get(topic) ?? "");
    return storeTables(connection, tablesByTopic[topic], columns);
  }

  return { store, position };
}

/** Table by table: a list of all columns would bind every view, fifteen milliseconds of each opening. */
async function readColumns(connection: DuckDBConnection): Promise<Columns> {
  const ofTable = (table: string) => `SELECT '${table}', name, type FROM pragma_table_info('${table}')`;
  const result = await connection.runAndReadAll(
    allTables.map(({ table }) => ofTable(storedIn(table))).join(" UNION ALL "),
  );
  const columns = new Map<string, Map<string, string>>();
  for (const [table, column, type] of result.getRows()) {
    const known = columns.get(String(table)) ?? new Map<string, string>();
    columns.set(String(table), known.set(String(column), String(type)));
  }
  return columns;
}

/**
 * Makes `parsed` of `batch`: every column that a table of the topic has, and the field that tells kinds apart. The
 * engine's own reading of JSON into types turns what does not fit into NULL; so fields are taken as they are and cast
 * one by one, which refuses them (measured: no slower). A text column takes any value as its text.
 */
function parse(topic: LoadedTopic, columns: Columns): string {
  const typeOf = new Map([["kind", "VARCHAR"]]);
  for (const { table } of tablesByTopic[topic])
    for (const [name, type] of columns.get(storedIn(table)) ?? []) typeOf.set(name, type);
  const isText = (type: string) => type === "VARCHAR" || type === "JSON";
  const shape = Object.fromEntries([...typeOf].map(([name, type]) => [name, isText(type) ? type : "JSON"]));
  const cast = (name: string, type: string) => `CAST(fields."${name}" AS ${type})`;
  const fields = [...typeOf].map(([name, type]) =>
    name === tagPairs
      ? `${tagPairsOf(cast("tags", typeOf.get("tags") ?? ""))} AS ${tagPairs}`
      : `${cast(name, type)} AS "${name}"`,
  );
  return `CREATE OR REPLACE TEMP TABLE parsed AS SELECT position, ${fields.join(", ")}
    FROM (SELECT position, from_json(value, '${JSON.stringify(shape)}') AS fields FROM batch)`;
}

async function fillBatch(connection: DuckDBConnection, values: readonly string[]): Promise<void> {
  await connection.run("CREATE OR REPLACE TEMP TABLE batch (position INTEGER, value VARCHAR)");
  const appender = await connection.createAppender("batch");
  for (let first = 0; first < values.length; first += chunkRows) {
    const part = values.slice(first, first + chunkRows);
    const chunk = DuckDBDataChunk.create([INTEGER, VARCHAR]);
    chunk.setColumns([part.map((_, index) => first + index), part]);
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
}

/** Returns how many messages brought a row that was not there. */
async function storeTables(
  connection: DuckDBConnection,
  tables: readonly TableOfTopic[],
  columns: Columns,
): Promise<number> {
  let stored = 0;
  for (const table of await tablesWithRows(connection, tables)) {
    const names = [...(columns.get(storedIn(table.table))?.keys() ?? [])];
    // The latest version of a row sums up messages that a table of single rows counts beside it.
    if (table.keep === "latest") await mergeLatest(connection, table, names);
    else stored += await insertOnce(connection, table, names);
  }
  return stored;
}

/** Returns the tables whose kinds `parsed` has; a statement that finds nothing for a table costs milliseconds. */
async function tablesWithRows(
  connection: DuckDBConnection,
  tables: readonly TableOfTopic[],
): Promise<readonly TableOfTopic[]> {
  const kinds = tables.flatMap(({ kind }) => kind ?? []);
  if (kinds.length === 0) return tables;
  const found = (await connection.runAndReadAll("SELECT DISTINCT kind FROM parsed")).getRows().map(([kind]) => kind);
  const unknown = found.find((kind) => !kinds.some((known) => known === kind));
  if (unknown !== undefined) {
    throw new WarehouseError("row_refused", `kind is ${JSON.stringify(unknown)}, expected ${kinds.join(" or ")}`);
  }
  return tables.filter(({ kind }) => kind === undefined || found.includes(kind));
}

/** Inserts the rows of `parsed` that the table has not; returns how many. Counted tables are counted in one go. */
async function insertOnce(connection: DuckDBConnection, spec: TableOfTopic, names: readonly string[]): Promise<number> {
  const columns = names.map((name) => `"${name}"`).join(", ");
  const into = `INSERT INTO ${storedIn(spec.table)} (${columns})`;
  if (spec.counted !== true) {
    const { rowsChanged } = await connection.run(`${into} SELECT ${columns} ${fromNewRows(spec)}`);
    return rowsChanged;
  }
  // New rows are found once, so that exactly those inserted are counted.
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE new_rows AS SELECT position, org_id, ${spec.time} ${fromNewRows(spec)}`,
  );
  const { rowsChanged } = await connection.run(
    `${into} SELECT ${columns} FROM parsed WHERE position IN (SELECT position FROM new_rows)`,
  );
  if (rowsChanged > 0) await countNewRows(connection, spec);
  return rowsChanged;
}

const fromNewRows = ({ table, kind, key, time }: TableOfTopic): string =>
  `FROM parsed AS new
   WHERE ${kind === undefined ? "true" : `kind = '${kind}'`} AND NOT EXISTS (
     SELECT 1 FROM ${storedIn(table)} AS old
     WHERE old.org_id = new.org_id AND old.${time} = new.${time} AND old.${key} = new.${key})
   QUALIFY row_number() OVER (PARTITION BY org_id, ${time}, ${key} ORDER BY position) = 1`;

/** Gives each row of the table its latest version of `parsed`. A version of a row that is there counts no more. */
async function mergeLatest(connection: DuckDBConnection, spec: TableOfTopic, names: readonly string[]): Promise<void> {
  if (spec.counted === true) {
    await connection.run(newRowsOf(spec));
    await countNewRows(connection, spec);
  }
  await connection.run(merge(spec, names));
}

const latest = (key: string): string =>
  `(SELECT * FROM parsed QUALIFY row_number() OVER (PARTITION BY org_id, ${key} ORDER BY version DESC) = 1)`;

const isSame = ({ key, time }: TableOfTopic): string =>
  `old.org_id = new.org_id AND old.${time} = new.${time} AND old.${key} = new.${key}`;

const newRowsOf = (spec: TableOfTopic): string =>
  `CREATE OR REPLACE TEMP TABLE new_rows AS SELECT org_id, ${spec.time} FROM ${latest(spec.key)} AS new
   WHERE NOT EXISTS (SELECT 1 FROM ${storedIn(spec.table)} AS old WHERE ${isSame(spec)})`;

const merge = (spec: TableOfTopic, names: readonly string[]): string =>
  `MERGE INTO ${storedIn(spec.table)} AS old USING ${latest(spec.key)} AS new ON ${isSame(spec)}
   WHEN MATCHED AND new.version > old.version THEN UPDATE SET ${names.map((name) => `"${name}" = new."${name}"`).join(", ")}
   WHEN NOT MATCHED THEN INSERT (${list(names)}) VALUES (${list(names, "new.")})`;

const list = (names: readonly string[], prefix = ""): string => names.map((name) => `${prefix}"${name}"`).join(", ");

/** Adds the rows of `new_rows` to the kept counts of their table (`0005_history_counts.sql`, `0006_call_counts.sql`). */
async function countNewRows(connection: DuckDBConnection, { table, time }: TableOfTopic): Promise<void> {
  for (const [unit, ms] of Object.entries(slotMs)) {
    await connection.run(
      `INSERT INTO loader.${storedIn(table)}_by_${unit} (org_id, slot, requests)
       SELECT org_id, epoch_ms(${time}) // ${ms} AS slot, count(*) FROM new_rows GROUP BY org_id, slot
       ON CONFLICT (org_id, slot) DO UPDATE SET requests = requests + excluded.requests`,
    );
  }
}
