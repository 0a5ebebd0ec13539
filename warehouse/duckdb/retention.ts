import { createHash } from "node:crypto";
import type { DuckDBConnection } from "@duckdb/node-api";
import { refusedReason } from "../../ingest/call.ts";
import { inTransaction } from "../../sql/duckdb.ts";
import { slotMs } from "../history/slot-range.ts";
import { behindPastCalls, type PastCalls, pastCallsKey } from "../past-calls.ts";
import { cutoffOf, followCutoff, graceDays, isShown, later, type Retention } from "../retention.ts";
import { text, time, toLiteral } from "../statement.ts";
import { allTables, storedIn, type TableOfTopic } from "../tables.ts";
import { commentsOnViews } from "./comments.ts";

/** The cutoff moves once a day; what comes late is found by the hour. */
const deleteEveryMs = slotMs.day / 24;

export interface Writing {
  readonly writer: DuckDBConnection;
  /** Runs work of the writer after what it has in hand. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
}

/** Shows the rows that are kept, and deletes the others a while later, some at a time. */
export async function openRetention({ writer, inTurn }: Writing, retention: Retention) {
  const { days, clock, onTrouble = () => undefined } = retention;
  const closing = new AbortController();
  const show = (cutoff: Date | null) => inTurn(() => showFrom(writer, cutoff));
  if (days !== "as it is") await show(days === null ? null : cutoffOf(days, clock.now()));

  async function deleteAll(kept: number): Promise<void> {
    const before = cutoffOf(kept + graceDays, clock.now());
    // Nobody may have read anything since the day began.
    await inTurn(() => addUp(writer, cutoffOf(kept, clock.now())));
    for (const table of allTables) {
      let isMore = true;
      while (isMore && !closing.signal.aborted) isMore = await inTurn(() => deleteDay(writer, table, before));
    }
  }
  async function run(kept: number): Promise<void> {
    while (!closing.signal.aborted) {
      await deleteAll(kept).catch(onTrouble);
      await clock.sleep(deleteEveryMs, closing.signal);
    }
  }
  const finished = typeof days === "number" ? run(days) : Promise.resolve();

  return {
    /** Must be awaited before rows are read. */
    follow: followCutoff(retention, show),
    /** Takes sums under the current retention; earlier ones are unknown, so that everything is shown that may be. */
    takePast: (all: readonly PastCalls[]): Promise<void> =>
      inTurn(async () => {
        await insertPast(writer, all);
        await showFrom(writer, typeof days === "number" ? cutoffOf(days, clock.now()) : null);
      }),
    async close(): Promise<void> {
      closing.abort();
      await finished;
    },
  };
}

/** Makes the views of rows and counts anew, all at once, unless those that are there are the same. */
const showFrom = (connection: DuckDBConnection, cutoff: Date | null): Promise<void> =>
  inTransaction(connection, async () => {
    const { goneBefore, schema, made } = await readShown(connection);
    if (cutoff !== null) await addUp(connection, cutoff);
    const statements = [...viewsFrom(later(cutoff, goneBefore)), ...commentsOnViews];
    // A view keeps the columns that its table had when it was made.
    const wanted = createHash("sha256")
      .update([schema, ...statements].join(";"))
      .digest("hex");
    if (made === wanted) return;
    await connection.run(statements.join(";"));
    await connection.run(`COMMENT ON VIEW past_calls IS '${wanted}'`);
  });

/** Adds up the days after the last one that was added up, while their rows exist. */
const addUp = (connection: DuckDBConnection, until: Date) =>
  connection.run(`
    INSERT INTO stored_past_calls
    SELECT org_id, date_trunc('day', started_at) AS day, campaign_id, publisher_id, target_id, rtb_id, buyer_id, count(*),
           count(connected_at), count(*) FILTER (converted), count(*) FILTER (receivable), sum(revenue), sum(payout)
    FROM stored_calls WHERE failure_reason IS DISTINCT FROM ${toLiteral(text(refusedReason))}
    AND started_at < ${toLiteral(time(until))} AND started_at >= (
      SELECT coalesce(max(started_at) + INTERVAL 1 DAY, TIMESTAMP '0001-01-01') FROM stored_past_calls)
    GROUP BY org_id, day, campaign_id, publisher_id, target_id, rtb_id, buyer_id`);

/** Reads what has been deleted, the version of the schema, and the hash of what the views were made from. */
async function readShown(connection: DuckDBConnection) {
  const result = await connection.runAndReadAll(`
    SELECT (SELECT epoch_ms(gone_before) FROM retention), (SELECT max(version) FROM schema_migrations),
           (SELECT comment FROM duckdb_views() WHERE schema_name = 'main' AND view_name = 'past_calls')`);
  const [ms, schema, made] = result.getRows()[0] ?? [];
  return { goneBefore: ms == null ? null : new Date(Number(ms)), schema: Number(schema), made };
}

const viewsFrom = (from: Date | null): string[] => [
  `CREATE OR REPLACE VIEW past_calls AS SELECT * FROM stored_past_calls
   WHERE ${from === null ? "false" : `started_at < ${toLiteral(time(from))}`}`,
  ...allTables.flatMap((spec) => {
    const where = from === null ? "" : ` WHERE ${isShown(spec, toLiteral(time(from)))}`;
    const view = `CREATE OR REPLACE VIEW ${spec.table} AS SELECT * FROM ${storedIn(spec.table)}${where}`;
    return spec.counted === true ? [view, ...countViewsFrom(spec, from)] : [view];
  }),
];

const countViewsFrom = ({ table }: TableOfTopic, from: Date | null): string[] =>
  Object.entries(slotMs).map(([unit, ms]) => {
    const where = from === null ? "" : ` WHERE slot >= ${from.getTime() / ms}`;
    return `CREATE OR REPLACE VIEW loader.${table}_by_${unit} AS SELECT * FROM loader.${storedIn(table)}_by_${unit}${where}`;
  });

/** Deletes a day of a table's rows, the oldest one, with their counts; whether there may be more. */
async function deleteDay(connection: DuckDBConnection, { table, time: at, counted }: TableOfTopic, before: Date) {
  const bound = toLiteral(time(before));
  const found = await connection.runAndReadAll(
    `SELECT epoch_ms(min(${at})) FROM ${storedIn(table)} WHERE ${at} < ${bound}`,
  );
  const [first] = found.getRows()[0] ?? [];
  if (first == null) return false;
  // Whole days of UTC: the bound is one, too.
  const end = (Math.floor(Number(first) / slotMs.day) + 1) * slotMs.day;
  const until = toLiteral(time(new Date(end)));
  await inTransaction(connection, async () => {
    await connection.run(`UPDATE retention SET gone_before = greatest(gone_before, ${until})`);
    await connection.run(`DELETE FROM ${storedIn(table)} WHERE ${at} < ${until}`);
    if (counted !== true) return;
    for (const [unit, ms] of Object.entries(slotMs)) {
      await connection.run(`DELETE FROM loader.${storedIn(table)}_by_${unit} WHERE slot < ${end / ms}`);
    }
  });
  return true;
}

/** Types of the columns of `stored_past_calls`. */
const pastTypes: Readonly<Record<keyof PastCalls, string>> = {
  org_id: "VARCHAR",
  started_at: "TIMESTAMP",
  campaign_id: "VARCHAR",
  publisher_id: "VARCHAR",
  target_id: "VARCHAR",
  rtb_id: "VARCHAR",
  buyer_id: "VARCHAR",
  calls: "BIGINT",
  connected: "BIGINT",
  converted: "BIGINT",
  receivable: "BIGINT",
  revenue: "DECIMAL(18, 4)",
  payout: "DECIMAL(18, 4)",
};

/** Adds the sums that are not there yet, and hides their days. */
async function insertPast(connection: DuckDBConnection, all: readonly PastCalls[]): Promise<void> {
  if (all.length === 0) return;
  const names = Object.keys(pastTypes).join(", ");
  const isSame = pastCallsKey.map((name) => `old.${name} IS NOT DISTINCT FROM new.${name}`).join(" AND ");
  await inTransaction(connection, async () => {
    await connection.run(
      `INSERT INTO stored_past_calls (${names})
       SELECT ${names} FROM (SELECT unnest(from_json($1::JSON, '${JSON.stringify([pastTypes])}'), recursive := true)) AS new
       WHERE NOT EXISTS (SELECT 1 FROM stored_past_calls AS old WHERE ${isSame})`,
      [JSON.stringify(all)],
    );
    const behind = toLiteral(time(behindPastCalls(all)));
    await connection.run(`UPDATE retention SET gone_before = greatest(gone_before, ${behind})`);
  });
}
