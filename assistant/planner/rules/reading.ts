import { isDeepStrictEqual } from "node:util";
import { findFlag } from "../../catalog/catalog.ts";
import type { Subject } from "../../catalog/field.ts";
import type { Filter } from "../../plan.ts";
import type { Item } from "../link/item.ts";
import type { Meaning } from "../link/lexicon.ts";
import type { Role } from "../words/roles.ts";
import type { Draft } from "./draft.ts";

/** One subject's reading of a question: its items, which of them are explained, and the draft so far. */
export interface Reading {
  readonly subject: Subject;
  readonly items: readonly Item[];
  readonly used: Set<number>;
  readonly draft: Draft;
  readonly now: number;
  readonly zone: string;
}

type Of<K extends Meaning["kind"]> = Extract<Meaning, { kind: K }>;

/** What an item can mean in this subject. */
export function senses(reading: Pick<Reading, "items" | "subject">, index: number): readonly Meaning[] {
  const item = reading.items[index];
  if (item?.kind !== "meanings") return [];
  return item.meanings.filter((meaning) => !("subject" in meaning) || meaning.subject === reading.subject.name);
}

/** The item's senses of one kind, unless it is explained already. */
export function sensesAs<K extends Meaning["kind"]>(reading: Reading, index: number, kind: K): readonly Of<K>[] {
  if (reading.used.has(index)) return [];
  return senses(reading, index).filter((meaning): meaning is Of<K> => meaning.kind === kind);
}
export const senseAs = <K extends Meaning["kind"]>(reading: Reading, index: number, kind: K): Of<K> | undefined =>
  sensesAs(reading, index, kind)[0];

export const hasRole = (
  reading: Pick<Reading, "items" | "subject">,
  index: number,
  ...roles: readonly Role[]
): boolean => senses(reading, index).some((meaning) => meaning.kind === "role" && roles.includes(meaning.role));

export const use = (reading: Reading, ...indexes: readonly number[]): void => {
  for (const index of indexes) reading.used.add(index);
};

/** The neighbour that carries something, past words that carry nothing. */
export function neighbour(
  reading: Pick<Reading, "items" | "subject">,
  index: number,
  step: 1 | -1,
  skip: readonly Role[] = [],
): number {
  let at = index + step;
  while (reading.items[at]?.kind === "stop" || (skip.length > 0 && hasRole(reading, at, ...skip))) at += step;
  return at;
}
export const after = (reading: Reading, index: number, ...skip: readonly Role[]) => neighbour(reading, index, 1, skip);
export const before = (reading: Reading, index: number, ...skip: readonly Role[]) =>
  neighbour(reading, index, -1, skip);

export const indexesOf = (reading: Reading, ...roles: readonly Role[]): readonly number[] =>
  reading.items
    .map((_, index) => index)
    .filter((index) => !reading.used.has(index) && hasRole(reading, index, ...roles));

/** The measure that an item names: its own, or the count that a subject's noun stands for. */
export function measureAt(reading: Reading, index: number): string | undefined {
  return (
    senseAs(reading, index, "measure")?.name ??
    (senseAs(reading, index, "subject") ? reading.subject.defaultMeasure : undefined)
  );
}

/** The measure that counts the records of which a fact holds. */
export const measureOfFlag = ({ subject }: Reading, name: string): string =>
  findFlag(subject, name)?.measure ?? subject.defaultMeasure;

export function addMeasure({ draft }: Reading, name: string): void {
  if (!draft.measures.includes(name)) draft.measures.push(name);
}
export function addDimension({ draft }: Reading, name: string): void {
  if (!draft.dimensions.includes(name)) draft.dimensions.push(name);
}

/** Filters on one field with one sense are one filter with several values. */
export function addFilter({ draft }: Reading, filter: Filter, at?: number): void {
  const key = `${filter.field} ${filter.op}`;
  if (at !== undefined && !draft.places.has(key)) draft.places.set(key, at);
  const same = draft.filters.findIndex((each) => each.field === filter.field && each.op === filter.op);
  const known = draft.filters[same];
  const joins = filter.op === "is" || filter.op === "is_not";
  const isSaid = draft.filters.some((each) => isDeepStrictEqual(each, filter));
  if (isSaid) return;
  if (known === undefined || !joins) draft.filters.push(filter);
  else draft.filters[same] = { ...known, values: [...new Set([...known.values, ...filter.values])] };
}

/** "Each", "for every": of each that stands behind it, where "by" groups alike. */
export const saysEach = ({ items }: Pick<Reading, "items">, at: number): boolean =>
  /^(?:for )?(?:each|every|per)$/i.test(items[at]?.said ?? "");

export const isPlural = (item: Item | undefined): boolean => item?.said.toLowerCase().endsWith("s") === true;

const rankedAtMost = 1000;

/** A plain number that may say how many. */
export const numberAt = ({ items }: Reading, index: number): number | undefined => {
  const item = items[index];
  return item?.kind === "number" &&
    item.unit === null &&
    Number.isInteger(item.value) &&
    item.value > 0 &&
    item.value <= rankedAtMost
    ? item.value
    : undefined;
};

/** The places from the first on, the last one left out. */
export const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, step) => from + step);

/** The question with one item said in other words. */
export const reworded = ({ items }: Reading, index: number, words: string): string =>
  items.map((item, at) => (at === index ? words : item.said)).join(" ");

/** Whether the noun of the records is said. */
export const namesSubject = ({ items, subject }: Pick<Reading, "items" | "subject">): boolean =>
  items.some((_, index) => senses({ items, subject }, index).some(({ kind }) => kind === "subject"));

/** Whether anything is named that records can be grouped by. */
export const isGrouped = (reading: Reading): boolean =>
  reading.items.some((_, at) => (senseAs(reading, at, "dimension") ?? senseAs(reading, at, "grain")) !== undefined);
