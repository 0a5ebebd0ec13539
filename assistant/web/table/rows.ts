import { disarm } from "../../spreadsheet-text.ts";
import { isNumeric, toNumber } from "../format.ts";
import type { Cell, Column, Data, Row } from "../wire.ts";

export type Sorting = { readonly column: string; readonly direction: "ascending" | "descending" };

/**
 * The sorting after a click on a header: figures start with the largest, text with A, a second click reverses the
 * order, a third one returns to the order of the answer.
 */
export const nextSorting = (current: Sorting | null, column: Column): Sorting | null => {
  const first = isNumeric(column) ? "descending" : "ascending";
  if (current?.column !== column.name) return { column: column.name, direction: first };
  if (current.direction !== first) return null;
  return { column: column.name, direction: first === "ascending" ? "descending" : "ascending" };
};

const compareCells = (left: Cell, right: Cell, numeric: boolean): number => {
  if (numeric) return (toNumber(left) ?? 0) - (toNumber(right) ?? 0);
  return String(left).localeCompare(String(right), "en", { numeric: true, sensitivity: "base" });
};

/** Sorts rows; missing values come last either way, and equal rows keep their order. */
export const sortRows = (rows: readonly Row[], sorting: Sorting | null, columns: readonly Column[]): readonly Row[] => {
  const column = columns.find((candidate) => candidate.name === sorting?.column);
  if (sorting === null || column === undefined) return rows;
  const sign = sorting.direction === "ascending" ? 1 : -1;
  return rows.toSorted((a, b) => {
    const [left, right] = [a[column.name] ?? null, b[column.name] ?? null];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return sign * compareCells(left, right, isNumeric(column));
  });
};

/** Names and tags come from callers; an amount that travels as text is a number all the same. */
const toText = (cell: Cell): string => (typeof cell === "string" ? disarm(cell) : String(cell ?? ""));

/** The rows as CSV (RFC 4180) or as tab-separated text, values unrounded, with a header of the columns' wire names. */
export const toDelimited = (data: Pick<Data, "columns" | "rows">, separator: "," | "\t"): string => {
  const names = data.columns.map((column) => column.name);
  const toField = (text: string): string => {
    // An empty line would not be read as a record of one empty cell.
    const needsQuotes = text.includes(separator) || /["\r\n]/.test(text) || (text === "" && names.length === 1);
    return needsQuotes ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const records = [names, ...data.rows.map((row) => names.map((name) => row[name] ?? null))];
  return records.map((cells) => cells.map((cell) => toField(toText(cell))).join(separator)).join("\r\n");
};

/** A column, with those of its value in the compared period and of the change, where the answer has them. */
type Figure = { readonly column: Column; readonly before: Column | undefined; readonly change: Column | undefined };

/** Groups `x_before` and `x_change` with the column `x`. */
export const toFigures = (columns: readonly Column[]): readonly Figure[] => {
  const named = (name: string) => columns.find((column) => column.name === name);
  const figures = columns.map((column) => {
    const before = named(`${column.name}_before`);
    return { column, before, change: before && named(`${column.name}_change`) };
  });
  const beside = new Set(figures.flatMap(({ before, change }) => [before, change]));
  return figures.filter(({ column }) => !beside.has(column));
};
