import { findDimension, subjectOf } from "../../catalog/catalog.ts";
import { factCounted } from "../../catalog/fact-counted.ts";
import { understand } from "../correct-typos.ts";
import { barred } from "../decline/out-of-reach.ts";
import type { Item } from "../link/item.ts";
import type { Meaning } from "../link/lexicon.ts";
import { link } from "../link/link.ts";
import type { Linking } from "../link/name-index.ts";
import { toKey, toWords } from "../words/tokenize.ts";

/**
 * Tells if a remark may restrict the question: by a name, or by a time or a fact where the question has none of its own. A slip in a remark is none: "radio" is no "ratio" there.
 */
export function mayNarrow(said: string, asked: readonly Item[], linking: Linking): boolean {
  const items = link(toWords(said), linking);
  const [hasTime, hasPeriod, hasFact] = [asked.some(isTime), asked.some(isPeriod), asked.some(isFact)];
  if ((items.some(isTrend) && !asked.some(isGrain)) || items.some((item) => isTime(item) && isAsked(item, said)))
    return true;
  const telling = items.filter(
    (item) =>
      item.kind !== "number" &&
      !isPassing(item, linking) &&
      !((isPeriod(item) ? hasPeriod : hasTime) && isTime(item)) &&
      !(hasFact && isFact(item) && !isPlace(item)),
  );
  return narrowsBy(groups.test(said) ? telling : telling.filter(isNoGroup), asked);
}

/** "He asked about September": another time than that of the question is asked for. */
const isAsked = ({ said }: Item, remark: string): boolean =>
  [
    ...remark.matchAll(
      /\b(?:about|regarding|meant|wants?|prefers?|(?:wants?|needs?|make) (?:it|them) for) (?:the )?/giu,
    ),
  ].some(
    ({ index, 0: asking }) =>
      remark
        .slice(index + asking.length)
        .replace(/[\s.!?,;:]+$/u, "")
        .toLowerCase() === said.toLowerCase(),
  );

const hasMeaning = (item: Item, ...kinds: readonly Meaning["kind"][]): boolean =>
  item.kind === "meanings" && item.meanings.some(({ kind }) => kinds.includes(kind));
const isPeriod = ({ kind }: Item): boolean => kind === "period";
const isGrain = (item: Item): boolean => hasMeaning(item, "grain");
const isTime = (item: Item): boolean =>
  item.kind === "period" || item.kind === "hour" || hasMeaning(item, "days", "parts", "grain");

const isTrend = (item: Item): boolean =>
  item.kind === "meanings" && item.meanings.some((each) => each.kind === "role" && each.role === "trend");

/** A fact, or one of a closed list of values. */
export const isFact = (item: Item): boolean =>
  item.kind === "meanings" &&
  item.meanings.some((each) => each.kind === "flag" || (each.kind === "value" && isClosed(each))) &&
  !item.meanings.some((each) => each.kind === "dimension" || (each.kind === "value" && !isClosed(each)));

/** "A complaint from a caller in Ohio": that of a failed call may be meant. */
const isPlace = (item: Item): boolean =>
  item.kind === "meanings" && item.meanings.some((each) => each.kind === "value" && each.name === "state");

const isClosed = ({ subject, name }: Extract<Meaning, { kind: "value" }>): boolean =>
  name === "state" || findDimension(subjectOf(subject), name)?.values !== undefined;

/** "The team", "a quick call": one small-lettered word in the middle of somebody's name. */
export function isPassing(item: Item, { names }: Linking): boolean {
  if (item.kind !== "meanings" || item.said.includes(" ") || /^\p{Lu}/u.test(item.said)) return false;
  const isName = item.meanings.every((each) => each.kind === "value");
  const key = toKey(item.said);
  const bearers = names.namesWith.get(key) ?? [];
  return isName && bearers.length > 0 && !bearers.some((name) => toKey(name).startsWith(key));
}

const groups =
  /^(?:for|ahead)\b|\b(?:by|per|each|every|which|about|regarding|(?:wants?|needs?|prefers?)(?! (?:one|an?)\b))\b/iu;
/** "Bidders sent us garbage": who did it is no grouping there. */
const isNoGroup = (item: Item): boolean =>
  item.kind !== "meanings" || item.meanings.some(({ kind }) => kind !== "dimension");

/** What one part of what was typed says by itself. */
export function understandPart(said: string, linking: Linking) {
  const words = toWords(said);
  const { items } = understand(words, linking);
  return { items, refusal: barred({ words, items }) };
}

/** Whether the first say of which records, over what time, or by what, and the second do not. */
export function narrowsBy(before: readonly Item[], after: readonly Item[]): boolean {
  const said = new Set(after.flatMap((item) => toWords(item.said).map(({ stem }) => stem)));
  const named = new Set(after.flatMap(namesOf));
  const grouped = new Set([...after.flatMap(groupsOf), ...factsCounted(after)]);
  const isSaid = (item: Item) =>
    isOfGroup(item, after) ||
    toWords(item.said).every(({ stem }) => said.has(stem)) ||
    namesOf(item).some((name) => named.has(name));
  return before.some(
    (item) =>
      !people.test(item.said) && !isSaid(item) && (narrows(item) || groupsOf(item).some((name) => !grouped.has(name))),
  );
}

/** The facts that the figures of a question count: "duplicates" are the duplicate calls of a remark. */
const factsCounted = (items: readonly Item[]): readonly string[] =>
  items.flatMap((item) =>
    item.kind !== "meanings"
      ? []
      : item.meanings.flatMap((each) =>
          each.kind === "measure" ? (factCounted(subjectOf(each.subject), each.name)?.field ?? []) : [],
        ),
  );

/** Whoever is named is among the groups: "connect rate per publisher, because Northshore is asking". */
function isOfGroup(item: Item, asked: readonly Item[]): boolean {
  const grouped = new Set(
    asked.flatMap((each) =>
      each.kind === "meanings" ? each.meanings.flatMap((one) => (one.kind === "dimension" ? [one.name] : [])) : [],
    ),
  );
  return item.kind === "meanings" && item.meanings.some((each) => each.kind === "value" && grouped.has(each.name));
}

const people = /^(?:who|whom|whose|people|users?|callers?|someone|somebody)$/i;

export const isOwnName = (item: Item): boolean =>
  item.kind === "meanings" &&
  item.meanings.some((each) => each.kind === "value" && !isClosed(each)) &&
  !item.meanings.some(({ kind }) => kind === "measure");

/** What the item may be the name of. */
const namesOf = (item: Item): readonly string[] =>
  item.kind === "meanings"
    ? item.meanings.flatMap((each) => (each.kind === "value" ? [`${each.name} ${each.value}`] : []))
    : [];

/** What the item may group by, or say of records. */
const groupsOf = (item: Item): readonly string[] =>
  item.kind !== "meanings"
    ? []
    : item.meanings.flatMap((each) =>
        each.kind === "dimension" || each.kind === "flag"
          ? [each.name]
          : each.kind === "grain"
            ? [each.grain.replace("_of_day", "")]
            : [],
      );

export const narrows = (item: Item): boolean =>
  item.kind === "period" || item.kind === "number" || item.kind === "hour" || isValue(item);
const isValue = (item: Item): boolean =>
  item.kind === "meanings" &&
  item.meanings.some(({ kind }) => kind === "value" || kind === "days") &&
  !item.meanings.some(({ kind }) => kind === "measure");

/** Whether the second say every figure of the first: "at which hour is the rate lowest? Ignore hours under 30 calls" does not. */
export function saysFigures(before: readonly Item[], after: readonly Item[]): boolean {
  const meant = (items: readonly Item[]) => items.map((item) => (item.kind === "meanings" ? item.meanings : []));
  const told = meant(after).flat();
  const records = new Set(
    told.flatMap((each) => (each.kind === "measure" || each.kind === "subject" ? [each.subject] : [])),
  );
  const said = new Set(told.flatMap((each) => (each.kind === "measure" ? [each.name] : [])));
  return meant(before)
    .map((all) =>
      all.flatMap((each) =>
        each.kind === "measure" && (records.size === 0 || records.has(each.subject)) ? [each.name] : [],
      ),
    )
    .every((names) => names.length === 0 || names.some((name) => said.has(name)));
}

/** Whether a question says a figure, and over which time or by what. */
export const isWhole = (items: readonly Item[]): boolean =>
  items.some((item) => hasMeaning(item, "measure", "subject")) &&
  items.some((item) => item.kind === "period" || hasMeaning(item, "dimension", "grain"));
