import type { OrgId } from "../../ingest/primitives.ts";
import type { Page } from "../../sql/page.ts";
import { integer, join, raw, type Statement, sql, text, time } from "../statement.ts";
import type { Row, Warehouse } from "../warehouse.ts";
import type { CountedTable, HistoryDialect } from "./dialect.ts";
import { cutSpan, narrowest, type Slot, type SlotUnit, type Span, type WholeSlots } from "./slot-range.ts";

export interface HistoryStore {
  readonly warehouse: Pick<Warehouse, "query">;
  readonly dialect: HistoryDialect;
}

/** Rows of an organization by time, and those of one time by id. */
export interface HistoryList {
  readonly orgId: OrgId;
  readonly table: CountedTable;
  readonly columns: Statement;
  /** The time of its rows, half-open; missing bounds are open. */
  readonly span: Partial<Span>;
  /** Other conditions; without any the stored counts are used. */
  readonly conditions: readonly Statement[];
}

interface SortKey {
  /** Never changes for a row. */
  readonly time: string;
  readonly id: string;
}
const ofRequests: SortKey = { time: "created_at", id: "id" };
const sortKeys: Readonly<Record<CountedTable, SortKey>> = {
  calls: { time: "started_at", id: "call_id" },
  outgoing_webhook_requests: ofRequests,
  incoming_webhook_requests: ofRequests,
};
export const sortKeyOf = ({ table }: Pick<HistoryList, "table">): SortKey => sortKeys[table];

/** More days than any list has, and more minutes than are asked for. */
const mostSlots = 100_000;

interface Slots {
  readonly unit: SlotUnit;
  /** Begins and ends with a slot; all of them unless given. */
  readonly within?: Span;
}

/** Returns the number of rows of each non-empty slot, in order: stored counts for a whole list, else a query. */
export async function readSlots(store: HistoryStore, list: HistoryList, asked: Slots): Promise<Slot[]> {
  const statement = list.conditions.length === 0 ? keptSlots(store, list, asked) : countedSlots(store, list, asked);
  const { rows } = await store.warehouse.query(statement, { maxRows: mostSlots });
  return rows.map(({ slot, requests }) => ({ slot: Number(slot), rows: Number(requests) }));
}

/** Whole slots as they are kept; of those that the list's span cuts through, the rows are counted. */
function keptSlots(store: HistoryStore, list: HistoryList, { unit, within }: Slots): Statement {
  const { whole, cut } = cutSpan(narrowest(list.span, within ?? {}), unit);
  const kept = whole === null ? [] : [keptWithin(store, list, { unit, whole })];
  const counted = cut.map((span) => slotsOf(store, list, { unit, within: span }));
  const parts = [...kept, ...counted];
  if (parts.length === 0) return raw("SELECT 0 AS slot, 0 AS requests WHERE false");
  return sql`SELECT slot, requests FROM (${join(parts, " UNION ALL ")}) AS parts ORDER BY slot`;
}

function keptWithin(
  { dialect }: HistoryStore,
  { orgId, table }: HistoryList,
  { unit, whole }: { readonly unit: SlotUnit; readonly whole: WholeSlots },
): Statement {
  const conditions = [
    sql`org_id = ${text(orgId)}`,
    ...(whole.from === undefined ? [] : [sql`slot >= ${integer(whole.from)}`]),
    ...(whole.to === undefined ? [] : [sql`slot < ${integer(whole.to)}`]),
  ];
  return sql`SELECT slot, requests FROM ${dialect.countsOf(table, unit)} WHERE ${join(conditions, " AND ")}`;
}

const countedSlots = (store: HistoryStore, list: HistoryList, slots: Slots): Statement =>
  sql`${slotsOf(store, list, slots)} ORDER BY 1`;

const slotsOf = ({ dialect }: HistoryStore, list: HistoryList, { unit, within }: Slots): Statement => sql`
  SELECT ${dialect.slotOf(raw(sortKeyOf(list).time), unit)} AS slot, count(*) AS requests
  FROM ${raw(list.table)} WHERE ${where(list, within === undefined ? [] : [during(list, within)])} GROUP BY 1`;

export async function readRows(
  { warehouse }: HistoryStore,
  list: HistoryList,
  { conditions, page }: { readonly conditions: readonly Statement[]; readonly page: Page },
): Promise<readonly Row[]> {
  const order = raw(page.direction === "asc" ? "ASC" : "DESC");
  const { time, id } = sortKeyOf(list);
  const { rows } = await warehouse.query(sql`
    SELECT ${list.columns} FROM ${raw(list.table)} WHERE ${where(list, conditions)}
    ORDER BY ${raw(time)} ${order}, ${raw(id)} ${order} LIMIT ${integer(page.limit)} OFFSET ${integer(page.offset)}`);
  return rows;
}

export async function countRows(
  { warehouse }: HistoryStore,
  list: HistoryList,
  conditions: readonly Statement[],
): Promise<number> {
  const { rows } = await warehouse.query(sql`
    SELECT count(*) AS requests FROM ${raw(list.table)} WHERE ${where(list, conditions)}`);
  return Number(rows[0]?.requests ?? 0);
}

/** The cheap conditions first. */
const where = (list: HistoryList, more: readonly Statement[]): Statement =>
  join([sql`org_id = ${text(list.orgId)}`, during(list, list.span), ...more, ...list.conditions], " AND ");

/** Returns the condition of a span; true without bounds. */
export function during(list: Pick<HistoryList, "table">, { from, to }: Partial<Span>): Statement {
  const column = raw(sortKeyOf(list).time);
  const bounds = [
    ...(from === undefined ? [] : [sql`${column} >= ${time(from)}`]),
    ...(to === undefined ? [] : [sql`${column} < ${time(to)}`]),
  ];
  return bounds.length === 0 ? raw("true") : join(bounds, " AND ");
}
