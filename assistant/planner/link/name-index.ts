import { catalog, findDimension, tagDimension, tagKey } from "../../catalog/catalog.ts";
import type { SubjectName } from "../../plan.ts";
import { createWordIndex, type WordIndex } from "../words/nearby.ts";
import { stopWords } from "../words/small-words.ts";
import { keyOf, toWords, type Word } from "../words/tokenize.ts";
import type { Lexicon, Meaning } from "./lexicon.ts";

/** One of the organization's own names: the dimension that it belongs to and the name as stored. */
export interface OwnName {
  readonly field: string;
  readonly value: string;
}

export interface Names {
  readonly whole: ReadonlyMap<string, readonly Meaning[]>;
  /** Runs of two words or more of a longer name. */
  readonly parts: ReadonlyMap<string, readonly Meaning[]>;
  /** Runs of a single word of a longer name: looked at only when nothing else explains the word. */
  readonly byWord: ReadonlyMap<string, readonly Meaning[]>;
  /** Words of the longest name. */
  readonly longest: number;
  /** Every word of a name, for typos, and the names that it occurs in. */
  readonly words: WordIndex;
  readonly namesWith: ReadonlyMap<string, readonly string[]>;
  /** Whether these are all the names that the data bears. */
  readonly complete: boolean;
}

/** Names as they become known: learning costs as much as there are new ones. */
export interface NameIndex {
  readonly size: number;
  learn(all: readonly OwnName[]): void;
  names(complete: boolean): Names;
}

/** The field under which the keys of tags are listed. */
export const tagField = "tag";
/** The field of names that are of one kind of records alone. */
export const apartField = (subject: SubjectName, dimension: string): string => `${subject}/${dimension}`;
const mostWords = 10;
/** "30 secs" of a longer name is first of all a length of time. */
const isAmount = /^(\d+|s|secs?|seconds?|mins?|minutes?|m|hrs?|hours?|h|ms)$/;

export function createNames(all: readonly OwnName[], lexicon: Lexicon, complete = true): Names {
  const index = createNameIndex(lexicon);
  index.learn(all);
  return index.names(complete);
}

export function createNameIndex(lexicon: Lexicon): NameIndex {
  const known = new Set<string>();
  const [whole, parts, byWord] = [newMeanings(), newMeanings(), newMeanings()];
  const words = createWordIndex();
  const namesWith = new Map<string, string[]>();
  let longest = 1;

  function add(own: OwnName): void {
    const said = toWords(own.value).slice(0, mostWords);
    const meanings = toMeanings(own);
    if (said.length === 0 || meanings.length === 0) return;
    longest = Math.max(longest, said.length);
    for (const key of new Set([keyOf(said), keyOf(toWords(own.value.replaceAll("+", "")))])) push(whole, key, meanings);
    for (const language of languageOf(own)) push(byWord, keyOf(toWords(language)), meanings);
    // Not what a sign was read as: the "or more" of "75+".
    for (const { stem } of said.filter(({ text }) => own.value.toLowerCase().includes(text) || text.length > 4)) {
      words.add(stem);
      push(namesWith, stem, [own.value]);
    }
    if (own.field !== tagField && tagKey(own.field) === undefined) addRuns(said, meanings);
  }

  function addRuns(said: readonly Word[], meanings: readonly Meaning[]): void {
    // By itself no word of the catalog's phrases is a name; a run is one unless each of its words means something alone.
    const isNone = ({ stem, text }: Word, alone: boolean) =>
      stopWords.has(text) || isAmount.test(text) || (alone ? lexicon.vocabulary : lexicon.meanings).has(stem);
    for (let from = 0; from < said.length; from++)
      for (let to = from + 1; to <= said.length; to++) {
        const run = said.slice(from, to);
        if (run.length === said.length || run.every((word) => isNone(word, run.length === 1))) continue;
        push(run.length === 1 ? byWord : parts, keyOf(run), meanings);
      }
  }

  return {
    get size() {
      return known.size;
    },
    learn(all) {
      for (const own of all) {
        const key = `${own.field}\n${own.value}`;
        if (known.has(key)) continue;
        known.add(key);
        add(own);
      }
    },
    names: (complete) => ({ whole, parts, byWord, longest, words, namesWith, complete }),
  };
}

const languages = new Intl.DisplayNames("en", { type: "language", fallback: "none" });

/** "Spanish" for the tag's "es". */
function languageOf({ field, value }: OwnName): readonly string[] {
  const isLanguage = /lang/i.test(tagKey(field) ?? "") && /^[a-z]{2,3}$/i.test(value);
  const name = isLanguage ? languages.of(value) : undefined;
  return name === undefined ? [] : [name];
}

const newMeanings = () => new Map<string, Meaning[]>();

function push<T>(map: Map<string, T[]>, key: string, values: readonly T[]): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [...values]);
  else known.push(...values);
}

const subjectsWith = new Map<string, readonly SubjectName[]>(
  [...new Set(catalog.flatMap(({ dimensions }) => dimensions.map(({ name }) => name)))].map((field) => [
    field,
    catalog.filter((subject) => findDimension(subject, field) !== undefined).map(({ name }) => name),
  ]),
);
const subjectsWithTags = catalog.filter(({ tags }) => tags !== undefined).map(({ name }) => name);

function toMeanings({ field, value }: OwnName): readonly Meaning[] {
  if (field === tagField)
    return subjectsWithTags.map((subject): Meaning => ({ kind: "dimension", subject, name: tagDimension(value) }));
  const [subject, dimension] = field.split("/");
  const only = tagKey(field) === undefined ? catalog.find(({ name }) => name === subject) : undefined;
  if (only !== undefined && dimension !== undefined)
    return [{ kind: "value", subject: only.name, name: dimension, value }];
  const subjects = tagKey(field) === undefined ? (subjectsWith.get(field) ?? []) : subjectsWithTags;
  return subjects.map((subject): Meaning => ({ kind: "value", subject, name: field, value }));
}

/** The lexicons that words are looked up in. */
export interface Known {
  readonly lexicon: Lexicon;
  readonly names: Names;
}

/** The parts that link a question; the clock and the zone give periods their dates. */
export interface Linking extends Known {
  readonly now: number;
  readonly zone: string;
}
