import { findDimension, subjectOf } from "../../catalog/catalog.ts";
import { factCounted } from "../../catalog/fact-counted.ts";
import type { Subject } from "../../catalog/field.ts";
import { type Grain, isRecurring, type SubjectName } from "../../plan.ts";
import { understand } from "../correct-typos.ts";
import { barred } from "../decline/out-of-reach.ts";
import { rateOf } from "../grammar/figures.ts";
import { type Item, mayBe, meaningsOf } from "../link/item.ts";
import type { Meaning } from "../link/lexicon.ts";
import { link } from "../link/link.ts";
import type { Linking } from "../link/name-index.ts";
import type { Role } from "../words/small-words.ts";
import { toKey, toWords } from "../words/tokenize.ts";
import { called } from "./remarks.ts";

/**
 * Tells if a remark may restrict the question: by a name, or by a time or a fact where the question has none of its own. A slip in a remark is none: "radio" is no "ratio" there.
 */
export function mayNarrow(said: string, asked: readonly Item[], linking: Linking): boolean {
  const items = ofRecords(link(toWords(said), linking), asked);
  const isCause = /^(?:because|bc|cause|cuz|since|as|due)\b/i.test(said);
  const [hasTime, hasFact] = [asked.some(isTime), asked.some(isFact)];
  // "By week, because it got worse in November": all weeks are shown.
  const hasPeriod = asked.some(isPeriod) || (isCause && !/^since/i.test(said) && asked.some(isSeries));
  const isHard = (item: Item, at: number) =>
    isShaping(item) ||
    hasMeaning(item, "chart") ||
    (isTime(item) && isAsked(item, said)) ||
    // "Because the budget is set per publisher", of figures by publisher.
    (isBy(item) && items[at + 1]?.kind !== "stop") ||
    (isPeriod(item) && /^(?:since|from|until|till|between)\b/i.test(item.said) && /^(?:to|for)\b/i.test(said)) ||
    (hasMeaning(item, "statistic") && !asked.some((each) => hasMeaning(each, "statistic"))) ||
    (hasMeaning(item, "days") && !asked.some((each) => hasMeaning(each, "days") || isOfWeek(each)));
  if ((items.some((item) => hasRole(item, "trend")) && !asked.some(isGrain)) || items.some(isHard)) return true;
  // Of a "new phone system" and a "missed deadline" no call is meant.
  const telling = items.filter(
    (item, at) =>
      item.kind !== "number" &&
      !isPassing(item, linking) &&
      !((isPeriod(item) ? hasPeriod : hasTime) && isTime(item)) &&
      !(isFact(item) && (hasFact ? !isPlace(item) && !isCause : isOfThing(item, items[at + 1]))),
  );
  return narrowsBy(withoutDoers(telling, said), asked);
}

/** "He asked about September": another time than that of the question is asked for. */
const isAsked = ({ said }: Item, remark: string): boolean =>
  [
    ...remark.matchAll(
      /\b(?:about|regarding|meant|think|guess|maybe|rather(?: have| see| do)?|let['’]?s (?:say|do|try|use|go with|make it)|(?:ask(?:s|ed|ing)?|looking) for|wants?|prefers?|(?:wants?|needs?|make) (?:it|them) for) (?:the )?/giu,
    ),
  ].some(
    ({ index, 0: asking }) =>
      remark
        .slice(index + asking.length)
        .replace(/[\s.!?,;:]+$/u, "")
        .toLowerCase() === said.toLowerCase(),
  );

export const hasMeaning = (item: Item, ...kinds: readonly Meaning["kind"][]): boolean =>
  kinds.some((kind) => mayBe(item, kind));
const grainsOf = (item: Item): readonly Grain[] =>
  meaningsOf(item).flatMap((each) => (each.kind === "grain" ? [each.grain] : []));
export const isPeriod = ({ kind }: Item): boolean => kind === "period";
const isGrain = (item: Item): boolean => mayBe(item, "grain");
const isSeries = (item: Item): boolean => grainsOf(item).some((grain) => !isRecurring(grain));
const isTime = (item: Item): boolean =>
  item.kind === "period" || item.kind === "hour" || hasMeaning(item, "days", "parts", "grain");

export const hasRole = (item: Item, ...roles: readonly Role[]): boolean => mayBe(item, "role", ...roles);

/** The roles of words that rank, order, split or compare figures: no remark has them. */
const shaping: readonly Role[] = [
  "sort",
  "ascending",
  "descending",
  "side_by_side",
  "share",
  "ratio",
  "spread",
  "running",
  "moving",
  "over_over",
  "same_part",
  "previous_period",
  "days_before",
  "year_before",
  "off_hours",
  "work_hours",
  "contains",
  "as_rate",
  "plain",
  "instead_of",
];
const isOfWeek = (item: Item): boolean => grainsOf(item).some((grain) => /^(?:day_of_week|kind_of_day)$/.test(grain));
const isShaping = (item: Item): boolean => hasRole(item, ...shaping);
/** "Better in business hours or after hours? Connect rate": the second says nothing of hours. */
export const shapesBesides = (before: readonly Item[], after: readonly Item[]): boolean =>
  shaping.some((role) => before.some((item) => hasRole(item, role)) && !after.some((item) => hasRole(item, role)));
/** "By week", not "by the way". */
const isBy = (item: Item): boolean => hasRole(item, "by") && /(?:by|per)$/i.test(item.said);
/** The items with their meanings for the records that are asked for: "pinged" is said of calls, not of webhooks. */
function ofRecords(items: readonly Item[], asked: readonly Item[]): readonly Item[] {
  const records = new Set(recordsIn(asked));
  return items.map((item) =>
    item.kind !== "meanings" || records.size === 0
      ? item
      : { ...item, meanings: item.meanings.filter((each) => !("subject" in each) || records.has(each.subject)) },
  );
}
export const recordsIn = (items: readonly Item[]): readonly SubjectName[] =>
  items
    .flatMap(meaningsOf)
    .flatMap((each) => (each.kind === "measure" || each.kind === "subject" ? [each.subject] : []));

/** A fact, or one of a closed list of values. */
export const isFact = (item: Item): boolean =>
  meaningsOf(item).some((each) => each.kind === "flag" || (each.kind === "value" && isClosed(each))) &&
  !meaningsOf(item).some((each) => each.kind === "dimension" || (each.kind === "value" && !isClosed(each)));

/** "A complaint from a caller in Ohio": that of a failed call may be meant. */
const isPlace = (item: Item): boolean =>
  meaningsOf(item).some((each) => each.kind === "value" && each.name === "state");

/** A value that nobody gave a name: of a list, or a reason. */
function isClosed({ subject, name }: Extract<Meaning, { kind: "value" }>): boolean {
  const { values, reasonOf } = findDimension(subjectOf(subject), name) ?? {};
  return name === "state" || values !== undefined || reasonOf !== undefined;
}

/** "A new phone system", "the missed deadline". */
const isOfThing = (item: Item, next?: Item): boolean =>
  hasMeaning(item, "flag") &&
  !item.said.includes(" ") &&
  (next?.kind === "unknown" || (next !== undefined && hasMeaning(next, "dimension"))) &&
  !called.test(next.said) &&
  !isHead.test(next.said);
const isHead = /^(?:ones?|review|check|report|question)s?$/i;

/** "The team", "a quick call": one small-lettered word in the middle of somebody's name. */
export function isPassing(item: Item, { names }: Linking): boolean {
  if (item.kind !== "meanings" || item.said.includes(" ") || /^\p{Lu}/u.test(item.said)) return false;
  const isName = item.meanings.every((each) => each.kind === "value");
  const key = toKey(item.said);
  const bearers = names.namesWith.get(key) ?? [];
  return isName && bearers.length > 0 && !bearers.some((name) => toKey(name).startsWith(key));
}

/** Without the groups that only say who does or has something. */
export const withoutDoers = (items: readonly Item[], said: string): readonly Item[] =>
  items.filter(
    (item) => isNoGroup(item) || groups.test(said.slice(0, said.toLowerCase().indexOf(item.said.toLowerCase()))),
  );
/** Matches the text in front of a group that is asked for: "by", "per", "he wants the". */
const groups =
  /(?:^(?:for|ahead of)|\b(?:by|per|each|every|which|comparing|about|regarding|wants?|needs?|prefers?))(?: (?:the|our|my|all|its|their|different))*\s*$/iu;
/** "Bidders sent us garbage": who did it is no grouping there. */
const isNoGroup = (item: Item): boolean => !mayBe(item, "dimension");

/** What one part of what was typed says by itself. */
export function understandPart(said: string, linking: Linking) {
  const words = toWords(said);
  const { items } = understand(words, linking);
  return { items, refusal: barred({ words, items }) };
}

/** Whether the first say of which records, over what time, or by what, and the second do not. */
export function narrowsBy(before: readonly Item[], after: readonly Item[]): boolean {
  const said = wordsIn(after);
  const named = new Set(after.flatMap(namesOf));
  const grouped = new Set([...after.flatMap(groupsOf), ...factsCounted(after)]);
  // "Do calls after 6pm convert worse? Conversion rate by part of day".
  const isOfHours = (item: Item) => item.kind === "hour" && (grouped.has("hour") || grouped.has("part"));
  const isSaid = (item: Item) =>
    isOfGroup(item, after) ||
    isOfHours(item) ||
    toWords(item.said).every(({ stem }) => said.has(stem)) ||
    namesOf(item).some((name) => named.has(name));
  return before.some(
    (item) =>
      !people.test(item.said) && !isSaid(item) && (narrows(item) || groupsOf(item).some((name) => !grouped.has(name))),
  );
}

/** The facts that the figures of a question count: "duplicates" are the duplicate calls of a remark. */
const factsCounted = (items: readonly Item[]): readonly string[] =>
  items
    .flatMap(meaningsOf)
    .flatMap((each) => (each.kind === "measure" ? factsOf(subjectOf(each.subject), each.name) : []));

/** The fact that a measure counts, or is the rate of. */
const factsOf = (subject: Subject, name: string): readonly string[] =>
  [
    name,
    ...subject.measures.flatMap((counted) => (rateOf(subject, counted.name) === name ? [counted.name] : [])),
  ].flatMap((counted) => factCounted(subject, counted)?.field ?? []);

/** Whoever is named is among the groups: "connect rate per publisher, because Northshore is asking". */
function isOfGroup(item: Item, asked: readonly Item[]): boolean {
  const isGrouped = (name: string) =>
    asked.flatMap(meaningsOf).some((each) => each.kind === "dimension" && each.name === name);
  return meaningsOf(item).some((each) => each.kind === "value" && isGrouped(each.name));
}

const people = /^(?:who|whom|whose|people|users?|callers?|someone|somebody)$/i;

export const isOwnName = (item: Item): boolean =>
  meaningsOf(item).some((each) => each.kind === "value" && !isClosed(each)) && !mayBe(item, "measure");

/** What the item may be the name of. */
const namesOf = (item: Item): readonly string[] =>
  meaningsOf(item).flatMap((each) => (each.kind === "value" ? [`${each.name} ${each.value}`] : []));

/** What the item may group by, or say of records. */
const groupsOf = (item: Item): readonly string[] =>
  meaningsOf(item).flatMap((each) => {
    if (each.kind === "grain") return [each.grain.replace("_of_day", "")];
    return each.kind === "dimension" || each.kind === "flag" ? [each.name] : [];
  });

export const narrows = (item: Item): boolean =>
  item.kind === "period" || item.kind === "number" || item.kind === "hour" || isValue(item);
/** Tells if an item is a time, a number, a name or a place, which no other words say again; a fact may be said in others. */
export const limits = (item: Item): boolean => narrows(item) && (isPlace(item) || !isFact(item));
const isValue = (item: Item): boolean => hasMeaning(item, "value", "days") && !mayBe(item, "measure");

/** Whether the second say every figure of the first: "at which hour is the rate lowest? Ignore hours under 30 calls" does not. */
export function saysFigures(before: readonly Item[], after: readonly Item[]): boolean {
  const records = new Set(recordsIn(after));
  const isNone = (item: Item) => mayBe(item, "dimension") || /^(?:make|made)s?$/i.test(item.said);
  const figuresOf = (item: Item) =>
    (isNone(item) ? [] : meaningsOf(item)).flatMap((each) =>
      each.kind === "measure" && (records.size === 0 || records.has(each.subject)) ? [each.name] : [],
    );
  const said = new Set(after.flatMap(figuresOf));
  // "Who bids fastest? Average bid time by buyer" asks for no number of bids.
  const words = before.some(isCount) ? new Set<string>() : wordsIn(after);
  return before.every((item) => {
    const names = figuresOf(item);
    return (
      names.length === 0 ||
      names.some((name) => said.has(name)) ||
      toWords(item.said).every(({ stem }) => words.has(stem))
    );
  });
}
const wordsIn = (items: readonly Item[]) =>
  new Set(items.flatMap((item) => toWords(item.said).map(({ stem }) => stem)));

const isCount = (item: Item): boolean => hasRole(item, "how_many", "loses");

/** Tells if a question names a figure, and a period or a group. */
export const isWhole = (items: readonly Item[]): boolean => saysFigure(items) && isLimited(items);
export const saysFigure = (items: readonly Item[]): boolean =>
  items.some((item) => hasMeaning(item, "measure", "subject") || isCount(item));
/** Tells if one says over which time, or by what. */
export const isLimited = (items: readonly Item[]): boolean =>
  items.some((item) => item.kind === "period" || hasMeaning(item, "dimension", "grain"));
