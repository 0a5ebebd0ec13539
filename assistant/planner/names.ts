import { catalog, findDimension, tagDimension } from "../catalog/catalog.ts";
import type { SubjectName } from "../plan.ts";
import { isKnownWord, type Lexicon, type Meaning } from "./lexicon.ts";
import { toWords } from "./words.ts";

/** One of the organization's own names: the dimension that it belongs to and the name as stored. */
export interface OwnName {
  readonly field: string;
  readonly value: string;
}

export interface Names {
  /** Whole names, and runs of two words or more of a longer one. */
  readonly byPhrase: ReadonlyMap<string, readonly Meaning[]>;
  /** Runs of a single word of a longer name: looked at only when nothing else explains the word. */
  readonly byWord: ReadonlyMap<string, readonly Meaning[]>;
  readonly longest: number;
  readonly vocabulary: ReadonlySet<string>;
  readonly all: readonly OwnName[];
}

/** The field under which the keys of tags are listed. */
export const tagField = "tag";
const mostWords = 10;

export function createNames(all: readonly OwnName[], lexicon: Lexicon): Names {
  const whole = new Map<string, Meaning[]>();
  const parts = new Map<string, Meaning[]>();
  const single = new Map<string, Meaning[]>();
  let longest = 1;
  const vocabulary = new Set<string>();
  for (const own of all) {
    const words = toWords(own.value).slice(0, mostWords);
    const meanings = toMeanings(own);
    if (words.length === 0 || meanings.length === 0) continue;
    longest = Math.max(longest, words.length);
    push(whole, words.map((word) => word.stem).join(" "), meanings);
    for (const word of words) if (!/\d/.test(word.text)) vocabulary.add(word.stem);
    if (own.field === tagField) continue;
    for (let from = 0; from < words.length; from++) {
      for (let to = from + 1; to <= words.length; to++) {
        const run = words.slice(from, to);
        // A run of words that all mean something of their own is not a mention of the name.
        if (to - from === words.length || run.every((word) => isKnownWord(lexicon, word))) continue;
        push(to - from === 1 ? single : parts, run.map((word) => word.stem).join(" "), meanings);
      }
    }
  }
  return { byPhrase: new Map([...parts, ...whole]), byWord: single, longest, vocabulary, all };
}

function push(map: Map<string, Meaning[]>, key: string, meanings: readonly Meaning[]): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [...meanings]);
  else known.push(...meanings);
}

function toMeanings({ field, value }: OwnName): readonly Meaning[] {
  const name = field === tagField ? tagDimension(value) : field;
  return catalog
    .filter((subject) => findDimension(subject, name) !== undefined)
    .map(({ name: subject }): Meaning => toMeaning(subject, name, field === tagField ? undefined : value));
}

const toMeaning = (subject: SubjectName, name: string, value: string | undefined): Meaning =>
  value === undefined ? { kind: "dimension", subject, name } : { kind: "value", subject, name, value };
