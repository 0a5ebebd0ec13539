import { measureOf } from "../../catalog/catalog.ts";
import type { Subject } from "../../catalog/field.ts";
import { hasRole, type Item, isPlural, meaning, type Said, senses } from "./item.ts";

/** The dimensions of who answers each kind of records. */
const agents: Readonly<Record<string, readonly string[]>> = {
  calls: ["target", "buyer"],
  outgoing_webhook_requests: ["host"],
  inbound_rtb_requests: ["endpoint"],
  outbound_rtb_requests: ["buyer", "rtb"],
};

/** "Refused by the receiver", "answered by the target": who does it is no group, and what "refused" says already. */
export const withAgents = (reading: Said): readonly Item[] =>
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
  return isSaid && isTold && isOne && /ed( \w+)?$/i.test(items[at - 1]?.said ?? "");
}

/** "Were declined", "we declined" is done to them, where "have declined" is a change. */
export const withPassives = ({ items }: Said): readonly Item[] =>
  items.map((item, index) => {
    const before = items.slice(Math.max(0, index - 2), index).map(({ said }) => said);
    return /^declined$/i.test(item.said) && passive.test(before.join(" "))
      ? meaning(item, { kind: "role", role: "rejects" })
      : item;
  });
const passive = /\b(?:(?:is|are|was|were|been|being|got|gets?|(?:was|were)nt)|(?:we|i)(?: have| had)?)$/i;

/** "The profit we make per call": the verb says no second figure. */
export const withEarned = (reading: Said): readonly Item[] =>
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

const paying = /^(pays?|paid|payed|paying|spends?|spent|spending|owes?|owed|owing)$/i;
const who = /^(who|whom)$/i;

/**
 * Who does it tells what is meant: what a buyer pays is revenue, what we pay is payout; "who pays" asks for the buyer, "who
 * do we pay" and "who costs us" for the publisher. Whoever converts best has the best rate.
 */
export function withDoers(reading: Said): readonly Item[] {
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
  /^(that|which|who|whose|by|have|has|had|are|is|were|was|did|do|does|already|not|never|(did|do|does|has|have|had)nt|(that|which|who) (have|has|had))$/i;
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

/** Whom "who" asks for. */
const parties: Readonly<Record<string, string>> = {
  inbound_rtb_requests: "publisher",
  outbound_rtb_requests: "buyer",
};

/**
 * "Who won the most auctions", "which bidder rejects us the most": who is asked for is a buyer, and what they reject are our
 * requests. Who pings is a publisher.
 */
export function withRtbParties(reading: Said): readonly Item[] {
  const { items, subject } = reading;
  const party = parties[subject.name];
  if (party === undefined) return items;
  return items.map((item, index) => {
    if (who.test(item.said)) return toAsked(item, subject, party);
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
