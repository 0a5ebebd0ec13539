import { roundMoney } from "../ingest/money.ts";
import type { Row } from "./warehouse.ts";

/** A cell of a row as what it is asked for; null where there is none, or nothing of that kind. */
const figure = (value: unknown): number | null => (typeof value === "number" ? value : null);
export const label = (value: unknown): string | null => (typeof value === "string" ? value : null);
/** A sum over nothing is 0. */
export const count = (row: Row, name: string): number => figure(row[name]) ?? 0;

/** Rounds to the microsecond: a difference of two measured times has more digits than precision. */
export function milliseconds(value: unknown): number | null {
  const ms = figure(value);
  return ms === null ? null : Math.round(ms * 1000) / 1000;
}
/** An average of dollars. */
export function dollars(value: unknown): number | null {
  const amount = figure(value);
  return amount === null ? null : roundMoney(amount);
}
