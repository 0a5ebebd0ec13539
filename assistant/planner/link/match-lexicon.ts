import { keyOf, type Word } from "../words/tokenize.ts";
import { asMeanings, type Match } from "./item.ts";
import type { Lexicon, Meaning } from "./lexicon.ts";
import { asksOfDeeds } from "./match-turns.ts";

/** The longest phrase of the lexicon that begins here. */
export function matchLexicon(words: readonly Word[], at: number, { meanings, longest }: Lexicon): Match | undefined {
  if (words[at]?.quoted) return undefined;
  for (let length = Math.min(longest, words.length - at); length > 0; length--) {
    const key = keyOf(words.slice(at, at + length));
    // "Or longer than an hour" is another bound, "5 minutes or longer" is one.
    const isBound = /^or /.test(key) && /^(than|\$?\d.*)$/.test(words[at + length]?.text ?? "");
    const isOther =
      isBound || isOfRecords(words, at, key) || countsThings(words, key) || asksWhich(words, at, length, meanings);
    const found = isOther ? undefined : meanings.get(key);
    const fitting =
      length === 1 ? found?.filter((each) => !isOfRecords(words, at, `${key} to`) || isRecord(each)) : found;
    if (fitting !== undefined && fitting.length > 0) return asMeanings(fitting, length);
  }
  return undefined;
}

/** "Which bidder times out", "each publisher's pings": the first word is what is asked for, not a part of "bidder timeouts". */
function asksWhich(words: readonly Word[], at: number, length: number, meanings: Lexicon["meanings"]): boolean {
  const [first, before] = [words[at], words[at - 1]?.text ?? ""];
  if (length === 1 || first === undefined || !/^(which|each|every)$/.test(before)) return false;
  const isKind = meanings.get(first.stem)?.some(({ kind }) => kind === "dimension") === true;
  const isFigure = meanings
    .get(keyOf(words.slice(at, at + length)))
    ?.every(({ kind }) => kind === "measure" || kind === "flag");
  return isKind && (isFigure === true || /['’]s$/.test(first.original));
}

/** "How many campaigns were created": each word by itself, since they are no campaigns with calls. */
const countsThings = (words: readonly Word[], key: string): boolean =>
  (/^how many \w+$/.test(key) &&
    words.some(
      (word, at) =>
        key.endsWith(` ${word.stem}`) &&
        words[at - 1]?.text === "many" &&
        /^(ping|delivery|request)$/.test(words[at + 1]?.stem ?? ""),
    )) ||
  (/^how many (campaign|publisher|buyer|target|number)$/.test(key) &&
    (asksOfDeeds(words) ||
      words.some(({ text }, at) => text === "changes" && key.endsWith(words[at - 1]?.text ?? " "))));

const isRecord = (meaning: Meaning): boolean => meaning.kind === "subject";

/** "Changes to campaigns", "every change to …": of those made, where "change to" and "change in" mean something else. */
const isOfRecords = (words: readonly Word[], at: number, key: string): boolean =>
  /^change (to|in|of)$/.test(key) &&
  key.endsWith(words[at + 1]?.text ?? " ") &&
  (words[at]?.text === "changes" ||
    /^(every|each|any|all|no|last|latest|single|first)$/.test(words[at - 1]?.text ?? ""));
