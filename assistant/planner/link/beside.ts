import { measureOf, tagKey } from "../../catalog/catalog.ts";
import type { EnumValue, Subject } from "../../catalog/field.ts";
import { phrasesOf } from "../../catalog/wording.ts";
import { stem, toKey } from "../words/tokenize.ts";
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
    withBidders,
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

/** Who answers each kind of records. */
const agents: Readonly<Record<string, readonly string[]>> = {
  calls: ["target", "buyer"],
  outgoing_webhook_requests: ["host"],
  inbound_rtb_requests: ["endpoint"],
  outbound_rtb_requests: ["buyer", "rtb"],
};

/** "Refused by the receiver", "answered by the target": who does it is no group, and what "refused" says already. */
const withAgents = (reading: Said): readonly Item[] =>
  reading.items.filter((_, index) => ![0, 1, 2].some((step) => isAgent(reading, index - step)));

function isAgent(reading: Said, at: number): boolean {
  const { items, subject } = reading;
  const isSaid = /^by$/i.test(items[at]?.said ?? "") && /^(?:the|our)$/i.test(items[at + 1]?.said ?? "");
  // "Paid by the buyer" is another fact than "paid".
  const isTold = senses(reading, at - 1).some((each) =>
    subject.name === "calls"
      ? "name" in each && /^connected/.test(each.name)
      : /^(?:flag|value|measure|role)$/.test(each.kind),
  );
  const isOne = !isPlural(items[at + 2]) && isOf(reading, at + 2, ...(agents[subject.name] ?? []));
  return isSaid && isTold && isOne && /ed$/i.test(items[at - 1]?.said ?? "");
}

/** "Were declined" is done to them, where "have declined" is a change. */
const withPassives = ({ items }: Said): readonly Item[] =>
  items.map((item, index) =>
    /^declined$/i.test(item.said) &&
    /^(?:is|are|was|were|been|being|got|gets?|(?:was|were)nt)$/i.test(items[index - 1]?.said ?? "")
      ? meaning(item, { kind: "role", role: "rejects" })
      : item,
  );

/** "The profit we make per call": the verb says no second figure. */
const withEarned = (reading: Said): readonly Item[] =>
  reading.items.filter((item, index) => {
    const isOurs = /^we$/i.test(reading.items[index - 1]?.said ?? "");
    const before = reading.items.slice(0, index).findLastIndex(({ kind }) => kind !== "stop");
    const isFigure = senses(reading, before).some(
      (each) =>
        each.kind === "measure" &&
        (/^ma[dk]e$/i.test(item.said) || measureOf(reading.subject, each.name).unit === "money"),
    );
    return !(isOurs && isFigure && earning.test(item.said));
  });
const earning = /^(?:makes?|made|making|earn(?:ed|ing)?|gets?|got|keep|kept|took|take|pay|paid|spen[dt])$/i;

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
    : meaning(item, { kind: "role", role: /^(without|with no)/i.test(item.said) ? "not" : "with" });

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
      // "By people only".
      const isAlone = [-1, 1].some((step) => hasRole(reading, first + step, "only")) && isAmong(reading, first, values);
      if (!isAlone && (run.length < 2 || !(isOfList || isAsked))) continue;
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

const paying = /^(pays?|paid|payed|paying|spends?|spent|spending|owes?|owed|owing)$/i;
const who = /^(who|whom)$/i;

/**
 * Who does it tells what is meant: what a buyer pays is revenue, what we pay is payout; "who pays" asks for the buyer, "who
 * do we pay" and "who costs us" for the publisher. Whoever converts best has the best rate.
 */
function withDoers(reading: Said): readonly Item[] {
  const { items, subject } = reading;
  if (subject.name !== "calls") return items;
  return items.map((item, index) => {
    if (paying.test(item.said) && paysUs(reading, index)) return toMeasure(item, subject, "revenue");
    if (who.test(item.said)) return withParty(item, partyAt(reading, index), subject);
    return isOfQuality(reading, index) || isRate(items, index) ? toMeasure(item, subject, "conversion_rate") : item;
  });
}

/** "Conversion by publisher" is how well calls convert; "conversions" and "a conversion" are such calls. */
const isRate = (items: readonly Item[], index: number): boolean =>
  /^conv(ersion)?$/i.test(items[index]?.said ?? "") &&
  !/^(per|an?|each|every|one|of|number|how many|count|total|first|last|single|with|without|no)\b/i.test(
    items[index - 1]?.said ?? "",
  );

/** "Which buyer pays", "who pays", "Acme paid", "buyers that have spent". */
function paysUs(reading: Said, index: number): boolean {
  const isWho = who.test(reading.items[index - 1]?.said ?? "");
  let at = index - 1;
  while (at > 0 && leading.test(reading.items[at]?.said ?? "")) at--;
  const isTheirs =
    /^(they|he|she)$/i.test(reading.items[index - 1]?.said ?? "") &&
    reading.items.slice(0, index).some((_, each) => isBuyer(reading, each));
  return isTheirs || isBuyer(reading, at) || (isWho && !isGroup(reading, at)) || isSpentByBuyers(reading, index);
}

/** "Spend by buyer", "calls and spend for Acme": what buyers spend; what we spend by buyer is payout. */
const isSpentByBuyers = (reading: Said, index: number): boolean =>
  !/^(we|i|our|my|media|ad|traffic)$/i.test(reading.items[index - 1]?.said ?? "") &&
  /^spen[dt]$/i.test(reading.items[index]?.said ?? "") &&
  reading.items.some((_, at) => isBuyer(reading, at)) &&
  !reading.items.some((_, at) => isOf(reading, at, "publisher"));

const leading =
  /^(that|which|who|whose|by|have|has|had|did|do|does|already|not|never|(did|do|does|has|have|had)nt|(that|which|who) (have|has|had))$/i;
const isGroup = (reading: Said, at: number): boolean => senses(reading, at).some(({ kind }) => kind === "dimension");
const isOf = (reading: Said, at: number, ...names: readonly string[]): boolean =>
  senses(reading, at).some((each) => (each.kind === "dimension" || each.kind === "value") && names.includes(each.name));
const isBuyer = (reading: Said, at: number): boolean => isOf(reading, at, "buyer", "target");

function partyAt({ items }: Said, index: number): string | undefined {
  const rest = items
    .slice(index + 1, index + 4)
    .map(({ said }) => said.toLowerCase())
    .join(" ");
  if (/^(pays?|paid|spends?|spent|owes?)\b/.test(rest)) return "buyer";
  return /^(((do|did|have|are|were) we|we|i) (pay|paid|paying|owe)|(gets?|got|is|was) paid|costs? (us|me|the))\b/.test(
    rest,
  )
    ? "publisher"
    : undefined;
}

const withParty = (item: Item, name: string | undefined, subject: Subject): Item =>
  name === undefined ? item : toAsked(item, subject, name);
const toAsked = (item: Item, { name: subject }: Subject, name: string): Item =>
  meaning(item, { kind: "role", role: "which" }, { kind: "dimension", subject, name });

/** "Converts best", "converts better": the best rate, where "converts the most" counts. */
function isOfQuality(reading: Said, index: number): boolean {
  if (!/^converts?$/i.test(reading.items[index]?.said ?? "")) return false;
  let at = index + 1;
  while (reading.items[at]?.kind === "stop") at++;
  const said = reading.items[at]?.said ?? "";
  return hasRole(reading, at, "top", "bottom", "better") && /^(best|worst|better|worse)( on)?$/i.test(said);
}

/** "Who won the most auctions", "which bidder rejects us the most": who is asked for is a buyer, and what they reject are our requests. */
function withBidders(reading: Said): readonly Item[] {
  const { items, subject } = reading;
  if (subject.name !== "outbound_rtb_requests") return items;
  return items.map((item, index) => {
    if (who.test(item.said)) return toAsked(item, subject, "buyer");
    return hasRole(reading, index, "rejects") && isOfBidder(reading, index)
      ? toMeasure(item, subject, "no_bids")
      : item;
  });
}

/** Behind "we" it is we who reject. */
const isOfBidder = (reading: Said, index: number): boolean => {
  const { items } = reading;
  const before = items.slice(0, index);
  const isOurs = /^(we|i|us|our)$/i.test(before.at(-1)?.said ?? "");
  return !isOurs && before.some((item, at) => who.test(item.said) || isOf(reading, at, "buyer", "rtb"));
};

const toMeasure = (item: Item, { name: subject }: Subject, name: string): Item =>
  meaning(item, { kind: "measure", subject, name });
