import fc from "fast-check";
import { expect, it } from "vitest";
import { fromNearerEnd, type Page } from "../../sql/page.ts";

/** As a statement with ORDER BY, LIMIT and OFFSET reads a list. */
function read(list: readonly number[], { direction, limit, offset }: Page): number[] {
  const inOrder = direction === "asc" ? list : list.toReversed();
  return inOrder.slice(offset, offset + limit);
}

const pages = fc.record({
  total: fc.nat(60),
  limit: fc.integer({ min: 1, max: 70 }),
  offset: fc.nat(70),
  direction: fc.constantFrom("asc" as const, "desc" as const),
});

it("a page has its last row, though the list has grown since it was counted", () => {
  const page = { limit: 20, offset: 0, direction: "desc" as const };
  const { order, limit, offset } = fromNearerEnd(page, 2);
  expect(read([1, 2, 3], { direction: order, limit, offset })).toEqual([3, 2, 1]);
});

it("a page that is read from the nearer end is the page, and skips no more than half of the list", () => {
  fc.assert(
    fc.property(pages, ({ total, ...page }) => {
      const list = Array.from({ length: total }, (_, index) => index);
      const { reversed, order, limit, offset } = fromNearerEnd(page, total);
      const rows = read(list, { direction: order, limit, offset });
      expect(reversed ? rows.toReversed() : rows).toEqual(read(list, page));
      expect(offset).toBeLessThanOrEqual(total / 2);
    }),
  );
});
