import type { Value } from "../../warehouse/warehouse.ts";
import type { Unit } from "../catalog/field.ts";
import { writeFigure } from "./write-figure.ts";

/** "a", "a and b", "a, b and c". */
export const listOf = (all: readonly string[]): string =>
  all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Formats a figure in its unit; "no figure" for null. */
export const toFigure = (value: Value | undefined, unit: Unit): string =>
  typeof value === "number" ? writeFigure[unit](value) : "no figure";

/** Formats a width or an edge of steps, as short as possible: "30 s", "5 min", "1 min 30 s", "$10". */
export function toWidth(width: number, unit: Unit): string {
  if (unit === "money" && Number.isInteger(width)) return toFigure(width, unit).replace(".00", "");
  if (unit !== "seconds" || width === 0 || width % 60 !== 0) return toFigure(width, unit);
  return width % 3600 === 0 ? `${width / 3600} h` : `${width / 60} min`;
}

/** The name of a group; hours of the day are written as times. */
export function toName(value: Value | undefined, column: string): string {
  if (value === null || value === undefined) return "(none)";
  return column === "hour_of_day" ? `${value}:00` : String(value);
}
