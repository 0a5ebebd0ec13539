import { measureOf, subjectOf, tagKey } from "../../catalog/catalog.ts";
import { parseNumber } from "../words/numbers.ts";
import { keyOf, type Word } from "../words/tokenize.ts";
import { asMeanings, type Item, type Match } from "./item.ts";
import type { Meaning } from "./lexicon.ts";
import type { Known } from "./linking.ts";
import { matchLexicon } from "./match-lexicon.ts";
import type { Names } from "./name-index.ts";

/** "utm_source tag", "the tags promo_code": the word beside a key says that it is one. */
export function matchTagKey(words: readonly Word[], at: number, { whole, longest }: Names): Match | undefined {
  const isTag = (index: number) => words[index]?.stem === "tag";
  const from = isTag(at) ? at + 1 : at;
  for (let length = Math.min(longest, words.length - from); length > 0; length--) {
    const meanings = whole.get(keyOf(words.slice(from, from + length)))?.filter(isKeyOfTag) ?? [];
    if (meanings.length === 0 || (from === at && !isTag(at + length))) continue;
    return asMeanings(meanings, length + 1);
  }
  return undefined;
}

const isKeyOfTag = (meaning: Meaning): boolean => meaning.kind === "dimension" && tagKey(meaning.name) !== undefined;

/** "Disposition sale": behind a tag's key its value, whatever else the word may mean. */
export function matchTagged(
  words: readonly Word[],
  at: number,
  { names, before }: { readonly names: Names; readonly before: Item | undefined },
): Match | undefined {
  if (before?.kind !== "meanings") return undefined;
  const keys = before.meanings.flatMap((each) =>
    each.kind === "dimension" && tagKey(each.name) !== undefined ? [each.name] : [],
  );
  for (let length = keys.length === 0 ? 0 : Math.min(names.longest, words.length - at); length > 0; length--) {
    const found = (names.whole.get(keyOf(words.slice(at, at + length))) ?? []).filter(
      (each) => each.kind === "value" && keys.includes(each.name),
    );
    if (found.length > 0) return asMeanings(found, length);
  }
  return undefined;
}

/** "Cpc calls", "calls from cpc": a rate says nothing of which calls, a tag's value does. */
export function matchQualifier(words: readonly Word[], at: number, { lexicon, names }: Known): Match | undefined {
  const lexical = matchLexicon(words, at, lexicon);
  const isBeside =
    /^(call|traffic|lead)$/.test(words[at + 1]?.stem ?? "") ||
    /^(from|via|through|tagged)$/.test(words[at - 1]?.text ?? "");
  if (lexical?.length !== 1 || !isBeside || lexical.content.kind !== "meanings") return undefined;
  const isRate = lexical.content.meanings.every(
    (each) => each.kind === "measure" && measureOf(subjectOf(each.subject), each.name).aggregate.kind === "ratio",
  );
  const values = (names.whole.get(words[at]?.stem ?? "") ?? []).filter(isTagValue);
  return isRate && values.length > 0 ? asMeanings(values) : undefined;
}

export const isTagValue = (meaning: Meaning): boolean => meaning.kind === "value" && tagKey(meaning.name) !== undefined;

const leads =
  /^(from|via|through|tagged|for|on|with|by|where|not|or|and|is|of|to|in|excluding|except|without|only|just|vs|versus|between|were|was|are|had|,|-|\/)$/;
const trails = /^(call|traffic|lead|caller|tag|revenue|profit|payout|conversion|visitor|click|and|or|vs|versus|,)$/;

/** A tag may have any word for a value: where the words around do not make it one, it is just that word. */
export function standsAsValue(words: readonly Word[], at: number, length: number): boolean {
  const [before, after] = [words[at - 1], words[at + length]];
  const isNumber = parseNumber(words[at]?.text ?? "") !== undefined && length === 1;
  const isLed = before !== undefined && (leads.test(before.text) || isTagKey(before));
  return (
    !isNumber &&
    (isLed || words[at]?.quoted === true || (after !== undefined && (trails.test(after.stem) || isTagKey(after))))
  );
}
/** Keys are words of one kind with their values' neighbours: "utm source google", "language es", "lead type renter". */
const isTagKey = ({ text }: Word): boolean =>
  /^(source|medium|campaign|content|term|keyword|type|language|band|code|id|subid|disposition|tag|key)$/.test(text);
