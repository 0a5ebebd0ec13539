import { raw, type Statement, sql, text, time } from "../statement.ts";
import { countRows, during, type HistoryList, type HistoryStore, readSlots, sortKeyOf } from "./list.ts";
import { type Slot, slotAt, spanOf, sumOf } from "./slot-range.ts";

/** A row's place in the order of time. */
export interface RowKey {
  readonly at: Date;
  readonly id: string;
}

/** The rows on one side of a place. */
export interface Side {
  readonly key: RowKey;
  /** True for later rows, false for earlier ones. */
  readonly later: boolean;
}

export function standsBeside(list: Pick<HistoryList, "table">, { key, later }: Side): Statement {
  const sortKey = sortKeyOf(list);
  const [column, id] = [raw(sortKey.time), raw(sortKey.id)];
  const at = time(key.at);
  return later
    ? sql`${column} >= ${at} AND (${column} > ${at} OR ${id} > ${text(key.id)})`
    : sql`${column} <= ${at} AND (${column} < ${at} OR ${id} < ${text(key.id)})`;
}

/** Counts the rows of a list on one side: by whole days, by whole minutes of the day, and by row in the minute. */
export async function countBeside(
  store: HistoryStore,
  list: HistoryList,
  { days, side }: { readonly days: readonly Slot[]; readonly side: Side },
): Promise<number> {
  const { at } = side.key;
  const beside = (own: number) => (slot: Slot) => (side.later ? slot.slot > own : slot.slot < own);
  const [day, minute] = [slotAt(at, "day"), slotAt(at, "minute")];
  const inDays = sumOf(days.filter(beside(day)));
  if (!days.some(({ slot }) => slot === day)) return inDays;
  const [minutes, inMinute] = await Promise.all([
    readSlots(store, list, { unit: "minute", within: spanOf(day, "day") }),
    countRows(store, list, [during(list, spanOf(minute, "minute")), standsBeside(list, side)]),
  ]);
  return inDays + sumOf(minutes.filter(beside(minute))) + inMinute;
}
