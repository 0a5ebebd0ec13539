import { pastCallsKey, pastCallsTable } from "./past-calls.ts";
import { integer, join, raw, type Statement, sql, text, time } from "./statement.ts";
import {
  allTables,
  derivedColumns,
  type LoadedTopic,
  loadedTopics,
  type TableOfTopic,
  tablesByTopic,
} from "./tables.ts";
import type { Row, Warehouse } from "./warehouse.ts";

/** A table from whose rows the messages can be made that filled it. */
export interface MessageTable {
  readonly topic: LoadedTopic;
  readonly spec: TableOfTopic;
}

/** Every table but those of latest versions: what is in these comes with the messages of the others. */
export const messageTables: readonly MessageTable[] = loadedTopics.flatMap((topic) =>
  tablesByTopic[topic].filter(({ keep }) => keep === "once").map((spec) => ({ topic, spec })),
);
export const storedTables: readonly string[] = allTables.map(({ table }) => table);

/** Behind which row reading goes on. */
export interface Place {
  readonly at: string;
  readonly orgId: string;
  readonly key: string;
}
export interface MessagePage {
  readonly values: readonly string[];
  readonly place: Place;
}

const pageRows = 2000;
const dayMs = 86_400_000;
const timeoutMs = 300_000;

/**
 * The messages of a table's rows, by their time, a page at a time; to store them again makes the same rows, also the
 * latest versions beside them: each message carries that, and the last one of a row has its number.
 */
export async function* storedMessages(
  warehouse: Pick<Warehouse, "query">,
  table: MessageTable,
  from: Place | null,
): AsyncGenerator<MessagePage> {
  const source = await toSource(warehouse, table);
  for (let place = from; ; ) {
    const rows = await pageBehind(warehouse, { ...source, spec: table.spec }, place);
    const last = rows.at(-1);
    if (last === undefined) return;
    const { time: at, key, kind } = table.spec;
    place = { at: String(last[at]), orgId: String(last["org_id"]), key: String(last[key]) };
    yield { values: rows.map((row) => JSON.stringify(kind === undefined ? row : { kind, ...row })), place };
  }
}

export async function countRows(warehouse: Pick<Warehouse, "query">, table: string): Promise<number> {
  const { rows } = await warehouse.query(sql`SELECT count(*) AS rows FROM ${raw(table)}`, { timeoutMs });
  return Number(rows[0]?.["rows"] ?? 0);
}

interface Source {
  readonly columns: Statement;
  readonly tables: Statement;
}

async function toSource(warehouse: Pick<Warehouse, "query">, { topic, spec }: MessageTable): Promise<Source> {
  const own = await columnsOf(warehouse, spec.table);
  const latest = tablesByTopic[topic].find(({ keep }) => keep === "latest");
  const columns = own.map((name) => raw(`e."${name}"`));
  const tables = sql`${raw(spec.table)} AS e`;
  if (latest === undefined) return { columns: join(columns, ", "), tables };
  const beside = (await columnsOf(warehouse, latest.table)).filter((name) => !own.includes(name));
  columns.push(...beside.map((name) => raw(`c."${name}"`)));
  const { key } = latest;
  const on = raw(`c.org_id = e.org_id AND c.${key} = e.${key} AND c.${latest.time} = e.${latest.time}`);
  return { columns: join(columns, ", "), tables: sql`${tables} LEFT JOIN ${raw(latest.table)} AS c ON ${on}` };
}

async function columnsOf(warehouse: Pick<Warehouse, "query">, table: string): Promise<string[]> {
  const { columns } = await warehouse.query(sql`SELECT * FROM ${raw(table)} LIMIT 0`, { timeoutMs });
  return columns.map(({ name }) => name).filter((name) => !derivedColumns.includes(name));
}

/** Reads day by day: sorting all remaining rows for each page would take most of the time. */
async function pageBehind(
  warehouse: Pick<Warehouse, "query">,
  { columns, tables, spec }: Source & { readonly spec: TableOfTopic },
  place: Place | null,
): Promise<readonly Row[]> {
  const at = raw(`e.${spec.time}`);
  const key = raw(`e.${spec.key}`);
  const behind =
    place && sql`(${at}, e.org_id, ${key}) > (${timeOf(place.at)}, ${text(place.orgId)}, ${text(place.key)})`;
  const day = await firstDay(warehouse, spec, behind);
  if (day === null) return [];
  const within = sql`${at} >= ${time(new Date(day))} AND ${at} < ${time(new Date(day + dayMs))}`;
  const where = behind === null ? within : sql`${within} AND ${behind}`;
  const { rows } = await warehouse.query(
    sql`SELECT ${columns} FROM ${tables} WHERE ${where} ORDER BY ${at}, e.org_id, ${key} LIMIT ${raw(String(pageRows))}`,
    { timeoutMs, maxRows: pageRows },
  );
  return rows;
}

const timeOf = (iso: string) => time(new Date(iso));

/** Returns the start (ms) of the day of the first remaining row; null if there is none. */
async function firstDay(
  warehouse: Pick<Warehouse, "query">,
  { table, time: at }: TableOfTopic,
  behind: Statement | null,
): Promise<number | null> {
  const { rows } = await warehouse.query(
    sql`SELECT min(${raw(at)}) AS first FROM ${raw(table)} AS e WHERE ${behind ?? sql`true`}`,
    { timeoutMs },
  );
  const first = rows[0]?.["first"];
  return typeof first === "string" ? Math.floor(Date.parse(first) / dayMs) * dayMs : null;
}

/** Reads all sums after the first `from`, by day, page by page, from a warehouse that nothing writes to. */
export async function* readPastCalls(
  warehouse: Pick<Warehouse, "query">,
  from: number,
): AsyncGenerator<readonly Row[]> {
  for (let offset = from; ; offset += pageRows) {
    const { rows } = await warehouse.query(
      sql`SELECT * FROM ${raw(pastCallsTable)} ORDER BY ${raw(pastCallsKey.join(", "))}
        LIMIT ${integer(pageRows)} OFFSET ${integer(offset)}`,
      { timeoutMs, maxRows: pageRows },
    );
    if (rows.length > 0) yield rows;
    if (rows.length < pageRows) return;
  }
}
