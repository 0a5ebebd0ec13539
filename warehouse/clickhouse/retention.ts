import { Readable } from "node:stream";
import type { ClickHouseClient } from "@clickhouse/client";
import { refusedReason } from "../../ingest/call.ts";
import { slotMs } from "../history/slot-range.ts";
import { behindPastCalls, type PastCalls } from "../past-calls.ts";
import { cutoffOf, graceDays, isShown, later, type Retention } from "../retention.ts";
import { allTables, storedIn, type TableOfTopic } from "../tables.ts";
import { keptFrom } from "./shown.ts";
import { toClickhouseTime } from "./values.ts";

/** Before any row. */
const always = new Date("1900-01-01T00:00:00.000Z");
const countsTable = "loader_counts";
const countsView = "shown_counts";

/** The current state of a table or view in the engine. */
interface Found {
  readonly name: string;
  readonly engine_full: string;
  readonly as_select: string;
}
interface State {
  /** True if a retention was ever set. */
  readonly isKnown: boolean;
  readonly goneBefore: Date;
}

/**
 * Brings views and TTLs to what is set, and changes nothing that is so already, nor anything where none was ever set: an
 * operator may have TTLs of his own. The engine deletes a part when all of it is old enough, later than its rows are
 * hidden.
 */
export async function applyRetention(client: ClickHouseClient, { days, clock }: Retention): Promise<void> {
  if (days === "as it is") return;
  const state = await readState(client);
  if (days === null && !state.isKnown) return;
  const found = await readTables(client);
  const wanted = days === null ? null : days + graceDays;
  const changing = expiring.filter(({ table }) => ttlDaysOf(found.get(table)) !== wanted);
  const gone = changing.map(({ table }) => deletedBefore(ttlDaysOf(found.get(table)), clock.now()));
  const goneBefore = gone.reduce<Date | null>(later, state.goneBefore) ?? always;
  await moveTo(client, { cutoff: days === null ? always : cutoffOf(days, clock.now()), goneBefore });
  await makeViews(client, found);
  for (const each of changing) {
    for (const query of toAlter(each, wanted, found.get(each.table))) await client.command({ query });
  }
}

/** Replaces the views that do not apply the retention yet. */
async function makeViews(client: ClickHouseClient, found: ReadonlyMap<string, Found>): Promise<void> {
  for (const { name, query } of views) {
    if (!found.get(name)?.as_select.includes("retention")) await client.command({ query });
  }
}

/** Hides what was from before, of all tables at once. */
export async function showFrom(client: ClickHouseClient, cutoff: Date): Promise<void> {
  await moveTo(client, { cutoff, goneBefore: always });
}

/** Adds sums of days that are hidden from then on. */
export async function takePast(client: ClickHouseClient, all: readonly PastCalls[]): Promise<void> {
  if (all.length === 0) return;
  await insertPast(client, all);
  await moveTo(client, { cutoff: always, goneBefore: behindPastCalls(all) });
  await makeViews(client, await readTables(client));
}

/** The engine keeps one of several sums with the same key. */
async function insertPast(client: ClickHouseClient, all: readonly PastCalls[]): Promise<void> {
  const { stream } = await client.exec({
    query: "INSERT INTO stored_past_calls FORMAT JSONEachRow",
    values: Readable.from([Buffer.from(all.map((each) => JSON.stringify(each)).join("\n"))], { objectMode: false }),
    clickhouse_settings: { date_time_input_format: "best_effort" },
  });
  for await (const _ of stream);
}

async function readState(client: ClickHouseClient): Promise<State> {
  const found = await client.query({
    query: "SELECT count() AS rows, toUnixTimestamp64Milli(max(gone_before)) AS gone FROM retention",
    format: "JSONEachRow",
  });
  const [row] = await found.json<{ rows: number | string; gone: number | string }>();
  const isKnown = Number(row?.rows ?? 0) > 0;
  return { isKnown, goneBefore: isKnown ? new Date(Number(row?.gone)) : always };
}

interface Moved {
  readonly cutoff: Date;
  readonly goneBefore: Date;
}

async function moveTo(client: ClickHouseClient, { cutoff, goneBefore }: Moved): Promise<void> {
  const query_params = { cutoff: toClickhouseTime(cutoff), gone: toClickhouseTime(goneBefore) };
  await client.command({ query: addUp, query_params });
  await client.command({ query: `INSERT INTO retention SELECT ${from}, ${gone}, now64(6, 'UTC')`, query_params });
}

/** Read by the statement that writes it: another process may have raised it in the meantime. */
const gone = `greatest({gone:DateTime64(3, 'UTC')},
  (SELECT ifNull(maxOrNull(gone_before), {gone:DateTime64(3, 'UTC')}) FROM retention))`;
const from = `greatest({cutoff:DateTime64(3, 'UTC')}, ${gone})`;

/** Calls of the days behind the last one that was added up, in one block: all of them or none. */
const addUp = `
  INSERT INTO stored_past_calls
  SELECT org_id, toDateTime64(toDate32(started_at), 3, 'UTC') AS day, campaign_id, publisher_id, target_id, rtb_id,
         buyer_id, count(), countIf(connected_at IS NOT NULL), countIf(converted), countIf(receivable), sum(revenue),
         sum(payout)
  FROM stored_calls FINAL
  WHERE ifNull(failure_reason, '') != '${refusedReason}' AND started_at < ${from} AND started_at >= (
    SELECT if(count() = 0, toDateTime64('1900-01-01 00:00:00', 3, 'UTC'), max(started_at) + toIntervalDay(1))
    FROM stored_past_calls)
  GROUP BY org_id, day, campaign_id, publisher_id, target_id, rtb_id, buyer_id
  SETTINGS max_insert_threads = 1, min_insert_block_size_rows = 10000000, min_insert_block_size_bytes = 0`;

async function readTables(client: ClickHouseClient): Promise<ReadonlyMap<string, Found>> {
  const found = await client.query({
    query: "SELECT name, engine_full, as_select FROM system.tables WHERE database = currentDatabase()",
    format: "JSONEachRow",
  });
  return new Map((await found.json<Found>()).map((table) => [table.name, table]));
}

const views = [
  ...allTables.map((spec) => ({
    name: spec.table,
    query: `CREATE OR REPLACE VIEW ${spec.table} AS SELECT ${shownColumns(spec)} FROM ${storedIn(spec.table)} FINAL
      WHERE ${isShown(spec, keptFrom)}`,
  })),
  {
    name: countsView,
    query: `CREATE OR REPLACE VIEW ${countsView} AS SELECT * FROM ${countsTable} FINAL
      WHERE slot >= intDiv(toUnixTimestamp64Milli(${keptFrom}), if(unit = 'day', ${slotMs.day}, ${slotMs.minute}))`,
  },
];

/** Latest versions know no place in the log. */
function shownColumns({ keep }: TableOfTopic): string {
  return keep === "latest" ? "*" : "* EXCEPT (log_partition, log_offset)";
}

interface Expiring {
  readonly table: string;
  /** The time of a row, as the engine's type of whole seconds. */
  readonly at: string;
  /** True if parts are partitioned by month, so that dropping a whole part is cheaper than rewriting one. */
  readonly isByMonth: boolean;
}
const expiring: readonly Expiring[] = [
  ...allTables.map(({ table, time }) => ({ table: storedIn(table), at: `toDateTime(${time})`, isByMonth: true })),
  {
    table: countsTable,
    at: `toDateTime(greatest(slot, 0) * if(unit = 'day', ${slotMs.day / 1000}, ${slotMs.minute / 1000}), 'UTC')`,
    isByMonth: false,
  },
];

/** Null where there is none. */
function ttlDaysOf(table: Found | undefined): number | null {
  const days = /\bTTL .*toIntervalDay\((\d+)\)/.exec(table?.engine_full ?? "")?.[1];
  return days === undefined ? null : Number(days);
}

/** Returns the time before which a TTL may have deleted rows, with a day of margin for the engine's clock. */
const deletedBefore = (ttlDays: number | null, now: number): Date | null =>
  ttlDays === null ? null : cutoffOf(ttlDays - 1, now);

/** Changes the TTL without rewriting: for existing rows only their ages are recorded. */
function toAlter({ table, at, isByMonth }: Expiring, days: number | null, found: Found | undefined): string[] {
  if (days === null) return [`ALTER TABLE ${table} REMOVE TTL`];
  const settings = `materialize_ttl_recalculate_only = 1, ttl_only_drop_parts = ${Number(isByMonth)}`;
  const isSet = found?.engine_full.includes(settings) ?? false;
  return [
    ...(isSet ? [] : [`ALTER TABLE ${table} MODIFY SETTING ${settings}`]),
    `ALTER TABLE ${table} MODIFY TTL ${at} + toIntervalDay(${days})`,
  ];
}
