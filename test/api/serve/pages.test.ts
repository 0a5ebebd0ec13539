import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pageQuery, toPage } from "../../../api/serve/pages.ts";

const rows = (count: number) => Array.from({ length: count }, (_, index) => index);

describe("the query of a list", () => {
  it.each([
    [{}, { limit: 50, offset: 0, sort_direction: "desc" }],
    [
      { limit: "1", offset: "7", sort_direction: "asc" },
      { limit: 1, offset: 7, sort_direction: "asc" },
    ],
    [
      { limit: "200", sort_direction: "DESC" },
      { limit: 200, offset: 0, sort_direction: "desc" },
    ],
    [{ unknown: "x" }, { limit: 50, offset: 0, sort_direction: "desc" }],
  ])("%j is read as %j", (query, page) => {
    expect(pageQuery.parse(query)).toEqual(page);
  });

  it.each([
    { limit: "0" },
    { limit: "201" },
    { limit: "-1" },
    { limit: "1.5" },
    { limit: "ten" },
    { limit: "" },
    { limit: ["1", "2"] },
    { limit: "1e2" },
    { offset: "-1" },
    { offset: "99999999999999999999" },
    { offset: " 1" },
    { sort_direction: "up" },
    { sort_direction: "" },
  ])("%j is refused", (query) => {
    expect(pageQuery.safeParse(query).success).toBe(false);
  });
});

describe("the envelope of a page", () => {
  it.each([
    [
      { limit: 50, offset: 0, rows: 0, total: 0 },
      { has_more: false, next_offset: null, previous_offset: null },
    ],
    [
      { limit: 2, offset: 0, rows: 2, total: 5 },
      { has_more: true, next_offset: 2, previous_offset: null },
    ],
    [
      { limit: 2, offset: 2, rows: 2, total: 5 },
      { has_more: true, next_offset: 4, previous_offset: 0 },
    ],
    [
      { limit: 2, offset: 4, rows: 1, total: 5 },
      { has_more: false, next_offset: null, previous_offset: 2 },
    ],
    [
      { limit: 2, offset: 3, rows: 2, total: 5 },
      { has_more: false, next_offset: null, previous_offset: 1 },
    ],
    [
      { limit: 2, offset: 1, rows: 2, total: 5 },
      { has_more: true, next_offset: 3, previous_offset: 0 },
    ],
    [
      { limit: 2, offset: 9, rows: 0, total: 5 },
      { has_more: false, next_offset: null, previous_offset: 7 },
    ],
    [
      { limit: 5, offset: 0, rows: 5, total: 5 },
      { has_more: false, next_offset: null, previous_offset: null },
    ],
  ])("of %j says %j", ({ rows: count, total, ...page }, expected) => {
    expect(toPage(rows(count), total, page)).toEqual({
      data: rows(count),
      meta: { ...page, count, total, ...expected },
    });
  });

  it("leads through all rows, each once, by its own next_offset", () => {
    fc.assert(
      fc.property(fc.nat({ max: 60 }), fc.integer({ min: 1, max: 20 }), (total, limit) => {
        const seen: number[] = [];
        for (let offset: number | null = 0; offset !== null; ) {
          const { data, meta }: ReturnType<typeof toPage<number>> = toPage(
            rows(total).slice(offset, offset + limit),
            total,
            { limit, offset },
          );
          seen.push(...data);
          offset = meta.next_offset;
        }
        expect(seen).toEqual(rows(total));
      }),
    );
  });
});
