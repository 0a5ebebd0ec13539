import { stripVTControlCharacters } from "node:util";
import Table from "cli-table3";
import { formatCell, isNumeric, toLabel } from "../../assistant/web/format.ts";
import type { Data } from "../../assistant/web/wire.ts";

/** Longer texts, such as bodies, are cut. */
const longest = 60;

/** Lines of a table for a terminal, its figures and times written as on the page. */
export function toTextTable({ columns, rows }: Data, zone: string): string {
  const none = { top: "", bottom: "", left: "", right: "", mid: "", middle: "  " };
  const cornered = { "top-mid": "", "top-left": "", "top-right": "", "bottom-mid": "", "bottom-left": "" };
  const crossed = { "bottom-right": "", "left-mid": "", "mid-mid": "", "right-mid": "" };
  const table = new Table({
    head: columns.map(({ name }) => cut(toLine(toLabel(name)))),
    colAligns: columns.map((column) => (isNumeric(column) ? "right" : "left")),
    chars: { ...none, ...cornered, ...crossed },
    style: { "padding-left": 0, "padding-right": 0, head: [], border: [] },
  });
  for (const row of rows)
    table.push(columns.map((column) => cut(toLine(formatCell(row[column.name] ?? null, column, zone)))));
  return table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

/** Text in one line without what a terminal obeys: names and bodies are others' words. */
export const toLine = (text: string): string =>
  stripVTControlCharacters(text).replaceAll(/[\p{Cc}\p{Zs}\p{Zl}\p{Zp}]+/gu, " ");

function cut(text: string): string {
  const letters = [...text];
  return letters.length <= longest ? text : `${letters.slice(0, longest - 1).join("")}…`;
}
