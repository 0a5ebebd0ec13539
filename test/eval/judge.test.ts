import { describe, expect, it } from "vitest";
import type { AnswerColumn } from "../../assistant/answer.ts";
import type { Row } from "../../warehouse/warehouse.ts";
import { agrees } from "./judge.ts";

const column = (name: string, unit: AnswerColumn["unit"] = null): AnswerColumn => ({ name, type: "text", unit });
const columns = [column("campaign"), column("calls", "count")];
const given = (rows: Row[], of = columns) => ({
  data: { columns: of, rows, row_count: rows.length, truncated: false },
});
const rows = [
  { campaign: "A", calls: 3 },
  { campaign: "B", calls: 2 },
];

describe("an answer", () => {
  it("agrees with gold whose columns have other names", () => {
    expect(
      agrees(
        given(rows),
        [
          { c: "B", n: 2 },
          { c: "A", n: 3 },
        ],
        false,
      ),
    ).toBe(true);
  });
  it("may have more columns, never fewer", () => {
    expect(agrees(given(rows), [{ calls: 3 }, { calls: 2 }], false)).toBe(true);
    expect(
      agrees(
        given(rows),
        [
          { campaign: "A", calls: 3, p: 1 },
          { campaign: "B", calls: 2, p: 1 },
        ],
        false,
      ),
    ).toBe(false);
  });
  it("disagrees by a row more, a row less, another figure, or one row twice", () => {
    for (const gold of [
      rows.slice(1),
      [...rows, { campaign: "C", calls: 1 }],
      [rows[0], { campaign: "B", calls: 3 }],
      [rows[0], rows[0]],
    ]) {
      expect(agrees(given(rows), gold as Row[], false)).toBe(false);
    }
  });
  it("keeps its order only where that was asked", () => {
    const turned = rows.toReversed();
    expect(agrees(given(rows), turned, false)).toBe(true);
    expect(agrees(given(rows), turned, true)).toBe(false);
  });
  it("may have or lack rows of nothing", () => {
    expect(agrees(given([...rows, { campaign: "C", calls: 0 }]), rows, false)).toBe(true);
    expect(agrees(given(rows), [...rows, { campaign: "C", calls: 0 }], false)).toBe(true);
  });
  it("agrees to a millionth, and no further off", () => {
    expect(agrees(given([{ campaign: "A", calls: 1e9 + 1 }]), [{ campaign: "A", calls: 1e9 }], false)).toBe(true);
    expect(agrees(given([{ campaign: "A", calls: 3.01 }]), [{ campaign: "A", calls: 3 }], false)).toBe(false);
  });
  it("labels a bucket that gold tells by its start", () => {
    const months = given([{ month: "2026-10", calls: 3 }], [column("month"), column("calls", "count")]);
    expect(agrees(months, [{ m: "2026-10-01", calls: 3 }], false)).toBe(true);
    expect(agrees(months, [{ m: "2026-11-01", calls: 3 }], false)).toBe(false);
  });
});
