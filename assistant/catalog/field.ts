import type { SubjectName } from "../plan.ts";

export const units = ["count", "money", "seconds", "percent", "ms", "number"] as const;
export type Unit = (typeof units)[number];

/** The computation of a measure, independent of the engine. `where` is a condition that is the same in both engines. */
export type Aggregate =
  | { readonly kind: "count"; readonly where?: string }
  | {
      readonly kind: "sum" | "average" | "highest" | "lowest" | "distinct" | "deviation";
      readonly column: string;
      readonly where?: string;
    }
  /** Counts rows whose value an earlier row had. */
  | { readonly kind: "repeats"; readonly column: string; readonly where?: string }
  | { readonly kind: "quantile"; readonly column: string; readonly level: number; readonly where?: string }
  /** null where `of` is zero. */
  | { readonly kind: "ratio"; readonly part: Aggregate; readonly of: Aggregate; readonly scale: 1 | 60 | 100 };

interface Named {
  readonly name: string;
  /** Analysts' wordings for it, in lower case and singular. The first is a plain phrase, which answers use. */
  readonly words: readonly [string, ...string[]];
  /** One plain sentence that says what it counts, and what it divides by. */
  readonly definition: string;
}

export interface Measure extends Named {
  readonly unit: Unit;
  readonly aggregate: Aggregate;
}

export interface EnumValue {
  readonly value: string;
  readonly words: readonly string[];
  /** More wordings that count only beside another value of the list, as in "people or the system". */
  readonly among?: readonly string[];
}

export interface Dimension extends Named {
  readonly column: string;
  /** Its values are the organization's own names, which are linked by looking them up. */
  readonly own?: boolean;
  /** A condition, as SQL, on the records whose values are names; all of them without one. */
  readonly ownWhere?: string;
  /** Its names belong to this kind of records alone: a webhook out is never one in. */
  readonly apart?: boolean;
  /** The kind of its values, by which a question can name one that is in no list: "+12125550123". */
  readonly shape?: "phone" | "zip" | "number";
  /** The closed list of its values. */
  readonly values?: readonly EnumValue[];
  /**
   * For a dimension of reasons: the measures that count what they are reasons of, the usual one first, with the
   * wordings that mean another.
   */
  readonly reasonOf?: readonly { readonly measure: string; readonly words?: readonly string[] }[];
}

/** A yes-or-no fact of a row ("converted"). */
export interface Flag extends Named {
  /** A condition that is the same in both engines. */
  readonly condition: string;
  /** Words for its opposite ("answered" against "missed"). */
  readonly opposites?: readonly string[];
  /** The measure that counts rows for which it is true. */
  readonly measure: string;
  /** The measure that counts the other rows, where there is one. */
  readonly unmeasure?: string;
  /** The flag that excludes it; a row may have neither: a bid that won, one that lost, no bid at all. */
  readonly rival?: string;
}

/** A number of each row, for conditions ("longer than five minutes"), for "the longest calls" and for statistics. */
export interface Quantity extends Named {
  readonly column: string;
  readonly unit: Unit;
  /** The condition of rows that have the quantity, where the column of the others is not empty. */
  readonly where?: string;
}

/** Columns that a subject joins from another table, where a plan uses one. */
export interface Beside {
  readonly kind: "calls_of_pings" | "calls_of_bids";
  readonly columns: readonly string[];
}

export interface Subject {
  readonly name: SubjectName;
  readonly time: string;
  readonly noun: { readonly one: string; readonly many: string };
  readonly words: readonly string[];
  readonly defaultMeasure: string;
  /** The quantity that "longer", "over 5 minutes" and "slower" refer to; null where the records have no duration. */
  readonly length: string | null;
  readonly beside?: Beside;
  readonly measures: readonly Measure[];
  readonly dimensions: readonly Dimension[];
  readonly flags: readonly Flag[];
  readonly quantities: readonly Quantity[];
  /** The columns of a listing. */
  readonly listing: readonly string[];
  readonly tags?: string;
}

/** A measure: the share of rows, in percent, of all rows or of those that `of` selects. */
export const share = (where: string, of?: string): Aggregate => ({
  kind: "ratio",
  part: { kind: "count", where },
  of: of === undefined ? { kind: "count" } : { kind: "count", where: of },
  scale: 100,
});

export const sum = (column: string): Aggregate => ({ kind: "sum", column });
export const per = (part: Aggregate, of: Aggregate): Aggregate => ({ kind: "ratio", part, of, scale: 1 });

/** A measure: the count of the rows for which a condition is true. */
export const counting = (where: string, named: Omit<Measure, "unit" | "aggregate">): Measure => ({
  ...named,
  unit: "count",
  aggregate: { kind: "count", where },
});

/** A dimension of the organization's own names, as they were when the row was made. */
export const ownName = (name: string, column: string, words: readonly string[] = []): Dimension => ({
  name,
  column,
  own: true,
  words: [name, `${name} name`, ...words],
  definition: `The ${name}, by its name at the time.`,
});
