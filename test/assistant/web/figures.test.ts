import { expect, it } from "vitest";
import { formatCell } from "../../../assistant/web/format.ts";
import { toFigures } from "../../../assistant/web/to-figures.ts";
import type { Column } from "../../../assistant/web/wire.ts";

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
