import { integer, type Statement, sql } from "../../warehouse/statement.ts";

/** Widths below one are counted in hundredths: neither 0.1 nor its multiples are exact, and a value on an edge would slip. */
export const stepsOf = (column: Statement, width: number): Statement =>
  Number.isInteger(width)
    ? sql`floor(${column} / ${integer(width)}) * ${integer(width)}`
    : sql`floor(round(${column} * 10000) / ${integer(Math.round(width * 10_000))}) * ${integer(Math.round(width * 100))} / 100.0`;
