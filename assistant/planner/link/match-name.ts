import { stopWords } from "../words/stop-words.ts";
import { keyOf, toKey, type Word } from "../words/tokenize.ts";
import { asMeanings, type Match } from "./item.ts";
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
    const found = find(keyOf(words.slice(at, at + length)), length);
    if (found !== undefined && !stopWords.has(words[at]?.text ?? "")) return found;
  }
  return undefined;
}
