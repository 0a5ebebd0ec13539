import { tagKey } from "../../catalog/catalog.ts";
import { stopWords } from "../words/function-words.ts";
import { keyOf, toKey, toWords, type Word } from "../words/tokenize.ts";
import { asMeanings, type Match } from "./item.ts";
import type { Meaning } from "./lexicon.ts";
import type { Known } from "./linking.ts";
import { isTagValue, standsAsValue } from "./match-tag.ts";
import type { Names } from "./name-index.ts";

/** The longest of the organization's names, or run of words of one, that begins here. */
export function matchName(words: readonly Word[], at: number, { whole, parts, longest }: Names): Match | undefined {
  const find = (key: string, length = 1): Match | undefined => {
    const exact = whole.get(key);
    // "Debt settlement" is a keyword, and most of a campaign's name.
    const found = exact?.every(isTagValue) ? [...exact, ...(parts.get(key) ?? [])] : (exact ?? parts.get(key));
    const said = found?.filter((meaning) => !isTagValue(meaning) || standsAsValue(words, at, length)) ?? [];
    return said.length === 0 ? undefined : asMeanings(said, length);
  };
  if (words[at]?.quoted === true) return find(toKey(words[at]?.original ?? ""));
  for (let length = Math.min(longest, words.length - at); length > 0; length--) {
    const run = words.slice(at, at + length);
    // "Update-revenue" is the name update_revenue, too.
    const found =
      find(keyOf(run), length) ??
      (run[0]?.text === "-" || run.at(-1)?.text === "-"
        ? undefined
        : find(keyOf(run.filter(({ text }) => text !== "-")), length));
    if (found !== undefined && !stopWords.has(words[at]?.text ?? "")) return found;
  }
  return undefined;
}

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
