import { formatTime } from "./format-time.ts";
import type { Cell, Column } from "./wire.ts";

/** Shown for a missing value: an absent figure must not look like a zero. */
const noValue = "–";

const nbsp = "\u00a0";
const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });
const plain = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2, useGrouping: false });
const money = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const oneDecimal = new Intl.NumberFormat("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** The number in a cell, or null. Decimals may travel as text because JSON numbers would round them. */
export const toNumber = (cell: Cell): number | null => {
  if (typeof cell === "number") return Number.isFinite(cell) ? cell : null;
  if (typeof cell !== "string" || cell.trim() === "") return null;
  const value = Number(cell);
  return Number.isFinite(value) ? value : null;
};

/** `3m 12s`, `1h 2m 3s`, `2d 4h 0m`; under ten seconds one decimal is kept, because there it matters. */
export const formatSeconds = (seconds: number): string => {
  const sign = seconds < 0 ? "-" : "";
  const size = Math.abs(seconds);
  if (size < 10) return `${sign}${plain.format(Math.round(size * 10) / 10)}s`;
  const total = Math.round(size);
  const [days, hours, minutes] = [
    Math.floor(total / 86_400),
    Math.floor(total / 3_600) % 24,
    Math.floor(total / 60) % 60,
  ];
  if (days > 0) return `${sign}${grouped.format(days)}d${nbsp}${hours}h${nbsp}${minutes}m`;
  if (hours > 0) return `${sign}${hours}h${nbsp}${minutes}m${nbsp}${total % 60}s`;
  if (minutes > 0) return `${sign}${minutes}m${nbsp}${total % 60}s`;
  return `${sign}${total}s`;
};

/** Milliseconds below one second, else seconds as elsewhere. */
export const formatMs = (ms: number): string =>
  Math.abs(ms) < 1_000 ? `${plain.format(Math.round(ms * 10) / 10)}${nbsp}ms` : formatSeconds(ms / 1_000);

/** A number by its column's unit; a percentage is on the scale of 0 to 100. */
export const formatNumber = (value: number, column: Pick<Column, "unit" | "type">): string => {
  switch (column.unit) {
    case "count":
      return grouped.format(value);
    case "money":
      return money.format(value);
    case "percent":
      return `${oneDecimal.format(value)}${nbsp}%`;
    case "seconds":
      return formatSeconds(value);
    case "ms":
      return formatMs(value);
    case null:
      // A whole number without a unit is a year, an hour or an id; "2,026" would misread it.
      return column.type === "integer" ? plain.format(value) : grouped.format(value);
  }
};

/** Any cell as the table shows it. */
export const formatCell = (cell: Cell, column: Column): string => {
  if (cell === null || cell === "") return noValue;
  if (typeof cell === "boolean") return cell ? "Yes" : "No";
  if (column.type === "time") return formatTime(cell, column.name);
  if (!isNumeric(column)) return String(cell);
  const value = toNumber(cell);
  if (value === null) return String(cell);
  // More and less are told apart at a glance.
  const sign = value > 0 && column.name.endsWith("_change") ? "+" : "";
  return `${sign}${formatNumber(value, column)}`;
};

/** Whether a column holds figures, which decides its alignment and its first sort direction. */
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
  `${grouped.format(count)} ${noun}${count === 1 ? "" : "s"}`;
