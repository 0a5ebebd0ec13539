import { raw, sql, text } from "../statement.ts";
import type { Row } from "../warehouse.ts";
import { type RowKey, standsBeside } from "./keyset.ts";
import { during, type HistoryList, type HistoryStore, readRows, readSlots, sortKeyOf } from "./list.ts";
import { type Slot, type SlotUnit, spanOf } from "./slot-range.ts";

/** Rows that are in memory at once: so many are made into an answer's bytes in some ten milliseconds. */
const rowsAtOnce = 2000;

export interface ExportAsked {
  /** The row that the export goes on behind; null: from the first one on. */
  readonly after: RowKey | null;
  /** Rows at the most; null: all. */
  readonly limit: number | null;
}

/**
 * Reads all rows of a list, oldest first, in batches, whatever their number, each once: a batch follows the last row in
 * the order of time and id, which never change for a row. So resuming behind the last row gives the same rows. A row of
 * an earlier time that is stored meanwhile is not read.
 */
export async function* exportRows(
  store: HistoryStore,
  list: HistoryList,
  { after, limit }: ExportAsked,
): AsyncGenerator<readonly Row[], void> {
  let last = after;
  let left = limit ?? Number.POSITIVE_INFINITY;
  for await (const to of boundsOf(store, startingAt(list, after))) {
    const bound = to === null ? [] : [during(list, { to })];
    for (let isWhole = false; !isWhole && left > 0; ) {
      const most = Math.min(rowsAtOnce, left);
      const conditions = [...bound, ...(last === null ? [] : [standsBeside(list, { key: last, later: true })])];
      const rows = await readRows(store, list, { conditions, page: { limit: most, offset: 0, direction: "asc" } });
      const end = rows.at(-1);
      isWhole = rows.length < most;
      if (end === undefined) continue;
      last = keyOf(list, end);
      left -= rows.length;
      yield rows;
    }
  }
}

/** Returns the position of a row in its list; null if the organization has no row with this id. */
export async function findRowKey(store: HistoryStore, list: HistoryList, id: string): Promise<RowKey | null> {
  const names = sortKeyOf(list);
  const { rows } = await store.warehouse.query(sql`
    SELECT ${raw(names.time)}, ${raw(names.id)} FROM ${raw(list.table)}
    WHERE org_id = ${text(list.orgId)} AND ${raw(names.id)} = ${text(id)} ORDER BY ${raw(names.time)} LIMIT 1`);
  const [row] = rows;
  return row === undefined ? null : keyOf(list, row);
}

function keyOf(list: HistoryList, row: Row): RowKey {
  const { time, id } = sortKeyOf(list);
  return { at: new Date(String(row[time])), id: String(row[id]) };
}

function startingAt(list: HistoryList, after: RowKey | null): HistoryList {
  if (after === null || (list.span.from !== undefined && list.span.from > after.at)) return list;
  return { ...list, span: { ...list.span, from: after.at } };
}

/**
 * Times up to which rows are read, so few that reading the first of what is left sorts no more than it gives; null at the
 * end, for what was stored since.
 */
async function* boundsOf(store: HistoryStore, list: HistoryList): AsyncGenerator<Date | null, void> {
  for (const day of gather(await readSlots(store, list, { unit: "day" }))) {
    if (day.rows <= rowsAtOnce) yield endOf(day.slot, "day");
    else {
      const minutes = await readSlots(store, list, { unit: "minute", within: spanOf(day.slot, "day") });
      for (const minute of gather(minutes)) yield endOf(minute.slot, "minute");
    }
  }
  yield null;
}

const endOf = (slot: number, unit: SlotUnit): Date => spanOf(slot, unit).to;

/** Neighbours of few rows, as one that ends with the last of them. */
function gather(slots: readonly Slot[]): Slot[] {
  const gathered: Slot[] = [];
  for (const slot of slots) {
    const before = gathered.at(-1);
    if (before !== undefined && before.rows + slot.rows <= rowsAtOnce) {
      gathered[gathered.length - 1] = { slot: slot.slot, rows: before.rows + slot.rows };
    } else gathered.push(slot);
  }
  return gathered;
}
