import type { Period, SubjectName } from "../../plan.ts";
import type { Meaning } from "./lexicon.ts";

export type NumberUnit = "seconds" | "money" | "ms" | "percent" | null;

/** A stretch of the question with what it can mean; `stop` means nothing, `unknown` was not understood. */
export type Item = { readonly from: number; readonly to: number; readonly said: string } & (
  | { readonly kind: "meanings"; readonly meanings: readonly Meaning[] }
  /** `ends`: "from September to October", which may be one against the other. */
  | { readonly kind: "period"; readonly period: Period | null; readonly ends?: readonly [Period, Period] | undefined }
  | { readonly kind: "number"; readonly value: number; readonly unit: NumberUnit }
  | { readonly kind: "hour"; readonly hour: number }
  /** "The second best": 2. */
  | { readonly kind: "place"; readonly place: number }
  | { readonly kind: "stop" }
  | { readonly kind: "unknown" }
);

/** The words as they were typed. */
export const sentenceOf = (items: readonly Item[]): string => items.map(({ said }) => said).join(" ");

type Content = Item extends infer One ? (One extends Item ? Omit<One, "from" | "to" | "said"> : never) : never;
/** What the next words of a question are taken for. */
export interface Match {
  readonly length: number;
  readonly content: Content;
}

export const asMeanings = (meanings: readonly Meaning[], length = 1): Match => ({
  length,
  content: { kind: "meanings", meanings },
});

/** The same words, meaning something else. */
export const meaning = ({ from, to, said }: Item, ...meanings: readonly Meaning[]): Item => ({
  from,
  to,
  said,
  kind: "meanings",
  meanings,
});

/** A value of a dimension that several subjects have. */
export const asValue = (
  { name, value }: { readonly name: string; readonly value: string },
  subjects: readonly SubjectName[],
  length = 1,
): Match =>
  asMeanings(
    subjects.map((subject) => ({ kind: "value", subject, name, value })),
    length,
  );
