import { tagKey } from "../../catalog/catalog.ts";
import type { EnumValue, Subject } from "../../catalog/field.ts";
import { phrasesOf } from "../../catalog/wording.ts";
import { stem, toKey } from "../words/tokenize.ts";
import { withAgents, withDoers, withEarned, withPassives, withRtbParties } from "./doers.ts";
import { hasRole, type Item, isPlural, meaning, type Said, senses } from "./item.ts";
import type { Meaning } from "./lexicon.ts";

/** What each item means beside its neighbours, of one kind of records. */
export const besideOthers = (items: readonly Item[], subject: Subject): readonly Item[] =>
  [
    withRelatives,
    withOneOf,
    withAgents,
    withPassives,
    withEarned,
    withDoers,
    withRtbParties,
    withTags,
    withShortNames,
    withSiblings,
    withCallersOwn,
  ].reduce((said, settle) => settle({ items: said, subject }), items);

/** "Calls which lasted a minute": behind what it is of it only leads on, as "that" does; "calls which publisher sent" asks. */
const withRelatives = (reading: Said): readonly Item[] =>
  reading.items.map((item, index) =>
    /^which$/i.test(item.said) && leadsBack(reading, index) ? { ...item, kind: "stop" } : item,
  );

/** "Pings of yesterday which got no route", "the payout which we quoted". */
function leadsBack(reading: Said, at: number): boolean {
  const { items } = reading;
  const isTimed = items[at - 1]?.kind === "period";
  if (at > 0 && items[at - 1]?.said !== "," && /^(?:we|they|i)$/i.test(items[at + 1]?.said ?? "")) return true;
  const before = isTimed
    ? items.slice(0, at - 1).findLastIndex(({ said }) => !/^(?:of|from|in|on|the)$/i.test(said))
    : at - 1;
  return isOfSeveral(reading, before) && !isAskedFor(reading, at + 1);
}

/** "Which of our publishers has": one of them is asked for, where "have" asks for several. */
const withOneOf = (reading: Said): readonly Item[] =>
  reading.items.map((item, index) => {
    const isOneOf = /^which of /i.test(reading.items[index - 1]?.said ?? "") && kindOf(reading, index) !== undefined;
    const isOne = /^(?:has|is|was|does)$|[^su]s$/i.test(reading.items[index + 1]?.said ?? "");
    return isOneOf && isOne ? { ...item, said: stem(item.said) } : item;
  });

const isOfSeveral = (reading: Said, index: number): boolean =>
  isPlural(reading.items[index]) &&
  senses(reading, index).some((each) => ["subject", "dimension", "measure"].includes(each.kind));

function isAskedFor(reading: Said, from: number): boolean {
  let at = from;
  while (reading.items[at]?.kind === "stop" || hasRole(reading, at, "all")) at++;
  return (
    reading.items[at]?.kind === undefined ||
    reading.items[at]?.said === "," ||
    senses(reading, at).some(({ kind }) => kind === "dimension" || kind === "grain")
  );
}

/** "Calls tagged cpc", "with a tag utm_source": of that tag, where "tagged calls" and "calls with a tag" are of any. */
const withTags = (reading: Said): readonly Item[] =>
  reading.items.map((item, index) =>
    isOfAnyTag(reading, index) && namesTag(reading, index + 1) ? withoutTag(item) : item,
  );

/** "By utm_source, without those that have no source": the last word of a kind that was named before. */
const withShortNames = (reading: Said): readonly Item[] =>
  reading.items.map((item, index) => {
    if (kindOf(reading, index) === undefined) return item;
    const before = reading.items.slice(0, index);
    const [kind] = before.flatMap((other, at) => (endsWith(other, item) ? (kindOf(reading, at) ?? []) : []));
    return kind === undefined ? item : meaning(item, kind);
  });

const endsWith = (longer: Item, { said }: Item): boolean => {
  const [last, ...before] = longer.said.toLowerCase().split(/[ _]/).toReversed();
  return before.length > 0 && last === said.toLowerCase();
};
const kindOf = (reading: Said, index: number): Meaning | undefined =>
  senses(reading, index).find(({ kind }) => kind === "dimension");

const isOfAnyTag = (reading: Said, index: number): boolean =>
  senses(reading, index).some((each) => each.kind === "flag" && each.name === "tagged" && !each.noun);

function namesTag(reading: Said, from: number): boolean {
  let at = from;
  while (reading.items[at]?.kind === "stop" || hasRole(reading, at, "with", "of")) at++;
  const isTag = senses(reading, at).some(
    (each) => (each.kind === "dimension" || each.kind === "value") && tagKey(each.name) !== undefined,
  );
  return isTag || reading.items[at]?.kind === "number" || reading.items[at]?.kind === "unknown";
}

const withoutTag = (item: Item): Item =>
  /^tagged$/i.test(item.said)
    ? { ...item, kind: "stop" }
    : meaning(item, { kind: "role", role: /^(un|without|with no)/i.test(item.said) ? "not" : "with" });

/**
 * "Sip vs number", "caller, target or the system": words that stand beside one another are values of one closed list where
 * each can be one, and one of them means that or the list is asked for.
 */
function withSiblings(reading: Said): readonly Item[] {
  const items = [...reading.items];
  for (const { name, values = [] } of reading.subject.dimensions)
    for (const run of values.length === 0 ? [] : runsOf(reading, values)) {
      const isOfList = run.some((index) => senses(reading, index).some((each) => isValueOf(each, name)));
      const isAsked = items.some(
        (_, index) => !run.includes(index) && senses(reading, index).some((each) => isDimension(each, name)),
      );
      const [first = 0] = run;
      // "By people only", "made by people".
      const isMade = /\b(?:made|done|performed|entered)$/i.test(items[first - 2]?.said ?? "");
      const isMarked = isMade || [-1, 1].some((step) => hasRole(reading, first + step, "only"));
      const isAlone = isMarked && isAmong(reading, first, values);
      // "By user, humans only": they are one value.
      const isOne = new Set(run.map((index) => valueAt(reading, index, values))).size < 2;
      if (!isAlone && (isOne || !(isOfList || isAsked))) continue;
      for (const index of run) {
        const value = valueAt(reading, index, values);
        const item = items[index];
        const isKnown = senses(reading, index).some((each) => isValueOf(each, name));
        if (item === undefined || value === undefined || isKnown) continue;
        items[index] = meaning(item, { kind: "value", subject: reading.subject.name, name, value });
      }
    }
  return items;
}

const isValueOf = (each: Meaning, name: string): boolean => each.kind === "value" && each.name === name;
const isDimension = (each: Meaning, name: string): boolean => each.kind === "dimension" && each.name === name;

/** Places of words that may be values of the list, joined by "and", "or" or "vs". */
function runsOf(reading: Said, values: readonly EnumValue[]): readonly (readonly number[])[] {
  const runs: number[][] = [[]];
  let isJoined = true;
  for (const [index, { kind, said }] of reading.items.entries()) {
    const isMember = kind !== "stop" && valueAt(reading, index, values) !== undefined && !isOfName(reading, index);
    if (isMember && isJoined) runs.at(-1)?.push(index);
    else if (isMember) runs.push([index]);
    // "Hung up by the target, by buyer": what is behind is a group.
    else if (said !== "/" && (kind === "stop" || leadsOn(reading, index))) continue;
    else if (said !== "/" && !hasRole(reading, index, ...joints)) runs.push([]);
    isJoined = !isMember;
  }
  return runs;
}

const leadsOn = (reading: Said, index: number): boolean =>
  hasRole(reading, index, "of") || (hasRole(reading, index, "by") && reading.items[index - 1]?.said !== ",");

const joints = ["versus", "and", "or", "not", "but", "only", "instead_of"] as const;

/** "The caller hung up and target Acme": the word says what the name behind it is. */
const isOfName = (reading: Said, index: number): boolean =>
  senses(reading, index + 1).some((each) => each.kind === "value" && each.name === reading.items[index]?.said);

const isAmong = ({ items }: Said, index: number, values: readonly EnumValue[]): boolean =>
  values.some(({ among = [] }) => among.includes(items[index]?.said.toLowerCase() ?? ""));

const valueAt = ({ items }: Said, index: number, values: readonly EnumValue[]): string | undefined =>
  values.length === 0 ? undefined : keysOf(values).get(toKey(items[index]?.said ?? ""));

const keys = new WeakMap<readonly EnumValue[], ReadonlyMap<string, string>>();

/** The values of a closed list by all that they are called. */
function keysOf(values: readonly EnumValue[]): ReadonlyMap<string, string> {
  const known = keys.get(values);
  if (known !== undefined) return known;
  const all = values.flatMap(({ value, words, among = [] }) =>
    [value, ...among, ...words.flatMap(phrasesOf)].map((each): [string, string] => [toKey(each), value]),
  );
  // The first value that a word may mean.
  const made = new Map(all.reverse());
  keys.set(values, made);
  return made;
}

/** "By caller language": of whom the language is, not a second grouping. */
const withCallersOwn = (reading: Said): readonly Item[] =>
  reading.items.filter((item, index) => {
    const isCaller = /^(?:caller|callers?['’]s?)$/i.test(item.said);
    const isNext = senses(reading, index + 1).some((each) => each.kind === "dimension" && each.name !== "caller");
    return !isCaller || !isNext;
  });
