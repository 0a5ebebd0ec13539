import type { Subject } from "../../catalog/field.ts";
import type { Item } from "./item.ts";
import type { Meaning } from "./lexicon.ts";
import { hasRole, type Said, senses } from "./senses.ts";

const paying = /^(pays?|paid|spends?|spent|owes?|owed|owing)$/i;
const who = /^(who|whom)$/i;

/**
 * Who does it tells what is meant: what a buyer pays is revenue, what we pay is payout; "who pays" asks for the buyer, "who
 * do we pay" and "who costs us" for the publisher. Whoever converts best has the best rate.
 */
export function withDoers(reading: Said): readonly Item[] {
  const { subject } = reading;
  if (subject.name !== "calls") return reading.items;
  const items = reading.items.flatMap((_, index) => apart(reading, index));
  return items.map((item, index) => {
    if (paying.test(item.said) && paysUs({ items, subject }, index)) return toMeasure(item, subject, "revenue");
    if (who.test(item.said)) return withParty(item, partyAt({ items, subject }, index), subject);
    return isOfQuality({ items, subject }, index) || isRate(items, index)
      ? toMeasure(item, subject, "conversion_rate")
      : item;
  });
}

/** "Conversion by publisher" is how well calls convert; "conversions" and "a conversion" are such calls. */
const isRate = (items: readonly Item[], index: number): boolean =>
  /^conv(ersion)?$/i.test(items[index]?.said ?? "") &&
  !/^(per|an?|each|every|one|of|number|how many|count|total|first|last|single|with|without|no)\b/i.test(
    items[index - 1]?.said ?? "",
  );

/** "Which buyer pays": who is asked for, and the figure, where "what buyers pay" is the figure alone. */
function apart({ items, subject }: Said, index: number): readonly Item[] {
  const item = items[index];
  if (item === undefined) return [];
  const [noun, verb] = item.said.split(" ");
  const isAsked = hasRole({ items, subject }, index - 1, "which") && /^buyers? (pays?|paid)$/i.test(item.said);
  if (!isAsked || noun === undefined || verb === undefined) return [item];
  const middle = item.from + 1;
  const buyer: Meaning = { kind: "dimension", subject: subject.name, name: "buyer" };
  return [
    { from: item.from, to: middle, said: noun, kind: "meanings", meanings: [buyer] },
    toMeasure({ ...item, from: middle, said: verb }, subject, "revenue"),
  ];
}

/** "Which buyer pays", "who pays", "Acme paid", "buyers that have spent". */
function paysUs(reading: Said, index: number): boolean {
  let at = index - 1;
  if (who.test(reading.items[at]?.said ?? "") && isBuyer(reading, at - 1)) return true;
  while (
    /^(that|which|who|whose|by|have|has|had|did|do|does|already|(that|which|who) (have|has|had))$/i.test(
      reading.items[at]?.said ?? "",
    ) &&
    at > 0
  )
    at--;
  if (who.test(reading.items[index - 1]?.said ?? "") && at < 0) return true;
  return isBuyer(reading, at) || (who.test(reading.items[index - 1]?.said ?? "") && !isGroup(reading, at));
}

const isGroup = (reading: Said, at: number): boolean => senses(reading, at).some(({ kind }) => kind === "dimension");
const isBuyer = (reading: Said, at: number): boolean =>
  senses(reading, at).some(
    (each) => (each.kind === "dimension" || each.kind === "value") && (each.name === "buyer" || each.name === "target"),
  );

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

function withParty(item: Item, name: string | undefined, { name: subject }: Subject): Item {
  if (name === undefined) return item;
  const { from, to, said } = item;
  const asked: readonly Meaning[] = [
    { kind: "role", role: "which" },
    { kind: "dimension", subject, name },
  ];
  return { from, to, said, kind: "meanings", meanings: asked };
}

/** "Converts best", "converts better": the best rate, where "converts the most" counts. */
function isOfQuality(reading: Said, index: number): boolean {
  if (!/^converts?$/i.test(reading.items[index]?.said ?? "")) return false;
  let at = index + 1;
  while (reading.items[at]?.kind === "stop") at++;
  const said = reading.items[at]?.said ?? "";
  return hasRole(reading, at, "top", "bottom", "better") && /^(best|worst|better|worse)( on)?$/i.test(said);
}

/** "Who won the most auctions", "which bidder rejects us the most": who is asked for is a buyer, and what they reject are our requests. */
export function withBidders(reading: Said): readonly Item[] {
  const { items, subject } = reading;
  if (subject.name !== "outbound_rtb_requests") return items;
  return items.map((item, index) => {
    if (who.test(item.said)) return toAsked(item);
    return hasRole(reading, index, "rejects") && isOfBidder(reading, index)
      ? toMeasure(item, subject, "no_bids")
      : item;
  });
}

function toAsked({ from, to, said }: Item): Item {
  const asked: readonly Meaning[] = [
    { kind: "role", role: "which" },
    { kind: "dimension", subject: "outbound_rtb_requests", name: "buyer" },
  ];
  return { from, to, said, kind: "meanings", meanings: asked };
}

/** Behind "we" it is we who reject. */
const isOfBidder = (reading: Said, index: number): boolean => {
  const { items } = reading;
  const before = items.slice(0, index);
  const isOurs = /^(we|i|us|our)$/i.test(before.at(-1)?.said ?? "");
  return (
    !isOurs &&
    before.some(
      (item, at) =>
        who.test(item.said) ||
        senses(reading, at).some(
          (each) => (each.kind === "dimension" || each.kind === "value") && /^(buyer|rtb)$/.test(each.name),
        ),
    )
  );
};

const toMeasure = ({ from, to, said }: Item, { name: subject }: Subject, name: string): Item => ({
  from,
  to,
  said,
  kind: "meanings",
  meanings: [{ kind: "measure", subject, name }],
});
