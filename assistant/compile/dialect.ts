import { integer, raw, type Statement, sql } from "../../warehouse/statement.ts";
import { recurringLabels } from "../calendar.ts";
import { type Grain, isRecurring, type RecurringGrain, type RunningGrain, type SubjectName } from "../plan.ts";
import type { Span } from "./stretches.ts";

/** The span of time that the rows are probably from. */
export interface Likely extends Span {
  /** True where all rows are from this span; otherwise rows of other times are slower, with the same result. */
  readonly isCertain: boolean;
}

/** The expressions that differ between the engines; everything else in a compiled plan is the same SQL. */
export interface Dialect {
  /** A UTC column as wall-clock time in the zone; `likely` makes it cheap in engines with a slow conversion. */
  local(column: Statement, zone: string, likely?: Likely): Statement;
  /** The label of the bucket of a wall-clock time: "2026-10-01", "2026-10", "2026-Q4", 14, "Monday", "weekend". */
  bucket(local: Statement, grain: Grain): Statement;
  /** The start of the bucket of a wall-clock time. */
  startOf(local: Statement, grain: RunningGrain): Statement;
  /**
   * A SELECT of every bucket's label from the first to the last, as a column named after the grain. The bounds are
   * wall-clock starts of buckets; for hours they are UTC, since the clocks may skip or repeat one, and the last one
   * need be no start.
   */
  buckets(
    grain: RunningGrain,
    bounds: {
      readonly first: Statement;
      readonly last: Statement;
      readonly zone: string;
      /** The conditions of the buckets that are wanted, given the wall-clock time in each. */
      where(local: Statement): readonly Statement[];
    },
  ): Statement;
  /** The same for recurring grains. */
  recurring(grain: Grain): Statement;
  /** The expression to order buckets by, given the column of labels. */
  position(grain: Grain, column: Statement): Statement;
  quantile(column: Statement, level: number): Statement;
  /** The quotient with all its decimals; null for a division by zero. */
  divide(part: Statement, of: Statement): Statement;
  /** The beginning of the step of this width that a number falls into, also below zero. */
  bin(column: Statement, width: number): Statement;
  /** True where a text contains another, regardless of case. */
  contains(column: Statement, wanted: string): Statement;
  /**
   * A SELECT with its order, given with the names inside of it and with those of its result: engines resolve them
   * differently.
   */
  ordered(select: Statement, order: { readonly inside: Statement; readonly outside: Statement }): Statement;
  /** The value of a tag; null for rows without it. */
  tag(column: Statement, key: string): Statement;
  /** A table with any version of each row, for statements that every version answers correctly. */
  anyVersions(table: SubjectName): Statement;
  tagKeys(column: Statement): Statement;
  /** The statement with every value as a literal, so that a person can run it. */
  toReadable(statement: Statement): string;
  /** One row for each tag, as "key=value". */
  tagPairs(column: Statement): Statement;
}

/**
 * The beginning of a value's step. Widths below one are counted in hundredths: 0.1 is not exact, and a value on an edge
 * would fall into the wrong step.
 */
export const stepsOf = (column: Statement, width: number): Statement =>
  Number.isInteger(width)
    ? sql`floor(${column} / ${integer(width)}) * ${integer(width)}`
    : sql`floor(round(${column} * 10000) / ${integer(Math.round(width * 10_000))}) * ${integer(Math.round(width * 100))} / 100.0`;

/** True for grains whose labels are names, which have an order of their own. */
export const isNamed = (grain: Grain): grain is Exclude<RecurringGrain, "hour_of_day"> =>
  isRecurring(grain) && grain !== "hour_of_day";

/** The labels in their order, as a list in both engines' SQL; they are constants without quotes. */
export const labelsOf = (grain: Grain): Statement =>
  raw(`[${(isRecurring(grain) ? recurringLabels[grain] : []).map((label) => `'${label}'`).join(", ")}]`);
