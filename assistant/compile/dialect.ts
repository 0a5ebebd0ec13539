import type { Statement } from "../../warehouse/statement.ts";
import type { Grain, RunningGrain, SubjectName } from "../plan.ts";
import type { Span } from "./stretches.ts";

/** When the rows are from whose times are told. */
export interface Likely extends Span {
  /** No row that counts is from another time; else rows of other times cost more, and count alike. */
  readonly isCertain: boolean;
}

/** What engines say differently. All else in a compiled plan reads alike in both. */
export interface Dialect {
  /** A UTC column as wall-clock time in the zone; `likely` makes it cheap where asking for the zone of each row is not. */
  local(column: Statement, zone: string, likely?: Likely): Statement;
  /** The label of the bucket of a wall-clock time: "2026-10-01", "2026-10", "2026-Q4", 14, "Monday", "weekend". */
  bucket(local: Statement, grain: Grain): Statement;
  /** The start of the bucket of a wall-clock time. */
  startOf(local: Statement, grain: RunningGrain): Statement;
  /**
   * A SELECT of every bucket's label from the first to the last, as a column named after the grain. The bounds are
   * wall-clock starts of buckets; for hours they are UTC, since the clocks may skip or repeat one, and the last one need
   * be no start.
   */
  buckets(
    grain: RunningGrain,
    bounds: { readonly first: Statement; readonly last: Statement; readonly zone: string },
  ): Statement;
  /** The same for the grains that recur. */
  recurring(grain: Grain): Statement;
  /** What to order buckets by, given the column of labels. */
  position(grain: Grain, column: Statement): Statement;
  quantile(column: Statement, level: number): Statement;
  /** The quotient with all its decimals; null of a division by zero. */
  divide(part: Statement, of: Statement): Statement;
  /** Where the step of this width begins that a number falls into; below zero, too. */
  bin(column: Statement, width: number): Statement;
  /** Whether a text has the other one in it, whatever the case of their letters. */
  contains(column: Statement, wanted: string): Statement;
  /** A SELECT with its order, which is said once for names inside of it, and once for those of its result. */
  ordered(select: Statement, order: { readonly inside: Statement; readonly outside: Statement }): Statement;
  /** The value of a tag, null without it. */
  tag(column: Statement, key: string): Statement;
  /** A table with any version of each row that is shown, for what no version makes wrong. */
  anyVersions(table: SubjectName): Statement;
  tagKeys(column: Statement): Statement;
  /** The statement as a person can run it: every value as a literal. */
  toReadable(statement: Statement): string;
  /** Each of a row's tags as "key=value", one a row. */
  tagPairs(column: Statement): Statement;
}
