import { expect, it } from "vitest";
import { toTextTable } from "../../../api/commands/text-table.ts";

const columns = [
  { name: "campaign", type: "text", unit: null },
  { name: "revenue", type: "number", unit: "money" },
] as const;
const table = (...names: string[]) =>
  toTextTable(
    {
      columns: [...columns],
      rows: names.map((campaign) => ({ campaign, revenue: 1234.5 })),
      row_count: 1,
      truncated: false,
    },
    "UTC",
  ).split("\n");

it("writes names and figures in columns, of wide letters too", () => {
  expect(table("Solar", "太陽光")).toEqual(["Campaign    Revenue", "Solar     $1,234.50", "太陽光    $1,234.50"]);
});

it("takes out of names what a terminal would obey, and their line breaks", () => {
  expect(table("\u001b[31mred\u001b[0m\u001b]0;title\u0007\nand\u009b2J more").join("\n")).not.toMatch(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be left
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/,
  );
});

it("cuts long texts", () => {
  expect(table("a".repeat(200))[1]).toMatch(/^a{59}… {2}\$1,234\.50$/);
});
