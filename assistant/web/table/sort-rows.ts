import { isNumeric, toNumber } from "../format.ts";
import type { Cell, Column, Row } from "../wire.ts";

export type Sorting = { readonly column: string; readonly direction: "ascending" | "descending" };

/**
 * What a click on a header leads to: figures start with the largest, text with A, a second click turns the order round,
 * a third gives back the order of the answer.
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

/** Rows in the wanted order; missing values come last either way, and equal rows keep their order. */
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
