import { countRows, during, type HistoryList, type HistoryStore, readSlots } from "./history-list.ts";
import { type Statement, sql, text, time } from "./statement.ts";
import { type Slot, slotAt, spanOf, sumOf } from "./stretch.ts";

/** A row's place in the order of time. */
export interface RowKey {
  readonly createdAt: Date;
  readonly id: string;
}

/** The rows on one side of a place. */
export interface Side {
  readonly key: RowKey;
  /** Those that come later, or earlier. */
  readonly later: boolean;
}

export function standsBeside({ key: { createdAt, id }, later }: Side): Statement {
  const at = time(createdAt);
  return later
    ? sql`created_at >= ${at} AND (created_at > ${at} OR id > ${text(id)})`
    : sql`created_at <= ${at} AND (created_at < ${at} OR id < ${text(id)})`;
}

/** How many rows of a list stand there: by whole days, by whole minutes of the day, and one by one in the minute. */
export async function countBeside(
  store: HistoryStore,
  list: HistoryList,
  { days, side }: { readonly days: readonly Slot[]; readonly side: Side },
): Promise<number> {
  const { createdAt } = side.key;
  const beside = (own: number) => (slot: Slot) => (side.later ? slot.slot > own : slot.slot < own);
  const [day, minute] = [slotAt(createdAt, "day"), slotAt(createdAt, "minute")];
  const inDays = sumOf(days.filter(beside(day)));
  if (!days.some(({ slot }) => slot === day)) return inDays;
  const [minutes, inMinute] = await Promise.all([
    readSlots(store, list, { unit: "minute", within: spanOf(day, "day") }),
    countRows(store, list, [during(spanOf(minute, "minute")), standsBeside(side)]),
  ]);
  return inDays + sumOf(minutes.filter(beside(minute))) + inMinute;
}
