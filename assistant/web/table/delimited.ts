import { disarm } from "../../spreadsheet-text.ts";
import type { Cell, Data } from "../wire.ts";

export type Separator = "," | "\t";

/** Names and tags come from callers; an amount that travels as text is a number all the same. */
const toText = (cell: Cell): string => (typeof cell === "string" ? disarm(cell) : String(cell ?? ""));

/** The rows as CSV (RFC 4180) or as tab-separated text, values unrounded, with a header of the columns' wire names. */
export const toDelimited = (data: Pick<Data, "columns" | "rows">, separator: Separator): string => {
  const names = data.columns.map((column) => column.name);
  const toField = (text: string): string => {
    // An empty line would be no record of one empty cell.
    const needsQuotes = text.includes(separator) || /["\r\n]/.test(text) || (text === "" && names.length === 1);
    return needsQuotes ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const records = [names, ...data.rows.map((row) => names.map((name) => row[name] ?? null))];
  return records.map((cells) => cells.map((cell) => toField(toText(cell))).join(separator)).join("\r\n");
};
