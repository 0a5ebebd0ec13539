import type { SubjectName } from "../plan.ts";

export const units = ["count", "money", "seconds", "percent", "ms", "number"] as const;
export type Unit = (typeof units)[number];

/** How a measure is worked out, in no engine's words. `where` is a condition that both engines read alike. */
export type Aggregate =
  | { readonly kind: "count"; readonly where?: string }
  | {
      readonly kind: "sum" | "average" | "highest" | "lowest" | "distinct";
      readonly column: string;
      readonly where?: string;
    }
  /** Rows whose value another row has had already. */
  | { readonly kind: "repeats"; readonly column: string; readonly where?: string }
  | { readonly kind: "quantile"; readonly column: string; readonly level: number; readonly where?: string }
  /** null where `of` is zero. */
  | { readonly kind: "ratio"; readonly part: Aggregate; readonly of: Aggregate; readonly scale: 1 | 60 | 100 };

interface Named {
  readonly name: string;
  /** Wordings of what analysts say for it, lower case, singular; the first is a plain phrase: how we say it back. */
  readonly words: readonly [string, ...string[]];
  /** One plain sentence: what it counts, what it divides by. */
  readonly definition: string;
}

export interface Measure extends Named {
  readonly unit: Unit;
  readonly aggregate: Aggregate;
}

export interface EnumValue {
  readonly value: string;
  readonly words: readonly string[];
}

export interface Dimension extends Named {
  readonly column: string;
  /** The organization's own names: linked by looking them up. */
  readonly own?: boolean;
  /** What bears them is of this kind of records alone: a webhook out is never one in. */
  readonly apart?: boolean;
  /** What its values are, for how a question may name one that is in no list: "+12125550123". */
  readonly shape?: "phone" | "zip" | "number";
  /** A closed list. */
  readonly values?: readonly EnumValue[];
  /** What it is the reason of: the counts of it, the usual one first, with the wordings that mean another one. */
  readonly reasonOf?: readonly { readonly measure: string; readonly words?: readonly string[] }[];
}

/** A yes-or-no fact of a row ("converted"). */
export interface Flag extends Named {
  /** A condition that both engines read alike. */
  readonly condition: string;
  /** Words for its opposite ("answered" against "missed"). */
  readonly opposites?: readonly string[];
  /** The measure that counts rows of which it holds. */
  readonly measure: string;
  /** The one that counts the others, where there is one. */
  readonly unmeasure?: string;
  /** The fact that excludes it; of a row neither may hold: a bid that was won, one that lost, none at all. */
  readonly rival?: string;
}

/** A number of each row, for conditions ("longer than five minutes"), for "the longest calls" and for statistics. */
export interface Quantity extends Named {
  readonly column: string;
  readonly unit: Unit;
  /** Which rows have one, where the column does not say so by being empty. */
  readonly where?: string;
}

/** Columns that a subject borrows from another table, worked out beside its rows only when a plan uses one. */
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
  /** What "longer", "over 5 minutes" and "slower" speak of; null where nothing has a length. */
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

/** A share of rows, in percent; of all rows unless `of` says of which. */
export const share = (where: string, of?: string): Aggregate => ({
  kind: "ratio",
  part: { kind: "count", where },
  of: of === undefined ? { kind: "count" } : { kind: "count", where: of },
  scale: 100,
});

export const sum = (column: string): Aggregate => ({ kind: "sum", column });
export const per = (part: Aggregate, of: Aggregate): Aggregate => ({ kind: "ratio", part, of, scale: 1 });

/** A count of the rows for which a condition holds. */
export const counting = (where: string, named: Omit<Measure, "unit" | "aggregate">): Measure => ({
  ...named,
  unit: "count",
  aggregate: { kind: "count", where },
});

/** One of the organization's own things, grouped by its name as it was when the row was made. */
export const ownName = (name: string, column: string, words: readonly string[] = []): Dimension => ({
  name,
  column,
  own: true,
  words: [name, `${name} name`, ...words],
  definition: `The ${name}, by its name at the time.`,
});
