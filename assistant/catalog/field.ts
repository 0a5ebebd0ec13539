import type { SubjectName } from "../plan.ts";

export const units = ["count", "money", "seconds", "percent", "ms", "number"] as const;
export type Unit = (typeof units)[number];

/** How a measure is worked out, in no engine's words. `where` is a condition that both engines read alike. */
export type Aggregate =
  | { readonly kind: "count"; readonly where?: string }
  | { readonly kind: "sum" | "average" | "highest" | "distinct"; readonly column: string; readonly where?: string }
  | { readonly kind: "quantile"; readonly column: string; readonly level: number; readonly where?: string }
  /** null where `of` is zero. */
  | { readonly kind: "ratio"; readonly part: Aggregate; readonly of: Aggregate; readonly scale: 1 | 100 };

/** `words` are what analysts say for it, lower case, singular; the first is how we say it back. */
interface Named {
  readonly name: string;
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
  /** A closed list. */
  readonly values?: readonly EnumValue[];
}

/** A yes-or-no fact of a row ("converted"). */
export interface Flag extends Named {
  /** A condition that both engines read alike. */
  readonly condition: string;
  /** Words for its opposite ("answered" against "missed"). */
  readonly opposites?: readonly string[];
  /** The measure that counts rows of which it holds. */
  readonly measure: string;
}

/** A number of each row, for conditions such as "longer than five minutes" and for "the longest calls". */
export interface Quantity extends Named {
  readonly column: string;
  readonly unit: Unit;
}

export interface Subject {
  readonly name: SubjectName;
  readonly time: string;
  readonly noun: { readonly one: string; readonly many: string };
  readonly words: readonly string[];
  readonly defaultMeasure: string;
  /** What "longer", "over 5 minutes" and "slower" speak of. */
  readonly length: string;
  readonly measures: readonly Measure[];
  readonly dimensions: readonly Dimension[];
  readonly flags: readonly Flag[];
  readonly quantities: readonly Quantity[];
  /** The columns of a listing. */
  readonly listing: readonly string[];
  readonly tags?: string;
}

/** A share of rows, in percent. */
export const share = (where: string): Aggregate => ({
  kind: "ratio",
  part: { kind: "count", where },
  of: { kind: "count" },
  scale: 100,
});
