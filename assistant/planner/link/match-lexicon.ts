import { keyOf, type Word } from "../words/tokenize.ts";
import { asMeanings, type Match } from "./item.ts";
import type { Lexicon, Meaning } from "./lexicon.ts";
import { asksOfDeeds } from "./match-deed.ts";

/** The longest phrase of the lexicon that begins here. */
export function matchLexicon(words: readonly Word[], at: number, { meanings, longest }: Lexicon): Match | undefined {
  if (words[at]?.quoted) return undefined;
  for (let length = Math.min(longest, words.length - at); length > 0; length--) {
    const key = keyOf(words.slice(at, at + length));
    const found = isOfRecords(words, at, key) || countsThings(words, key) ? undefined : meanings.get(key);
    const fitting =
      length === 1 ? found?.filter((each) => !isOfRecords(words, at, `${key} to`) || isRecord(each)) : found;
    if (fitting !== undefined && fitting.length > 0) return asMeanings(fitting, length);
  }
  return undefined;
}

/** "How many campaigns were created": each word by itself, since they are no campaigns with calls. */
const countsThings = (words: readonly Word[], key: string): boolean =>
  /^how many (campaign|publisher|buyer|target|number)$/.test(key) &&
  (asksOfDeeds(words) || words.some(({ text }, at) => text === "changes" && key.endsWith(words[at - 1]?.text ?? " ")));

const isRecord = (meaning: Meaning): boolean => meaning.kind === "subject";

/** "Changes to campaigns", "every change to …": of those made, where "change to" and "change in" mean something else. */
const isOfRecords = (words: readonly Word[], at: number, key: string): boolean =>
  /^change (to|in|of)$/.test(key) &&
  key.endsWith(words[at + 1]?.text ?? " ") &&
  (words[at]?.text === "changes" ||
    /^(every|each|any|all|no|last|latest|single|first)$/.test(words[at - 1]?.text ?? ""));
