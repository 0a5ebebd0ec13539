import { describe, expect, it } from "vitest";
import { formatCell } from "../../../../assistant/web/format.ts";
import { nextSorting, sortRows, toDelimited, toFigures } from "../../../../assistant/web/table/rows.ts";
import type { Column, Row } from "../../../../assistant/web/wire.ts";

const publisher: Column = { name: "publisher", type: "text", unit: null };
const revenue: Column = { name: "revenue", type: "number", unit: "money" };
const columns = [publisher, revenue];
const rows: Row[] = [
  { publisher: "line 10", revenue: "9.50" },
  { publisher: "Line 9", revenue: null },
  { publisher: "apple", revenue: 120 },
];
const publishersOf = (sorted: readonly Row[]) => sorted.map((row) => row["publisher"]);

describe("sorting", () => {
  it("figures begin with the largest, text with A", () => {
    expect(nextSorting(null, revenue)).toEqual({ column: "revenue", direction: "descending" });
    expect(nextSorting(null, publisher)).toEqual({ column: "publisher", direction: "ascending" });
  });

  it("the second click turns the order round, the third gives back the answer's own", () => {
    const first = nextSorting(null, revenue);
    const second = nextSorting(first, revenue);
    expect(second?.direction).toBe("ascending");
    expect(nextSorting(second, revenue)).toBeNull();
    expect(sortRows(rows, null, columns)).toBe(rows);
  });

  it("numbers are compared as numbers even when they travelled as text, missing ones come last both ways", () => {
    const by = (direction: "ascending" | "descending") => sortRows(rows, { column: "revenue", direction }, columns);
    expect(publishersOf(by("descending"))).toEqual(["apple", "line 10", "Line 9"]);
    expect(publishersOf(by("ascending"))).toEqual(["line 10", "apple", "Line 9"]);
  });

  it("text is compared as people do: no regard to case, digits by their value", () => {
    const sorted = sortRows(rows, { column: "publisher", direction: "ascending" }, columns);
    expect(publishersOf(sorted)).toEqual(["apple", "Line 9", "line 10"]);
  });
});

describe("copying", () => {
  it("CSV has the wire names, unrounded values, and nothing for a missing one", () => {
    expect(toDelimited({ columns, rows }, ",")).toBe("publisher,revenue\r\nline 10,9.50\r\nLine 9,\r\napple,120");
  });

  it("separators, quotes and line breaks inside a value are quoted", () => {
    const text = toDelimited({ columns: [publisher], rows: [{ publisher: 'A "B", C\nD' }] }, ",");
    expect(text).toBe('publisher\r\n"A ""B"", C\nD"');
  });

  it("tab-separated text quotes tabs and leaves commas alone", () => {
    const text = toDelimited({ columns: [publisher], rows: [{ publisher: "a,b" }, { publisher: "a\tb" }] }, "\t");
    expect(text).toBe('publisher\r\na,b\r\n"a\tb"');
  });

  it("a caller's text cannot become a formula in a spreadsheet, a phone number and a negative figure stay themselves", () => {
    const copied = (cell: string) =>
      toDelimited({ columns: [publisher], rows: [{ publisher: cell }] }, ",").split("\r\n")[1];
    expect(copied("=HYPERLINK(1)")).toBe("'=HYPERLINK(1)");
    expect(copied("@SUM(A1)")).toBe("'@SUM(A1)");
    expect(copied("+12025550100")).toBe("+12025550100");
    expect(copied("-12.50")).toBe("-12.50");
  });
});

describe("figures", () => {
  const column = (name: string, unit: Column["unit"] = "count"): Column => ({ name, type: "number", unit });

  it("a figure has beside it what is before and changed of it, and stands alone without", () => {
    const columns = ["calls", "calls_before", "calls_change", "revenue", "revenue_change"].map((name) => column(name));
    const said = toFigures(columns).map(({ column: { name }, before, change }) => [name, before?.name, change?.name]);
    expect(said).toEqual([
      ["calls", "calls_before", "calls_change"],
      ["revenue", undefined, undefined],
      ["revenue_change", undefined, undefined],
    ]);
  });

  it("a change for more bears its sign", () => {
    const change = column("calls_change", "percent");
    expect([15.13, -4.5, 0, null].map((cell) => formatCell(cell, change, "UTC"))).toEqual([
      "+15.13%",
      "-4.5%",
      "0%",
      "–",
    ]);
    expect(formatCell(15.13, column("conversion_rate", "percent"), "UTC")).toBe("15.13%");
  });
});
