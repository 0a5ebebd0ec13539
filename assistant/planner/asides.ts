import { understand } from "./correct-typos.ts";
import { barred } from "./decline/out-of-reach.ts";
import type { Item } from "./link/item.ts";
import type { Linking } from "./link/name-index.ts";
import { toWords, type Word } from "./words/tokenize.ts";

interface WithoutAside {
  readonly text: string;
  /** What was left out, as it was typed. */
  readonly aside: string;
}

/** What may part a remark from a question: "receivers had an outage: …", "…, billing is asking", "… so I can staff the desks". */
const ends =
  /(?:\.{2,}|[?!:;…])\s+|\s[-–—]\s|(?<=\p{L}{3})\.\s+|,\s+|\s(?=so (?:that )?(?:i|we) (?:can|could)\b)|\s(?=because\s(?:i|we|my|our|they|he|she|it|that)\b)/giu;
/** What a remark never begins with or holds: it would be a condition that we do not know. */
const condition =
  /\b(?:not|no|non|without|excluded|ignore|ignoring|skip|skipping|drop|leave|leaving|left|except|excluding|excl|exclude|only|just|minus|net|less|more|than|over|under|above|below|before|after|between|if|unless|when|where|who|which|that|with|by|per|plus|and|or|vs|versus|compared|but|including|from|to|since|until|then|than|how|what)\b/iu;
/** Somebody says, asks or feels something; "is" alone tells of the records, and "we want" which ones. */
const remark =
  /\b(?:(?:i|we|they|he|she|someone|anyone) (?!want|need)[a-z]+|boss|guy|team|finance|billing|legal|ceo|manager|says?|said|asks|asked|asking|wants|feels?|thinks?|looks?|seems?|complains?|complained|urgent|asap|quick|help|sending|hitting|getting|need it for)\b/iu;
/** Says which records are asked about, also in a remark. */
const scope =
  /\b(?:only|just|excluding|exclude|without|ignore|ignoring|except|leave|leaving|skip|drop|focus|care|interested|limit|count|counting|mean|meaning|looking at|talking about)\b/iu;
/** "… because they have been billed", "…, as I would like to send a card": why somebody asks narrows nothing. */
const reason =
  /^(?:because|since|as|so that|so|although|for) (?:(?:i|we|they|he|she|it|that|somebody|someone|my|our|their|his|her|the|there)(?:['’](?:d|m|ve|re|s|ll))?|(?<=because |since )(?!of\b).+ (?:is|are|was|has|have|had|wants?|thinks?|says?|will|would)) /iu;
/** A whole question behind a remark: "Their manager complains, so how many …", "for our review, what share …". */
const question =
  /^(?:so |and |but )?(?:(?:on average,? )?(?:how|what|which|who|where|when|at (?:which|what)|in (?:which|what)|on (?:which|what)|with which|did|do|does|is|are|was|were|could|can|would|will|may|show|give|list|tell|compare|count)\b|please )/iu;

/**
 * The question without a remark before or behind it, where the rest says a figure and over what; undefined where the remark
 * holds a name, a time or a number that the rest lacks, or may be a condition.
 */
export function withoutAside(text: string, linking: Linking): WithoutAside | undefined {
  const cuts = [...text.matchAll(ends)].map(({ index, 0: sign }) => ({ index, to: index + sign.length }));
  for (const { index, to } of cuts) {
    const [first, second] = [text.slice(0, index), text.slice(to)];
    const isWhy = /^because /i.test(first) && tellsWhy(first, linking);
    if (isWhy || isAside(first, second, linking)) return { text: second.replace(/^and /i, ""), aside: first };
    const led = question.test(second) ? withoutLead(first, second, linking) : undefined;
    if (led !== undefined) return { text: led, aside: first };
    const last = second.replace(/[?.!]+$/u, "");
    const [why = "", ...more] = last.split(/(?=,\s)/u);
    if (reason.test(why) && tellsWhy(why, linking)) return { text: `${first}${more.join("")}`, aside: why };
    if (isAside(last, first, linking) && !condition.test(opening(second))) return { text: first, aside: second };
  }
  return undefined;
}

/** "Since October" is no reason; "because they were busy" may say which calls failed. */
function tellsWhy(clause: string, linking: Linking): boolean {
  const { items, refusal } = understandPart(clause, linking);
  const isFact = (item: Item) => item.kind === "meanings" && item.meanings.some(({ kind }) => kind === "flag");
  const isOfClosedList = (item: Item) =>
    namesOf(item).some((name) => /reason|outcome|status|disposition|ended_by/.test(name));
  const isCondition = items.some((item) => isFact(item) || isOfClosedList(item));
  return refusal === undefined && items[0]?.kind !== "period" && !scope.test(clause) && !isCondition;
}

/**
 * The question behind a remark of its own; "they" is whom the remark names. undefined where the remark may say which records
 * are asked about: a name or a time, and the question has none.
 */
function withoutLead(lead: string, behind: string, linking: Linking): string | undefined {
  const text = behind.replace(/^(?:so|but|and) /i, "");
  if (scope.test(lead) || question.test(lead) || /^why\b/i.test(lead)) return undefined;
  const said = understandPart(lead, linking);
  if (said.refusal !== undefined) return undefined;
  const names = said.items.filter((item) => isValue(item) && namesOf(item).length > 0);
  const rest = pointed(text, names);
  // "Outbound pings: how many failed" says what is asked about; behind "so" stands a whole question.
  const isTold = (item: Item) => !isPerson(item) && tells(item) && !(names.includes(item) && rest !== text);
  if (text === behind && (!remark.test(lead) || said.items.some(isTold))) return undefined;
  const asked = understandPart(rest, linking);
  const isTime = ({ kind }: Item) => kind === "period";
  const isNamed = ({ items }: { readonly items: readonly Item[] }) => items.some((item) => namesOf(item).length > 0);
  const isPlaced = names.length === 0 || isNamed(asked);
  const isTimed = !said.items.some(isTime) || asked.items.some(isTime);
  return isPlaced && isTimed && asked.refusal === undefined ? rest : undefined;
}

const ofThem = /\b(?:their|its)\b/i;
const them = /\b(?:they|them|those guys)\b/i;

const eachOf =
  /\b(?:each one|each of (?:them|the (?:two|three))|(?:both|all) of them|(?<=of )(?:the (?:two|three)|both))\b/i;

/** "Acme signed for more, so how many calls did they send": the names stand in the place of the pronoun. */
function pointed(text: string, [name, ...others]: readonly Item[]): string {
  if (name === undefined) return text;
  if (others.length > 0) return text.replace(eachOf, [name, ...others].map(({ said }) => said).join(" vs "));
  return text.replace(ofThem, `${name.said}'s`).replace(them, name.said);
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

/** What one part of what was typed says by itself. */
function understandPart(said: string, linking: Linking) {
  const words = toWords(said);
  const { items } = understand(words, linking);
  return { items, refusal: barred({ words, items }) };
}

/** Whether the first say of which records, over what time, or by what, and the second do not. */
function narrowsBy(before: readonly Item[], after: readonly Item[]): boolean {
  const said = new Set(after.flatMap((item) => toWords(item.said).map(({ stem }) => stem)));
  const named = new Set(after.flatMap(namesOf));
  const grouped = new Set(after.flatMap(groupsOf));
  const isSaid = (item: Item) =>
    toWords(item.said).every(({ stem }) => said.has(stem)) ||
    namesOf(item).some((name) => named.has(name)) ||
    isAkin(item, after);
  return before.some(
    (item) =>
      !people.test(item.said) && !isSaid(item) && (narrows(item) || groupsOf(item).some((name) => !grouped.has(name))),
  );
}

const isPerson = ({ said }: Item): boolean => people.test(said);
const lettersOfStem = 4;

/** "Times out", "dupes": of one stem with the figure behind, "timeout rate", "duplicate rate". */
function isAkin(item: Item, after: readonly Item[]): boolean {
  const isFact = item.kind === "meanings" && item.meanings.some(({ kind }) => kind === "flag" || kind === "measure");
  const figures = after.filter(
    (each) => each.kind === "meanings" && each.meanings.some(({ kind }) => kind === "measure"),
  );
  const words = figures.flatMap(({ said }) => toWords(said).map(({ text }) => text));
  const isOfStem = ({ text }: Word) =>
    text.length >= lettersOfStem && words.some((word) => word.startsWith(text.slice(0, lettersOfStem)));
  return (isFact || namesOf(item).some((name) => name.startsWith("outcome "))) && toWords(item.said).some(isOfStem);
}

const people = /^(?:who|whom|whose|people|users?|callers?|someone|somebody)$/i;

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

const narrows = (item: Item): boolean =>
  item.kind === "period" || item.kind === "number" || item.kind === "hour" || isValue(item);
const isValue = (item: Item): boolean =>
  item.kind === "meanings" &&
  item.meanings.some(({ kind }) => kind === "value" || kind === "days") &&
  !item.meanings.some(({ kind }) => kind === "measure");

/** Whether the second say every figure of the first: "at which hour is the rate lowest? Ignore hours under 30 calls" does not. */
function saysFigures(before: readonly Item[], after: readonly Item[]): boolean {
  const meant = (items: readonly Item[]) => items.map((item) => (item.kind === "meanings" ? item.meanings : []));
  const told = meant(after).flat();
  const records = new Set(
    told.flatMap((each) => (each.kind === "measure" || each.kind === "subject" ? [each.subject] : [])),
  );
  const said = new Set(told.flatMap((each) => (each.kind === "measure" ? [each.name] : [])));
  return meant(before.filter((item) => !isAkin(item, after)))
    .map((all) => all.flatMap((each) => (each.kind === "measure" && records.has(each.subject) ? [each.name] : [])))
    .every((names) => names.length === 0 || names.some((name) => said.has(name)));
}

/** A figure, and over which time or by what. */
function isWhole(items: readonly Item[]): boolean {
  const has = (...kinds: readonly string[]) =>
    items.some((item) => item.kind === "meanings" && item.meanings.some(({ kind }) => kinds.includes(kind)));
  return has("measure", "subject") && (has("dimension", "grain") || items.some(({ kind }) => kind === "period"));
}

const greetings =
  /^(?:(?:good )?(?:morning|afternoon|evening|day)|(?:hi|hello|hey)(?: again)?|(?:thanks|thank you)(?: (?:so|very) much| a lot)?|oh|hmm+|lovely|wonderful|alright|i see|okay|(?:a |one )?(?:quick|small|last|more) (?:one|question|thing|q)|(?:one )?question)(?: (?:there|all|team|everyone|everybody|folks|guys|for you))?(?:[,.!:]+|\s[-–—])\s+(?=\S)/iu;
const asking =
  /^(?:(?:please )?be (?:so (?:kind|good|nice)|a dear) (?:as to|and) |(?:could|can|would|will) you (?:please |kindly |perhaps )?(?:be so (?:kind|good|nice) (?:as to|and) |be able to )|(?:may|might|can|could) i (?:please |just )?ask(?: you)?(?: for| about)? |i(?:['’]d| would) (?:be (?:very |so |really )?(?:grateful|thankful|glad|happy) (?:for|to (?:see|know|have|get)) |love to (?:see|know|have|get) )|i(?:['’]ve| have)? (?:meant|mean),? )/i;
const endings =
  /[\s,;–-]+(?:please and thank you|(?:thanks|thank you|thx|cheers)(?: so much| a lot| kindly| very much| in advance)?|(?:could|can|would|will) you(?: please)?(?: help(?: me)?(?: out)?)?|actually|(?:if (?:i|you|it|that|this)|you(?:['’]d| would)|that(?:['’]d| would)|thanks|thank you|no (?:hurry|rush))\b[^,?;:]*)[\s.!?]*$/iu;

/** The question without greetings before it and courtesies around it. "Morning! How many calls …": that is no part of a day. */
export function withoutManners(text: string, linking: Linking): string {
  const bare = text
    .replace(greetings, "")
    .replace(asking, "")
    .replace(/^(?:would|do) you mind (show|tell|giv)ing /i, (_, verb: string) => (/^tell/i.test(verb) ? "" : "show "));
  const end = endings.exec(bare);
  const isIdle = end !== null && understandPart(end[0], linking).items.every((item) => !narrows(item) && !tells(item));
  const left = isIdle && end !== null ? bare.slice(0, end.index) : bare;
  return left === text || left.trim() === "" ? text : withoutManners(left, linking);
}

/** Records, a figure, a group or a fact. */
const tells = (item: Item): boolean => item.kind === "meanings" && item.meanings.some(({ kind }) => kind !== "role");

const thanks =
  /^(?:(?:ok|okay|great|perfect|nice|cool|got it|awesome)[\s,.!]*)*(?:thanks|thank you|thx|cheers|ty)(?: (?:so much|a lot|very much|you|all))?[\s.!]*$/i;

export const isThanks = (text: string): boolean => thanks.test(text.trim());

const pointing =
  /\b(?:the )?(?:first|second|third|fourth|fifth|last) (?:one|row|entry|bar)\b|\b(?:that|this) (?:one|row|entry|bar)\b/i;

/** "Drill into the first one": a row of the answer before, which a plan does not know. */
export const pointsAtRow = (text: string): boolean => pointing.test(text);
