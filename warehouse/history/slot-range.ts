import type { Page } from "../../sql/page.ts";

/** Lengths of time in which rows are counted. */
export const slotMs = { day: 86_400_000, minute: 60_000 } as const;
export type SlotUnit = keyof typeof slotMs;

/** The number of rows of a list in a day or a minute, counted from 1970. */
export interface Slot {
  readonly slot: number;
  readonly rows: number;
}

/** Half-open. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
}

/** A part of a list that lies between two times. */
export interface SlotRange extends Span {
  /** Rows of the list that come before the stretch, and those in it. */
  readonly before: number;
  readonly inside: number;
}

/** The slots that the rows of a page lie in; null where the page lies behind the list's end. Slots come in their order. */
export function findSlotRange(slots: readonly Slot[], unit: SlotUnit, page: Page): SlotRange | null {
  const { limit, offset, direction } = page;
  const inOrder = direction === "asc" ? slots : slots.toReversed();
  let stretch: SlotRange | null = null;
  let passed = 0;
  for (const { slot, rows } of inOrder) {
    if (passed >= offset + limit) break;
    if (passed + rows > offset) stretch = grow(stretch, spanOf(slot, unit), { before: passed, inside: rows });
    passed += rows;
  }
  return stretch;
}

function grow(stretch: SlotRange | null, span: Span, { before, inside }: Omit<SlotRange, keyof Span>): SlotRange {
  if (stretch === null) return { ...span, before, inside };
  return {
    from: stretch.from < span.from ? stretch.from : span.from,
    to: stretch.to > span.to ? stretch.to : span.to,
    before: stretch.before,
    inside: stretch.inside + inside,
  };
}

export const spanOf = (slot: number, unit: SlotUnit): Span => ({
  from: new Date(slot * slotMs[unit]),
  to: new Date((slot + 1) * slotMs[unit]),
});

export const slotAt = (at: Date, unit: SlotUnit): number => Math.floor(at.getTime() / slotMs[unit]);

export const sumOf = (slots: readonly Slot[]): number => slots.reduce((sum, { rows }) => sum + rows, 0);

/** Slots from the first to the one behind the last, as far as there is a bound. */
export type WholeSlots = { readonly from?: number; readonly to?: number };

/** Returns the intersection of both spans. */
export function narrowest(one: Partial<Span>, other: Partial<Span>): Partial<Span> {
  const from = one.from && other.from ? (one.from > other.from ? one.from : other.from) : (one.from ?? other.from);
  const to = one.to && other.to ? (one.to < other.to ? one.to : other.to) : (one.to ?? other.to);
  return { ...(from && { from }), ...(to && { to }) };
}

/** A span as the whole slots in it, null where there are none, and what it has of those that it cuts through. */
export function cutSpan(
  { from, to }: Partial<Span>,
  unit: SlotUnit,
): { readonly whole: WholeSlots | null; readonly cut: readonly Span[] } {
  const slots = (at: Date) => at.getTime() / slotMs[unit];
  const first = from && Math.ceil(slots(from));
  const last = to && Math.floor(slots(to));
  if (from && to && from >= to) return { whole: null, cut: [] };
  if (from && to && first !== undefined && last !== undefined && first > last) {
    return { whole: null, cut: [{ from, to }] };
  }
  const startOf = (slot: number) => new Date(slot * slotMs[unit]);
  const head = from && first !== undefined && from < startOf(first) ? [{ from, to: startOf(first) }] : [];
  const tail = to && last !== undefined && startOf(last) < to ? [{ from: startOf(last), to }] : [];
  const whole = { ...(first !== undefined && { from: first }), ...(last !== undefined && { to: last }) };
  return { whole, cut: [...head, ...tail] };
}
