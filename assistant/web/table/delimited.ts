import type { Cell, Data } from "../wire.ts";

export type Separator = "," | "\t";

// A spreadsheet runs a cell that begins with one of these as a formula, and names and tags come from callers.
const formulaStart = /^[=+\-@\t\r]/;
const harmless = /^[+-]?[\d.,]+$/;

const toField = (cell: Cell, separator: Separator): string => {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  const text = formulaStart.test(cell) && !harmless.test(cell) ? `'${cell}` : cell;
  const needsQuotes = text.includes(separator) || /["\r\n]/.test(text);
  return needsQuotes ? `"${text.replaceAll('"', '""')}"` : text;
};

/** The rows as CSV (RFC 4180) or as tab-separated text, values unrounded, with a header of the columns' wire names. */
export const toDelimited = (data: Pick<Data, "columns" | "rows">, separator: Separator): string => {
  const names = data.columns.map((column) => column.name);
  const lines = [
    names.map((name) => toField(name, separator)),
    ...data.rows.map((row) => names.map((name) => toField(row[name] ?? null, separator))),
  ];
  return lines.map((fields) => fields.join(separator)).join("\r\n");
};
