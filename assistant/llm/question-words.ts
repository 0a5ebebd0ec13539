import type { Item } from "../planner/link/item.ts";
import type { Meaning } from "../planner/link/lexicon.ts";

/** Meanings that limit what is counted. */
export type Condition = Extract<Meaning, { kind: "value" | "flag" | "days" | "parts" | "measure" }>;

/** True where an answer has a counterpart of a stretch of the question. */
export type Bears = (item: Item) => boolean;

export const limits = (meaning: Meaning): meaning is Condition =>
  ["value", "flag", "days", "parts", "measure"].includes(meaning.kind);

/** True where one of the meanings holds; `word` is as it was said, in small letters. */
export const someMeaning = (item: Item, holds: (meaning: Condition, word: string) => boolean): boolean =>
  item.kind === "meanings" &&
  item.meanings.some((meaning) => limits(meaning) && holds(meaning, item.said.toLowerCase()));

/** Columns and names that are told by themselves or as a part of a longer word: "converted", "converted_calls". */
export const hasAny = (text: string, words: readonly string[]): boolean => words.some((word) => text.includes(word));

/** The numbers that SQL may have in its place, as units differ: minutes in seconds, per cent as a share. */
const forms = (value: number): readonly number[] => [
  ...[value, value * 60, value * 3600, value * 1000],
  ...[value / 60, value / 3600, value / 100, value / 1000],
];

/** The least number that may be a part of another one, such as an area code. */
const leastOfCode = 100;

export const hasNumber = (text: string, value: number): boolean =>
  forms(value).some((each) => hasFigure(text, each)) || (value >= leastOfCode && text.includes(String(value)));

/** The figure by itself, with zeros before or behind: "9", "09", "9.0". */
export const hasFigure = (text: string, value: number): boolean =>
  new RegExp(`(?<![\\d.])0?${String(value).replace(".", "\\.")}(?:\\.0+)?(?![\\d.]*\\d)`).test(text);
