import { barred, noForecast } from "../decline/out-of-reach.ts";
import type { Item } from "../link/item.ts";
import { link } from "../link/link.ts";
import type { Linking } from "../link/name-index.ts";
import { toKey, toWords } from "../words/tokenize.ts";
import { isIdle } from "./courtesies.ts";
import {
  isFact,
  isOwnName,
  isPassing,
  isWhole,
  mayNarrow,
  narrowsBy,
  saysFigures,
  understandPart,
} from "./narrowing.ts";
import { partsOf } from "./parts.ts";
import { opens, remarkIn } from "./remarks.ts";

/** The question among the remarks around it. */
export interface WithoutAsides {
  readonly text: string;
  /** Sentences for the answer: what was left out, and how a pronoun was read. */
  readonly notes: readonly string[];
}

const asks = /\b(?:how (?:many|much)|what|which)\b/i;
/** "They are upset with their conversion rate, what is it": the figure stands in the remark. */
const pointsBack = /\bit\b/i;
const countsPeople = /\bhow many (?:[^\s,]+ ){0,3}?(?:callers|people|customers|persons)\b/i;
/** More parts than that are no question with remarks. */
const mostParts = 24;
/** So many rows of parts are tried as the question, the longest first. */
const mostTried = 12;

/**
 * The question without what its wording shows to be remarks, where `isPlanned` says that the rest has a plan. undefined
 * where a remark may say which records are meant: by a name, a time or a fact that the rest lacks, or by a condition.
 */
export function withoutAsides(
  text: string,
  linking: Linking,
  { isPlanned, follows }: { readonly isPlanned: (text: string) => boolean; readonly follows: boolean },
): WithoutAsides | undefined {
  const parts = partsOf(text);
  if (parts.length < 2 || parts.length > mostParts) return undefined;
  const textOf = (from: number, to: number) => text.slice(parts[from]?.from ?? 0, parts[to - 1]?.to ?? 0);
  const spans = parts
    .flatMap((_, from) => parts.slice(from).map((_part, length) => ({ from, to: from + length + 1 })))
    .filter(({ from, to }) => to - from < parts.length)
    .sort((a, b) => textOf(b.from, b.to).length - textOf(a.from, a.to).length);
  const asides = memoized((from: number, to: number, isBefore: boolean) =>
    asidesIn({ from, to, isBefore }, { textOf, linking }),
  );
  let tried = 0;
  for (const { from, to } of spans) {
    // "Need it for the audit": that somebody needs it is part of the remark.
    if (to < parts.length && isIdle(textOf(to - 1, to))) continue;
    const said = textOf(from, to).replace(/^(?:so|and|but),? (?=\S)/iu, "");
    const before = from === 0 ? [] : asides(0, from, opens.test(said));
    const behind = to === parts.length || before === undefined ? [] : asides(to, parts.length, false);
    if (before === undefined || behind === undefined) continue;
    const left = [...before, ...behind];
    const asked = withNamed(said, left, linking);
    const { items, refusal } = understandPart(asked.text, linking);
    if (refusal !== undefined || items.some(({ kind }) => kind === "unknown")) continue;
    if (
      !follows &&
      (before.length > 0 || behind.length > 0) &&
      !isWhole(items) &&
      !items.some((item) => isFact(item) || isOwnName(item))
    )
      continue;
    if (left.some((aside) => mayNarrow(aside, items, linking))) continue;
    // "But we paid nothing for", "I would like their revenue alongside": a figure that is asked for besides.
    const asking = [
      ...behind.filter((aside) => remarkIn(aside, false) === "sentence"),
      ...before.filter((aside) => asks.test(aside) || pointsBack.test(said)),
    ];
    if (left.some((aside) => countsPeople.test(aside)) && !/\bcallers?\b/i.test(asked.text)) continue;
    if (asking.some((aside) => !saysFigures(link(toWords(aside), linking), items))) continue;
    if (tried++ >= mostTried) return undefined;
    if (isPlanned(asked.text)) return { text: asked.text, notes: [...left.map(leftOut), ...asked.notes] };
  }
  return undefined;
}

/** The note that tells of a remark, without what only led on to the question. */
const leftOut = (aside: string): string =>
  `I left out “${aside.trim().replace(/(?:[\s.!,;:]+|[\s,]+(?:just|so|and|but))+$/iu, "")}”.`;

interface Around {
  readonly textOf: (from: number, to: number) => string;
  readonly linking: Linking;
}

/** The remarks that a row of parts consists of, courtesies left out; undefined where one of them may be none. */
function asidesIn(
  { from, to, isBefore }: { readonly from: number; readonly to: number; readonly isBefore: boolean },
  around: Around,
): readonly string[] | undefined {
  const said = around.textOf(from, to);
  if (isIdle(said)) return [];
  if (isAside(said, isBefore, around.linking)) return [said];
  for (let at = to - 1; at > from; at--) {
    const last = around.textOf(at, to);
    const isNothing = isIdle(last);
    if (!isNothing && !isAside(last, isBefore, around.linking)) continue;
    const first = asidesIn({ from, to: at, isBefore }, around);
    if (first !== undefined) return isNothing ? first : [...first, last];
  }
  return undefined;
}

function memoized<T>(made: (from: number, to: number, isBefore: boolean) => T): typeof made {
  const known = new Map<string, T>();
  return (from, to, isBefore) => {
    const key = `${from} ${to} ${isBefore}`;
    if (!known.has(key)) known.set(key, made(from, to, isBefore));
    return known.get(key) as T;
  };
}

/** Worded as a remark, with a word that says nothing of records; what is to be refused is refused with it. */
function isAside(said: string, isBefore: boolean, linking: Linking): boolean {
  if (remarkIn(said, isBefore) === undefined) return false;
  const words = toWords(said);
  const items = link(words, linking);
  const refusal = barred({ words, items });
  return (
    (refusal === undefined || refusal === noForecast) && items.some(({ kind }) => kind === "unknown" || kind === "stop")
  );
}

const third = /(?<![\p{L}'’])(their|theirs|them|they|they['’]?(?:re|ve|d)|its?|he|she|him|his|her)(?![\p{L}'’])/giu;

/** "Summit is asking about their pings, can you break down their unfilled pings": theirs are those of Summit. */
function withNamed(said: string, asides: readonly string[], linking: Linking): WithoutAsides {
  const [pronoun] = said.match(third) ?? [];
  if (pronoun === undefined || asides.length === 0) return { text: said, notes: [] };
  const named = (items: readonly Item[]) => items.filter((item) => isOwnName(item) && !isPassing(item, linking));
  const own = named(understandPart(said, linking).items);
  const [name, other] = asides.flatMap((aside) => named(link(toWords(aside), linking)));
  if (name === undefined || own.length > 0 || (other !== undefined && toKey(other.said) !== toKey(name.said)))
    return { text: said, notes: [] };
  const text = said.replace(third, (word) => (/^they['’]?re$/i.test(word) ? `${name.said} are` : name.said));
  return { text, notes: [`I read “${pronoun.toLowerCase()}” as “${name.said}”.`] };
}

/**
 * "Why are we not filling pings? Unfilled pings by reason last month": the second sentence says all that the first does,
 * and is the question. undefined where the first holds a name, a period, a number, a fact or a group that the second lacks, or is to be refused.
 */
export function restatedIn(text: string, linking: Linking): string | undefined {
  const [first = "", second = "", more] = text.split(/\?\s+/).map((part) => part.replace(/\?$/, "").trim());
  if (second === "" || (more !== undefined && more !== "")) return undefined;
  const before = understandPart(first, linking);
  const after = understandPart(second, linking);
  if ((before.refusal !== undefined && !/^why\b/i.test(first)) || after.refusal !== undefined) return undefined;
  if (after.items.some(({ kind }) => kind === "unknown")) return undefined;
  return isWhole(after.items) && !narrowsBy(before.items, after.items) && saysFigures(before.items, after.items)
    ? second
    : undefined;
}
