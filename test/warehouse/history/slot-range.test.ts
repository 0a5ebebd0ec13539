import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findSlotRange, type Slot, slotAt, slotMs, spanOf, sumOf } from "../../../warehouse/history/slot-range.ts";

/** Slots that lie apart by the first number each, with so many rows as the second says. */
function slotsOf(given: readonly (readonly [gap: number, rows: number])[]): Slot[] {
  let slot = 20_000;
  return given.map(([gap, rows]) => {
    slot += gap;
    return { slot, rows };
  });
}
const slots = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 9 })), { maxLength: 12 })
  .map(slotsOf);
const page = fc.record({
  limit: fc.integer({ min: 1, max: 30 }),
  offset: fc.nat(70),
  direction: fc.constantFrom("asc" as const, "desc" as const),
});

describe("the stretch of a page", () => {
  it("has every row of the page, begins and ends with a slot of one, and knows how many come before", () => {
    fc.assert(
      fc.property(slots, page, (slots, { limit, offset, direction }) => {
        const inOrder = direction === "asc" ? slots : slots.toReversed();
        const slotOfRow = inOrder.flatMap(({ slot, rows }) => Array<number>(rows).fill(slot));
        const wanted = slotOfRow.slice(offset, offset + limit);
        const stretch = findSlotRange(slots, "day", { limit, offset, direction });
        if (wanted.length === 0) {
          expect(stretch).toBeNull();
          return;
        }
        const [first, last] = [Math.min(...wanted), Math.max(...wanted)];
        expect(stretch).toEqual({
          from: spanOf(first, "day").from,
          to: spanOf(last, "day").to,
          before: slotOfRow.indexOf(wanted[0] ?? 0),
          inside: slotOfRow.filter((slot) => slot >= first && slot <= last).length,
        });
      }),
    );
  });

  it("is nothing behind the end of a list, and in an empty one", () => {
    const one = [{ slot: 7, rows: 3 }];
    expect(findSlotRange(one, "minute", { limit: 50, offset: 3, direction: "asc" })).toBeNull();
    expect(findSlotRange([], "minute", { limit: 50, offset: 0, direction: "desc" })).toBeNull();
  });
});

describe("a slot", () => {
  it.each(["day", "minute"] as const)("of a time is the %s that it lies in", (unit) => {
    const at = new Date("2026-11-02T15:59:59.999Z");
    const { from, to } = spanOf(slotAt(at, unit), unit);
    expect(from.getTime()).toBeLessThanOrEqual(at.getTime());
    expect(to.getTime() - from.getTime()).toBe(slotMs[unit]);
    expect(slotAt(to, unit)).toBe(slotAt(at, unit) + 1);
  });

  it("adds up with others", () => {
    expect([
      sumOf([]),
      sumOf(
        slotsOf([
          ...([
            [1, 2],
            [1, 3],
          ] as const),
        ]),
      ),
    ]).toEqual([0, 5]);
  });
});
