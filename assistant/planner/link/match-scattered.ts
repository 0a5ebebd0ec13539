import { tagKey } from "../../catalog/catalog.ts";
import { stopWords } from "../words/stop-words.ts";
import { toKey, toWords, type Word } from "../words/tokenize.ts";
import { asMeanings, type Match } from "./item.ts";
import type { Meaning } from "./lexicon.ts";
import type { Known } from "./linking.ts";
import type { Names } from "./name-index.ts";

/** "Keystone East" for "Keystone Senior Benefits East", "Spanish auto": words of one name, none of which means anything else. */
export function matchScattered(words: readonly Word[], at: number, known: Known): Match | undefined {
  let found: readonly string[] = [];
  let length = 0;
  for (let to = at; to < words.length && tells(words[to], known); to++) {
    const run = words.slice(at, to + 1).map(({ stem }) => stem);
    const holding = (known.names.namesWith.get(run[0] ?? "") ?? []).filter((name) => holds(name, run));
    if (holding.length === 0) break;
    found = holding;
    length = run.length;
  }
  const meanings = length < 2 ? [] : [...new Set(found)].flatMap((name) => meaningsOf(name, known.names));
  return meanings.length === 0 ? undefined : asMeanings(meanings, length);
}

const tells = (word: Word | undefined, { lexicon }: Known): boolean =>
  word !== undefined && !word.quoted && !stopWords.has(word.text) && !lexicon.meanings.has(word.stem);

function holds(name: string, run: readonly string[]): boolean {
  const own = new Set(toWords(name).map(({ stem }) => stem));
  return new Set(run).size === run.length && run.every((word) => own.has(word));
}

const meaningsOf = (name: string, { whole }: Names): readonly Meaning[] =>
  (whole.get(toKey(name)) ?? []).filter((each) => each.kind === "value" && tagKey(each.name) === undefined);
