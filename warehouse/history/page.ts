import { fromNearerEnd, type Page } from "../../sql/page.ts";
import type { Row } from "../warehouse.ts";
import { countBeside, type RowKey, type Side, standsBeside } from "./keyset.ts";
import { during, type HistoryList, type HistoryStore, readRows, readSlots } from "./list.ts";
import { findSlotRange, type Slot, sumOf } from "./slot-range.ts";

/** The position of a page: after an offset, or next to a row in the list's order. */
export type HistoryPlace =
  | { readonly kind: "offset"; readonly offset: number }
  | { readonly kind: "after" | "before"; readonly key: RowKey };

export interface HistoryPage extends Omit<Page, "offset"> {
  readonly place: HistoryPlace;
}

export interface HistoryRows {
  readonly rows: readonly Row[];
  /** The number of all rows, and of those before the first of these. */
  readonly total: number;
  readonly offset: number;
}

/**
 * Reads one page. How many rows there are on each day, and on days of many rows in each minute, tells when those of the
 * page were made; only that time is read, so that any page costs what the first does. Of all rows of a span these figures are
 * kept; of a narrowed list they are counted. A row that is stored meanwhile may move a page, as it does between two.
 */
export async function readHistoryPage(
  store: HistoryStore,
  list: HistoryList,
  { place, ...page }: HistoryPage,
): Promise<HistoryRows> {
  const days = await readSlots(store, list, { unit: "day" });
  const total = sumOf(days);
  if (place.kind === "offset") {
    const rows = await readAtOffset(store, list, { days, page: { ...page, offset: place.offset } });
    return { rows, total, offset: place.offset };
  }
  const after = place.kind === "after";
  const side = { key: place.key, later: (page.direction === "asc") === after };
  const rowsBeside = await countBeside(store, list, { days, side });
  const offset = Math.max(0, after ? total - rowsBeside : rowsBeside - page.limit);
  const limit = Math.min(page.limit, rowsBeside);
  const rows = await readBeside(store, list, { days, page: { ...page, limit, offset }, side });
  return { rows: after ? rows : rows.toReversed(), total, offset };
}

interface Paging {
  readonly days: readonly Slot[];
  readonly page: Page;
}

async function readAtOffset(store: HistoryStore, list: HistoryList, { days, page }: Paging): Promise<readonly Row[]> {
  const stretch = await findTime(store, list, { days, page });
  if (stretch === null) return [];
  const inside = { ...page, offset: page.offset - stretch.before };
  const { reversed, order, limit, offset } = fromNearerEnd(inside, stretch.inside);
  const nearest = { direction: order, limit, offset };
  const rows = await readRows(store, list, { conditions: [during(list, stretch)], page: nearest });
  return reversed ? rows.toReversed() : rows;
}

/** The rows that are nearest to the side's place, nearest first. */
async function readBeside(
  store: HistoryStore,
  list: HistoryList,
  { days, page, side }: Paging & { readonly side: Side },
): Promise<readonly Row[]> {
  const stretch = await findTime(store, list, { days, page });
  if (stretch === null) return [];
  const nearest = { direction: side.later ? "asc" : "desc", limit: page.limit, offset: 0 } as const;
  return readRows(store, list, { conditions: [during(list, stretch), standsBeside(list, side)], page: nearest });
}

/** Up to this many rows are sorted as quickly as minutes are counted. */
const fewRows = 1000;

/** Finds the time range of a page's rows: by day if the days have few rows, else by minute. */
async function findTime(store: HistoryStore, list: HistoryList, { days, page }: Paging) {
  const stretch = findSlotRange(days, "day", page);
  if (stretch === null || stretch.inside <= fewRows) return stretch;
  const minutes = await readSlots(store, list, { unit: "minute", within: stretch });
  const found = findSlotRange(minutes, "minute", { ...page, offset: page.offset - stretch.before });
  return found && { ...found, before: stretch.before + found.before };
}
