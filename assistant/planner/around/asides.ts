import { barred, noForecast } from "../decline/out-of-reach.ts";
import type { Item } from "../link/item.ts";
import { link } from "../link/link.ts";
import type { Linking } from "../link/name-index.ts";
import { leftOutBy } from "../outcome.ts";
import { isEnglish } from "../words/english.ts";
import { toKey, toWords } from "../words/tokenize.ts";
import { isIdle } from "./courtesies.ts";
import {
  hasMeaning,
  hasRole,
  isFact,
  isLimited,
  isOwnName,
  isPassing,
  isPeriod,
  isWhole,
  limits,
  mayNarrow,
  narrowsBy,
  recordsIn,
  saysFigure,
  saysFigures,
  shapesBesides,
  understandPart,
  withoutDoers,
} from "./narrowing.ts";
import { type Part, partsOf } from "./parts.ts";
import { isEveryday, isOrigin, isQuestion, type Place, type Remark, remarkIn } from "./remarks.ts";
import { tagsIn, tokensOf } from "./word-classes.ts";

/** The question among the remarks around it. */
export interface WithoutAsides {
  readonly text: string;
  /** Sentences for the answer: what was left out, and how a pronoun was read. */
  readonly notes: readonly string[];
  /** A question before this one is left out, since this one says all of it. */
  readonly restates: boolean;
}

/** A part that is left out. */
interface Aside {
  readonly said: string;
  /** `question`: one that the question behind it says again. */
  readonly kind: Remark | "question";
  /** "Since October 15", of "since we raised our rates on October 15". */
  readonly when?: string;
}

const asks = /\b(?:how (?:many|much)|what|which)\b/i;
/** "They are upset with their conversion rate, what is it": the figure stands in the remark. */
const pointsBack = /\bit\b/i;
const countsPeople = /\bhow many (?:[^\s,]+ ){0,3}?(?:callers|people|customers|persons)\b/i;
/** "I mean", in front of a question that is asked again. */
const restating = /\b(?:i mean(?:t)?(?: is)?|i(?:['’]m| am) (?:asking(?: for| about)?|after|interested in))\s+$/i;
/** "They dispute the payout": what they do with a figure, unless they wish for it. */
const ofThem =
  /^(?:because |since )?(?:they|he|she)\b(?!.*\b(?:wants?|needs?|likes?|asks?|asked|prefers?|would|also)\b)/iu;
/** More parts than that are no question with remarks. */
const mostParts = 24;
/** So many rows of parts are tried as the question, the longest first. */
const mostTried = 12;

/**
 * The question without what says nothing of its plan: remarks, and a question that it says again; `isPlanned` tells that the rest
 * has a plan. undefined where a part may say which records are meant: by a name, a time or a fact that the rest lacks, or by a condition.
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
  const asides = asidesOf(text, parts, linking);
  let tried = 0;
  for (const { from, to } of spans) {
    // "Need it for the audit": that somebody needs it is part of the remark.
    if (to < parts.length && isIdle(textOf(to - 1, to))) continue;
    const said = textOf(from, to).replace(/^(?:so|and|but),? (?=\S)/iu, "");
    const before = asides(0, from, true);
    const behind = before && asides(to, parts.length, false);
    if (before === undefined || behind === undefined) continue;
    const left = [...before, ...behind];
    const asked = withCarried(said, left, linking);
    const { items, refusal } = understandPart(asked.text, linking);
    if (refusal !== undefined || items.filter(({ kind }) => kind === "unknown").length > 1) continue;
    if (before.length > 0 && /,\s*$/u.test(text.slice(0, parts[from]?.from)) && cutsList(before.at(-1), items, linking))
      continue;
    const restates = restating.test(text.slice(0, parts[from]?.from));
    const isEnough = isWhole(items) || (restates && saysFigure(items)) || items.some((item) => hasRole(item, "spread"));
    if (!follows && left.length > 0 && !isEnough && !items.some((item) => isFact(item) || isOwnName(item))) continue;
    const points = pointsBack.test(said);
    if (left.some((aside) => bears(aside, items, { isBehind: behind.includes(aside), points, restates }, linking)))
      continue;
    if (tried++ >= mostTried) return undefined;
    if (isPlanned(asked.text))
      return {
        text: asked.text,
        notes: [...left.map(leftOut), ...asked.notes],
        restates: left.some(({ kind }) => kind === "question"),
      };
  }
  return undefined;
}

/** "She wants a table with calls, | conversions and revenue": the figures are one list. */
function cutsList(aside: Aside | undefined, [first]: readonly Item[], linking: Linking): boolean {
  const last = link(toWords(aside?.said ?? ""), linking).at(-1);
  return (
    last !== undefined && first !== undefined && hasMeaning(last, "measure", "subject") && hasMeaning(first, "measure")
  );
}

/** Tells if something in a part bears on the plan of what is asked. */
function bears(
  { said, kind, when }: Aside,
  asked: readonly Item[],
  { isBehind, points, restates }: Readonly<Record<"isBehind" | "points" | "restates", boolean>>,
  linking: Linking,
): boolean {
  if (kind === "question") {
    const all = link(toWords(said), linking);
    const isStrange = all.some(
      (item) => item.kind === "unknown" && (isOrigin(item.said, said) || !(restates || isEveryday(item.said, said))),
    );
    // "Who refuses to pay? I am asking for the unbillable calls": the figures and facts are said in other words.
    const told = restates ? all.filter((item) => hasMeaning(item, "dimension", "grain") || limits(item)) : all;
    const items = withoutDoers(told, said);
    const isMoved = items.some((item) => hasRole(item, "trend", "change") && !hasMeaning(item, "flag", "measure"));
    if (isMoved && !asked.some((item) => hasMeaning(item, "grain") || hasRole(item, "trend", "change"))) return true;
    // "Why do we turn incoming webhooks away? Counts by reason": of which records stands in the first alone.
    const others = recordsIn([...items, ...all.filter((item) => hasMeaning(item, "subject"))]);
    const records = recordsIn(asked);
    const isOfOthers = others.length > 0 && !others.some((name) => records.includes(name));
    return (
      isStrange ||
      isOfOthers ||
      !(isWhole(asked) || (saysFigure(asked) && !isLimited(items))) ||
      narrowsBy(items, asked) ||
      shapesBesides(items, asked) ||
      !saysFigures(items.filter(isFigure), asked)
    );
  }
  if (mayNarrow(said, asked, linking)) return true;
  // "Pings refused because the caller id was invalid": those with that reason, where "because I need them" is none.
  if (isBehind && when === undefined && asked.some(isFact) && isCause(said)) return true;
  if (countsPeople.test(said) && !asked.some((item) => /\bcallers?\b/i.test(item.said))) return true;
  // "But we paid nothing for", "I would like their revenue alongside": a figure that is asked for besides.
  const isAsking = isBehind ? kind === "sentence" && !ofThem.test(said) : points || asks.test(said);
  return isAsking && !saysFigures(link(toWords(said), linking).filter(isFigure), asked);
}

const causes = /^(?:because|since|as|due to)\b(?!.*\b(?:i|we|my|our|me|us)\b)/iu;
/** Tells if a part is the reason of what happened to records, and not why somebody asks for them. */
const isCause = (said: string): boolean =>
  causes.test(said) &&
  !tokensOf(said)
    .map(tagsIn(said, []))
    .some((tag) => /[FH]/.test(tag));

const isFigure = ({ said }: Item): boolean => !/^(?:traffic|volumes?)$/i.test(said);

/** The note that tells of a remark, without what only led on to the question. */
const leftOut = ({ said }: Aside): string =>
  `${leftOutBy} “${said.trim().replace(/(?:[\s.!,;:]+|[\s,]+(?:just|so|and|but))+$/iu, "")}”.`;

/** Finds what a row of parts consists of beside courtesies, each row once; undefined where one of its parts may be asked for. */
function asidesOf(text: string, parts: readonly Part[], linking: Linking) {
  const known = new Map<string, readonly Aside[] | undefined>();
  const find = (from: number, to: number, isBefore: boolean): readonly Aside[] | undefined => {
    if (from >= to) return [];
    const [start, end] = [parts[from]?.from ?? 0, parts[to - 1]?.to ?? 0];
    const said = text.slice(start, end);
    if (isIdle(said)) return [];
    const isApart = isBefore ? /^\s*[.!?…]/u.test(text.slice(end)) : /[.!?…()]\s*$/u.test(text.slice(0, start));
    const happened = whenItHappened(said, linking);
    if (happened !== undefined) return [happened];
    const isAsked = isBefore && /^\s*[.?:]|^\s+[-–—]\s/u.test(text.slice(end));
    const kind = kindOf(said, { isBefore, isApart, isAsked }, linking);
    if (kind !== undefined) return [{ said, kind }];
    for (let at = to - 1; at > from; at--) {
      const last = asides(at, to, isBefore);
      const first = last && asides(from, at, isBefore);
      if (last !== undefined && first !== undefined) return [...first, ...last];
    }
    return undefined;
  };
  const asides: typeof find = (from, to, isBefore) => {
    const key = `${from} ${to} ${isBefore}`;
    if (!known.has(key)) known.set(key, find(from, to, isBefore));
    return known.get(key);
  };
  return asides;
}

/**
 * Tells if a part is a remark, or a question that the next one asks again; undefined where it is neither. A part that is to be
 * refused is neither, so that the whole is refused with it.
 */
function kindOf(
  said: string,
  place: Place & { readonly isAsked: boolean },
  linking: Linking,
): Aside["kind"] | undefined {
  const words = toWords(said);
  const items = link(words, linking);
  const refusal = barred({ words, items });
  if (refusal !== undefined && refusal !== noForecast) return undefined;
  if (place.isAsked && isQuestion(said)) return "question";
  return remarkIn(said, place, linking);
}

/** "Since we raised our rates on October 15": what happened is left out, and the day is the question's. */
function whenItHappened(said: string, linking: Linking): Aside | undefined {
  const [, joint] = /^\s*(since|after|before|until)\b/iu.exec(said) ?? [];
  const items = joint === undefined ? [] : link(toWords(said), linking);
  const day = items.at(-1);
  if (joint === undefined || day === undefined || items.filter(isPeriod).length !== 1 || !isPeriod(day))
    return undefined;
  const clause = said.slice(0, said.lastIndexOf(day.said)).replace(/\s+(?:(?:back )?(?:on|in|at)\s+)?$/iu, "");
  const words = tokensOf(clause);
  const tags = words.map(tagsIn(clause, items)).join("");
  // "Before I meet them on Friday" says why, and "since October" is a time without it.
  const isPast = /E/.test(tags) || words.some((word) => /^(?:was|were|had|did|got|met|\p{L}{2,}[^e]ed)$/u.test(word));
  const mayBePast = /^S[DQN]+$/u.test(tags) && words.every(isEnglish);
  if (words.length < 3 || !(isPast || mayBePast)) return undefined;
  return { said: clause, kind: "sentence", when: `${joint.toLowerCase()} ${day.said}` };
}

/** "I am looking for the day with the highest revenue, and how much was it": more is asked for than that. */
const seeks = /\b(?:look(?:ing)? for|want|need|like|which|what)\b/iu;
const third = /(?<![\p{L}'’])(their|theirs|them|they|they['’]?(?:re|ve|d)|its?|he|she|him|his|her)(?![\p{L}'’])/giu;
const thatTime =
  /\b(?:(?:since|from) then(?: on)?|after that|(?:(?:on|in|during|for) )?(?:that|the same) (?:very |same )?(?:day|week|weekend|month|quarter|year))\b/iu;
const whichOnes = /\bwhich ones?\b/iu;

/**
 * The question with what only the parts around it name: "Summit is asking about their pings, can you break down their unfilled
 * pings", "We had an outage on November 3. Failed calls on that day", "We should drop some keywords. Which ones earn nothing".
 */
function withCarried(
  said: string,
  asides: readonly Aside[],
  linking: Linking,
): { readonly text: string; readonly notes: readonly string[] } {
  const around = asides.flatMap((aside) => link(toWords(aside.said), linking));
  const own = understandPart(said, linking).items;
  const only = (isMeant: (item: Item) => boolean): string | undefined => {
    const [first, ...others] = around.filter(isMeant);
    return others.every((other) => first !== undefined && keyOf(other) === keyOf(first)) ? first?.said : undefined;
  };
  const name = own.some((item) => isNamed(item, linking)) ? undefined : only((item) => isNamed(item, linking));
  const isCompared = around.some(
    (item, at) => isPeriod(item) && /^(?:than|vs|versus|against)$/i.test(around[at - 1]?.said ?? ""),
  );
  const period = isCompared || own.some(isPeriod) ? undefined : only(isPeriod);
  const group = only((item) => hasMeaning(item, "dimension"));
  const isRestated = asides.some(({ kind }) => kind === "question");
  const notes: string[] = [];
  const read = (text: string, pattern: RegExp, carried: string | undefined, as: (word: string) => string) => {
    const [found] = carried === undefined ? [] : (text.match(pattern) ?? []);
    if (found === undefined) return text;
    notes.push(`I read “${found.toLowerCase()}” as “${carried}”.`);
    return text.replace(pattern, as);
  };
  // "Our margin is slipping, show it by publisher": what is asked for has no figure of its own.
  const isSought =
    around.some((item) => hasRole(item, "top", "bottom")) || asides.some(({ said: each }) => seeks.test(each));
  const figure = saysFigure(own) || isSought ? undefined : only((item) => hasMeaning(item, "measure"));
  // "Keystone says they saw fewer calls. How many did we send them".
  const noun = own.some((item) => hasMeaning(item, "measure", "subject"))
    ? undefined
    : only((item) => hasMeaning(item, "subject"));
  const counted = read(said, /\bhow many\b/iu, noun && `how many ${noun}`, () => `how many ${noun}`);
  const [it, whole] =
    name === undefined ? [/\b(?:it|that|them)\b/iu, figure] : [/\bit\b/iu, figure && `${name}'s ${figure}`];
  const figured = read(counted, it, whole, () => `${whole}`);
  const pointed = read(figured, third, name, (word) =>
    /^(?:their|its|his)$/i.test(word) ? `${name}'s` : /^they['’]?re$/i.test(word) ? `${name} are` : `${name}`,
  );
  const timed = read(pointed, thatTime, period, (said) => (/then|after/i.test(said) ? `since ${period}` : `${period}`));
  const grouped = read(timed, whichOnes, group, () => `which ${group}`);
  const added = [
    ...(isRestated && name !== undefined && pointed === said ? [`for ${name}`] : []),
    ...(isRestated && period !== undefined && timed === pointed ? [period] : []),
    ...asides.flatMap(({ when }) => when ?? []),
  ];
  return { text: [grouped.replace(/[\s.?!]+$/u, added.length > 0 ? "" : "$&"), ...added].join(" "), notes };
}

/** Equal for two items that say the same: words by their stems, times by their bounds. */
const keyOf = (item: Item): string =>
  item.kind === "period" ? `${item.period?.from} ${item.period?.to}` : toKey(item.said);
const isNamed = (item: Item, linking: Linking): boolean => isOwnName(item) && !isPassing(item, linking);
