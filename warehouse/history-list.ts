import type { OrgId } from "../ingest/primitives.ts";
import type { Page } from "../sql/page.ts";
import type { CountedTable, HistoryDialect } from "./history-dialect.ts";
import { integer, join, raw, type Statement, sql, text, time } from "./statement.ts";
import { type Slot, type SlotUnit, type Span, slotAt } from "./stretch.ts";
import type { Row, Warehouse } from "./warehouse.ts";

export interface HistoryStore {
  readonly warehouse: Pick<Warehouse, "query">;
  readonly dialect: HistoryDialect;
}

/** Rows of an organization by time, and those of one time by id. */
export interface HistoryList {
  readonly orgId: OrgId;
  readonly table: CountedTable;
  readonly columns: Statement;
  /** What it is narrowed to; of nothing, it is the whole list. */
  readonly conditions: readonly Statement[];
}

/** More days than any list has, and more minutes than are asked for. */
const mostSlots = 100_000;

interface Slots {
  readonly unit: SlotUnit;
  /** Begins and ends with a slot; all of them unless given. */
  readonly within?: Span;
}

/** How many rows a list has in each slot that has any, in order: kept figures of a whole list, else counted. */
export async function readSlots(store: HistoryStore, list: HistoryList, asked: Slots): Promise<Slot[]> {
  const statement = list.conditions.length === 0 ? keptSlots(store, list, asked) : countedSlots(store, list, asked);
  const { rows } = await store.warehouse.query(statement, { maxRows: mostSlots });
  return rows.map(({ slot, requests }) => ({ slot: Number(slot), rows: Number(requests) }));
}

function keptSlots({ dialect }: HistoryStore, { orgId, table }: HistoryList, { unit, within }: Slots): Statement {
  const conditions = [sql`org_id = ${text(orgId)}`];
  if (within !== undefined) {
    conditions.push(
      sql`slot >= ${integer(slotAt(within.from, unit))}`,
      sql`slot < ${integer(slotAt(within.to, unit))}`,
    );
  }
  return sql`SELECT slot, requests FROM ${dialect.countsOf(table, unit)} WHERE ${join(conditions, " AND ")} ORDER BY slot`;
}

const countedSlots = ({ dialect }: HistoryStore, list: HistoryList, { unit, within }: Slots): Statement => sql`
  SELECT ${dialect.slotOf(raw("created_at"), unit)} AS slot, count(*) AS requests
  FROM ${raw(list.table)} WHERE ${where(list, within === undefined ? [] : [during(within)])} GROUP BY 1 ORDER BY 1`;

export async function readRows(
  { warehouse }: HistoryStore,
  list: HistoryList,
  { conditions, page }: { readonly conditions: readonly Statement[]; readonly page: Page },
): Promise<readonly Row[]> {
  const order = raw(page.direction === "asc" ? "ASC" : "DESC");
  const { rows } = await warehouse.query(sql`
    SELECT ${list.columns} FROM ${raw(list.table)} WHERE ${where(list, conditions)}
    ORDER BY created_at ${order}, id ${order} LIMIT ${integer(page.limit)} OFFSET ${integer(page.offset)}`);
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
const where = ({ orgId, conditions }: HistoryList, more: readonly Statement[]): Statement =>
  join([sql`org_id = ${text(orgId)}`, ...more, ...conditions], " AND ");

export const during = ({ from, to }: Span): Statement => sql`created_at >= ${time(from)} AND created_at < ${time(to)}`;
