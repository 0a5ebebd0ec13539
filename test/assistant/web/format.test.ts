import { describe, expect, it } from "vitest";
import { formatCell, formatCount, formatMs, formatNumber, toLabel } from "../../../assistant/web/format.ts";
import type { Cell, Column } from "../../../assistant/web/wire.ts";

const shown = (cell: Cell, column: Partial<Column>): string =>
  formatCell(cell, { name: "x", type: "number", unit: null, ...column }, "UTC").replaceAll("\u00a0", " ");

describe("numbers", () => {
  it.each([
    [30_412, "integer", "count", "30,412"],
    [1_234.5, "number", "money", "$1,234.50"],
    [-12, "number", "money", "-$12.00"],
    [12.34, "number", "percent", "12.34%"],
    [100, "number", "percent", "100%"],
    [192, "number", "seconds", "3 min 12 s"],
    [850.26, "number", "ms", "850.26 ms"],
    [2_500, "number", "ms", "2.5 s"],
    [2.345, "number", null, "2.35"],
    [12_345.678, "number", null, "12,345.68"],
  ] as const)("%s as %s in %s reads %s", (value, type, unit, expected) => {
    expect(shown(value, { type, unit })).toBe(expected);
  });

  it("a whole number without a unit is not grouped, because it is a year or an id", () => {
    expect(shown(2026, { type: "integer" })).toBe("2026");
  });

  it("a decimal that travelled as text is formatted like a number", () => {
    expect(shown("1234.5", { unit: "money" })).toBe("$1,234.50");
  });

  it("text in a column of numbers is shown as it is", () => {
    expect(shown("n/a", { unit: "money" })).toBe("n/a");
  });

  it("values keep together on one line", () => {
    expect(formatNumber(192, { unit: "seconds", type: "number" })).toBe("3\u00a0min\u00a012\u00a0s");
  });
});

it("milliseconds become seconds from one second on", () => {
  expect(formatMs(999).replaceAll("\u00a0", " ")).toBe("999 ms");
  expect(formatMs(1_000).replaceAll("\u00a0", " ")).toBe("1 s");
});

describe("other values", () => {
  it("a missing value is a dash and never a zero", () => {
    expect(shown(null, { unit: "count" })).toBe("–");
    expect(shown("", { type: "text" })).toBe("–");
    expect(shown(0, { unit: "count" })).toBe("0");
  });

  it("yes and no stand for true and false", () => {
    expect(shown(true, { type: "boolean" })).toBe("Yes");
    expect(shown(false, { type: "boolean" })).toBe("No");
  });

  it("a day, a month or an hour that travels as text is a time all the same", () => {
    expect(shown("2026-11-24", { name: "day", type: "text" })).toBe("Nov 24, 2026");
    expect(shown("2026-11", { name: "month", type: "text" })).toBe("Nov 2026");
    expect(shown("2026-11-27 00:00", { name: "hour", type: "text" })).toBe("Nov 27, 2026, 00:00");
    expect(shown("Monday", { name: "day", type: "text" })).toBe("Monday");
    expect(shown("2026-11-24", { name: "tag", type: "text" })).toBe("2026-11-24");
  });

  it("a number in a text column stays as it was written", () => {
    expect(shown("0012025550100", { type: "text" })).toBe("0012025550100");
  });
});

describe("words", () => {
  it("column names become labels, acronyms in capitals", () => {
    expect(toLabel("connected_calls")).toBe("Connected calls");
    expect(toLabel("epc")).toBe("EPC");
    expect(toLabel("caller_id")).toBe("Caller ID");
  });

  it("one row is not one rows", () => {
    expect(formatCount(1, "row")).toBe("1 row");
    expect(formatCount(2_410, "row")).toBe("2,410 rows");
  });
});
