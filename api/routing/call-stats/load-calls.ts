import { z } from "zod";
import { refusedReason } from "../../../ingest/call.ts";
import { toUnits } from "../../../ingest/money.ts";
import { checkStored, readable, refuseUnreadable, type UnreadableError } from "../../../ingest/unreadable.ts";
import { integer, join, raw, type Statement, sql, text, time } from "../../../warehouse/statement.ts";
import { type Row, type Warehouse, WarehouseError } from "../../../warehouse/warehouse.ts";
import type { HolderKind } from "../call-stats.ts";
import {
  type CallRecord,
  callFieldNames,
  callFieldsSchema,
  holderColumns,
  holderKinds,
  toRecord,
} from "./call-record.ts";
import { countNames, hourMs } from "./counters.ts";
import type { OlderCounts } from "./org-calls.ts";

/** Rows of one question: about a tenth of a second of work, after which others have their turn. */
const defaultPageRows = 5_000;
const timeoutMs = 120_000;
const minWidthMs = 1000;
const maxOrganizations = 100_000;
/** Holders times days, or in the month of an organization that was cut, hours. */
const maxSums = 2_000_000;

/** Organizations that have ever had a call. */
export async function loadOrganizations(warehouse: Warehouse): Promise<string[]> {
  const statement = sql`SELECT org_id FROM calls UNION DISTINCT SELECT org_id FROM past_calls ORDER BY org_id`;
  const rows = await ask(warehouse, statement, maxOrganizations);
  return rows.map(({ org_id }) => String(org_id));
}

export interface Span {
  readonly orgId: string;
  /** Milliseconds since 1970; from -Infinity from the first call on, to Infinity to the last. */
  readonly from: number;
  /** End of the time, exclusive. */
  readonly to: number;
}

interface Reading {
  readonly pageRows?: number;
  /** Called with each row that is left out. */
  onUnreadable?(error: UnreadableError): void;
}

/** The last row of a page. */
type Last = Pick<CallRecord, "at" | "call_id">;
const placeIn = (row: Row | undefined): Last | undefined =>
  row && { at: Date.parse(String(row["started_at"])), call_id: String(row["call_id"]) };

/** Throws `UnreadableError`. */
const toCallRecord = (row: Row): CallRecord =>
  toRecord(checkStored(callFieldsSchema, row, { table: "calls", id: String(row["call_id"]) }));

/**
 * The calls of a span, newest first, a page at a time. After a full page the next question is only about the time that
 * two such pages may take, and after one that was not full about ever longer times: to sort all the rest for each page
 * took most of the time.
 */
export async function* loadCalls(
  warehouse: Warehouse,
  span: Span,
  { pageRows = defaultPageRows, onUnreadable = refuseUnreadable }: Reading = {},
): AsyncGenerator<readonly CallRecord[]> {
  let { from, to } = span;
  let last: Last | undefined;
  let widthMs = hourMs;
  for (;;) {
    const rows = await ask(warehouse, pageBehind({ ...span, from, to }, last, pageRows), pageRows);
    yield readable(rows, toCallRecord, onUnreadable);
    last = rows.length < pageRows ? undefined : placeIn(rows.at(-1));
    if (last === undefined && from <= span.from) return;
    to = last?.at === undefined ? from : last.at + 1;
    widthMs = last === undefined ? 4 * widthMs : Math.max(2 * ((placeIn(rows[0])?.at ?? 0) - last.at), minWidthMs);
    from = Math.max(span.from, to - widthMs);
  }
}

function pageBehind(span: Span, last: Last | undefined, pageRows: number): Statement {
  const at = last && time(new Date(last.at));
  const behind = at && sql`AND (started_at < ${at} OR call_id < ${text(last?.call_id ?? "")})`;
  const names = raw(callFieldNames.join(", "));
  return sql`SELECT ${names} FROM calls WHERE ${within(span)} ${behind ?? sql``}
    ORDER BY started_at DESC, call_id DESC LIMIT ${integer(pageRows)}`;
}

/**
 * By day, and from `hoursFrom` on by hour, what each holder's calls before `callsFrom` add up to, with those that the warehouse shows
 * no longer: in one statement, for a day that is hidden meanwhile would be among both or neither.
 */
export async function loadOlder(
  warehouse: Warehouse,
  { orgId, hoursFrom, callsFrom }: { readonly orgId: string; readonly hoursFrom: number; readonly callsFrom: number },
  { onUnreadable = refuseUnreadable }: Reading = {},
): Promise<OlderCounts[]> {
  const selects = [
    ...pastSums(orgId),
    ...sumsIn({ orgId, from: Number.NEGATIVE_INFINITY, to: hoursFrom }, "day"),
    ...sumsIn({ orgId, from: hoursFrom, to: callsFrom }, "hour"),
  ];
  const rows = await ask(warehouse, join(selects, " UNION ALL "), maxSums);
  return readable(rows, toOlderCounts, onUnreadable);
}

/** None of an empty span. */
const sumsIn = (span: Span, unit: "hour" | "day"): Statement[] =>
  span.from >= span.to ? [] : holderKinds.map((kind) => sumsOf(kind, span, unit));

function sumsOf(kind: HolderKind, span: Span, unit: "hour" | "day"): Statement {
  const column = raw(holderColumns[kind]);
  return sql`SELECT ${text(kind)} AS kind, ${column} AS id, date_trunc('${raw(unit)}', started_at) AS bucket,
      count(*) AS calls, count(connected_at) AS connected,
      sum(CASE WHEN converted THEN 1 ELSE 0 END) AS converted, sum(CASE WHEN receivable THEN 1 ELSE 0 END) AS receivable,
      sum(revenue) AS revenue, sum(payout) AS payout
    FROM calls WHERE ${within(span)} AND ${column} IS NOT NULL
      AND (failure_reason IS NULL OR failure_reason <> ${text(refusedReason)}) GROUP BY 1, 2, 3`;
}

/** Likewise, by day, of the calls that the warehouse shows no longer. */
function pastSums(orgId: string): Statement[] {
  const sums = raw(countNames.map((name) => `sum(${name}) AS ${name}`).join(", "));
  return holderKinds.map((kind) => {
    const column = raw(holderColumns[kind]);
    return sql`SELECT ${text(kind)} AS kind, ${column} AS id, started_at AS bucket, ${sums}
      FROM past_calls WHERE org_id = ${text(orgId)} AND ${column} IS NOT NULL GROUP BY 1, 2, 3`;
  });
}

const sumSchema = z.object({
  kind: z.enum(holderKinds),
  id: z.string(),
  bucket: z.string(),
  calls: z.number(),
  connected: z.number(),
  converted: z.number(),
  receivable: z.number(),
  revenue: z.number().nullable(),
  payout: z.number().nullable(),
});

/** Throws `UnreadableError`. */
function toOlderCounts(row: Row): OlderCounts {
  const place = { table: "calls", id: `sums of ${row["kind"]} ${row["id"]} from ${row["bucket"]} on` };
  const { kind, id, bucket, ...sum } = checkStored(sumSchema, row, place);
  const money = { revenue: toUnits(sum.revenue ?? 0), payout: toUnits(sum.payout ?? 0) };
  return { holder: { kind, id }, at: Date.parse(bucket), counts: { ...sum, ...money } };
}

const within = ({ orgId, from, to }: Span): Statement =>
  join(
    [
      sql`org_id = ${text(orgId)}`,
      ...(Number.isFinite(from) ? [sql`started_at >= ${time(new Date(from))}`] : []),
      ...(Number.isFinite(to) ? [sql`started_at < ${time(new Date(to))}`] : []),
    ],
    " AND ",
  );

async function ask(warehouse: Warehouse, statement: Statement, maxRows: number): Promise<readonly Row[]> {
  const { rows, truncated } = await warehouse.query(statement, { timeoutMs, maxRows });
  if (truncated)
    throw new WarehouseError("query_invalid", `There are more than ${maxRows} rows for routing's call stats.`);
  return rows;
}
