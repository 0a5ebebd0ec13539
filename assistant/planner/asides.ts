import type { Item } from "./link/item.ts";
import type { Linking } from "./link/linking.ts";
import { isWhole, narrowsBy, understandPart } from "./whole-question.ts";

export interface WithoutAside {
  readonly text: string;
  /** What was left out, as it was typed. */
  readonly aside: string;
}

/** What may part a remark from a question: "receivers had an outage: …", "…, billing is asking", "… so I can staff the desks". */
const ends =
  /(?:\.{2,}|[?!:;…])\s+|\s[-–—]\s|,\s+|\s(?=so (?:i|we) can\b)|\s(?=because (?:i|we|my|our|they|he|she)\b)/giu;
/** What a remark never begins with or holds: it would be a condition that we do not know. */
const condition =
  /\b(?:not|no|non|without|excluded|ignore|ignoring|skip|skipping|drop|leave|leaving|left|except|excluding|excl|exclude|only|just|minus|net|less|more|than|over|under|above|below|before|after|between|if|unless|when|where|who|which|that|with|by|per|plus|and|or|vs|versus|compared|but|including|from|to|since|until|then|than|how|what)\b/iu;
/** Somebody says, asks or feels something; "is" alone tells of the records, and "we want" which ones. */
const remark =
  /\b(?:(?:i|we|they|he|she|someone|anyone) (?!want|need)[a-z]+|boss|guy|team|finance|billing|legal|ceo|manager|says?|said|asks|asked|asking|wants|feels?|thinks?|looks?|seems?|complains?|complained|urgent|asap|quick|help|sending|hitting|getting|need it for)\b/iu;

/**
 * The question without a remark before or behind it, where the rest says a figure and over what; undefined where the remark
 * holds a name, a time or a number that the rest lacks, or may be a condition.
 */
export function withoutAside(text: string, linking: Linking): WithoutAside | undefined {
  const cuts = [...text.matchAll(ends)].map(({ index, 0: sign }) => ({ index, to: index + sign.length }));
  for (const { index, to } of cuts) {
    const [first, second] = [text.slice(0, index), text.slice(to)];
    if (isAside(first, second, linking)) return { text: second, aside: first };
    if (isAside(second.replace(/[?.!]+$/u, ""), first, linking) && !condition.test(opening(second)))
      return { text: first, aside: second };
  }
  return undefined;
}

const groups = /\b(?:by|per|each|every|which)\b/iu;
/** "Bidders sent us garbage": who did it is no grouping there. */
const isNoGroup = (item: Item): boolean =>
  item.kind !== "meanings" || item.meanings.some(({ kind }) => kind !== "dimension");

const opening = (said: string): string => said.replace(/^(?:so|because) (?:i|we|they|he|she|my|our)\b/iu, "");

function isAside(aside: string, rest: string, linking: Linking): boolean {
  if (!remark.test(aside) || /^(?:why|who|whose|what|which|how|when|where)\b/iu.test(aside)) return false;
  const [left, right] = [understandPart(aside, linking), understandPart(rest, linking)];
  const isUnknown = (item: Item) => item.kind === "unknown";
  if (!left.items.some(isUnknown) || left.refusal !== undefined || right.refusal !== undefined) return false;
  return (
    !right.items.some(isUnknown) &&
    isWhole(right.items) &&
    !narrowsBy(groups.test(aside) ? left.items : left.items.filter(isNoGroup), right.items)
  );
}
