import type { Value } from "../../warehouse/warehouse.ts";
import type { Unit } from "../catalog/field.ts";

const plain = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });
const money = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

function length(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${rest} s` : `${plain.format(seconds)} s`;
}

const formats: Readonly<Record<Unit, (value: number) => string>> = {
  count: (value) => plain.format(value),
  number: (value) => plain.format(value),
  money: (value) => money.format(value),
  seconds: length,
  percent: (value) => `${plain.format(value)}%`,
  ms: (value) => `${plain.format(value)} ms`,
};

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A figure in its unit; null says that there is none. */
export const toFigure = (value: Value | undefined, unit: Unit): string =>
  typeof value === "number" ? formats[unit](value) : "no figure";

/** The name of a group; hours of the day read as times. */
export function toName(value: Value | undefined, column: string): string {
  if (value === null || value === undefined) return "(none)";
  return column === "hour_of_day" ? `${value}:00` : String(value);
}
