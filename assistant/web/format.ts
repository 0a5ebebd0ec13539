import { writeFigure } from "../phrasing/write-figure.ts";
import { formatTime, isBucket } from "./format-time.ts";
import type { Cell, Column } from "./wire.ts";

/** Shown for a missing value: an absent figure must not look like a zero. */
export const noValue = "–";

const plain = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2, useGrouping: false });

/** Keeps a figure and its unit on one line. */
const unbroken = (text: string): string => text.replaceAll(" ", "\u00a0");

/** The number in a cell, or null. Decimals may travel as text because JSON numbers would round them. */
export const toNumber = (cell: Cell): number | null => {
  if (typeof cell === "number") return Number.isFinite(cell) ? cell : null;
  if (typeof cell !== "string" || cell.trim() === "") return null;
  const value = Number(cell);
  return Number.isFinite(value) ? value : null;
};

/** Formats milliseconds, from one second on in seconds. */
export const formatMs = (ms: number): string => unbroken(writeFigure.ms(ms));

/** Formats a number in its column's unit, as in the answer's sentence. */
export const formatNumber = (value: number, { unit, type }: Pick<Column, "unit" | "type">): string => {
  if (unit !== null) return unbroken(writeFigure[unit](value));
  // A whole number without a unit is a year, an hour or an id; "2,026" would misread it.
  return type === "integer" ? plain.format(value) : writeFigure.number(value);
};

/** Formats any cell for the table, times in the zone. */
export const formatCell = (cell: Cell, column: Column, zone: string): string => {
  if (cell === null || cell === "") return noValue;
  if (typeof cell === "boolean") return cell ? "Yes" : "No";
  if (column.type === "time" || (column.type === "text" && isBucket(column.name)))
    return formatTime(cell, { column: column.name, zone });
  if (!isNumeric(column)) return String(cell);
  const value = toNumber(cell);
  if (value === null) return String(cell);
  // An increase has its sign, like a decrease.
  const sign = value > 0 && column.name.endsWith("_change") ? "+" : "";
  return `${sign}${formatNumber(value, column)}`;
};

/** True for a column of figures, which decides its alignment and its first sort direction. */
export const isNumeric = (column: Pick<Column, "type">): boolean =>
  column.type === "integer" || column.type === "number";

const acronyms = new Set(["acl", "asr", "epc", "id", "ivr", "rpc", "rtb", "sip", "sms", "url", "utm"]);

/** `connected_calls` → `Connected calls`, `epc` → `EPC`. */
export const toLabel = (name: string): string => {
  const words = name
    .split("_")
    .filter((word) => word !== "")
    .map((word) => (acronyms.has(word.toLowerCase()) ? word.toUpperCase() : word));
  const label = words.join(" ");
  return label.charAt(0).toUpperCase() + label.slice(1);
};

/** `1 row`, `2,410 rows`. */
export const formatCount = (count: number, noun: string): string =>
  `${writeFigure.count(count)} ${noun}${count === 1 ? "" : "s"}`;
