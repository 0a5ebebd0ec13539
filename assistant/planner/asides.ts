import { understand } from "./correct-typos.ts";
import { barred } from "./decline/out-of-reach.ts";
import type { Item } from "./link/item.ts";
import { link } from "./link/link.ts";
import type { Linking } from "./link/name-index.ts";
import { messengerOf, openings, readRemark } from "./remarks.ts";
import { toKey, toWords } from "./words/tokenize.ts";

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
  /\b(?:(?:i|we|someone|anyone) (?!have|want|need|mean|said|say|track|count|refer|talk|only|just)[a-z]+|(?:they|he|she) (?:want|wants|need|needs) to\b|(?:they|he|she) (?:said|say|claim|told|suspect|believe|insist|keep|ask|will|would|can|could|should|have|had)|(?:boss|guy|team|finance|billing|legal|ceo|manager)s? (?:is|are|was|were|has|have|had|will|would|keeps?|wants?|needs?|gets?|got|asks?|says?|thinks?|feels?|complains?)|says?|said|asks|asked|(?:is|are|was|were|been|keeps?) asking|wants|feels?|thinks?|looks?|seems?|complains?|complained|quick (?:question|check|look|sanity|one|recap|favou?r|note)|help|sending|hitting|getting)\b|\b(?:urgent|asap)\W*$/iu;
/**
 * The question without a remark before or behind it, where the rest says a figure and over what; undefined where the remark
 * holds a name, a time or a number that the rest lacks, or may be a condition.
 */
export function withoutAside(text: string, linking: Linking): WithoutAside | undefined {
  const cuts = [...text.matchAll(ends)].map(({ index, 0: sign }) => ({ index, to: index + sign.length }));
  for (const { index, to } of cuts) {
    const [first, second] = [text.slice(0, index), text.slice(to)];
    if (isAside(first, second, linking)) return { text: second.replace(/^and /i, ""), aside: first };
    const last = second.replace(/[?.!]+$/u, "");
    if (isAside(last, first, linking) && !condition.test(opening(second))) return { text: first, aside: second };
  }
  return withoutRemark(text, linking);
}

/** The question without what its wording shows to be a remark; what is left may have another one. */
function withoutRemark(text: string, linking: Linking): WithoutAside | undefined {
  const cuts = [ends, ...openings].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ index, 0: sign }) => [text.slice(0, index), text.slice(index + sign.length)]),
  );
  for (const [first = "", second = ""] of cuts) {
    if (isRemark(first, second, linking)) return { text: second, aside: first };
    if (isRemark(second, first, linking)) return { text: first, aside: second };
  }
  const messenger = messengerOf(text);
  return messenger === undefined ? undefined : { text: text.slice(messenger.length), aside: messenger };
}

function isRemark(part: string, rest: string, linking: Linking): boolean {
  const remark = readRemark(part);
  if (remark === undefined || understandPart(part, linking).refusal !== undefined) return false;
  const asked = understandPart(rest, linking).items;
  // A campaign may be called "Finance", whatever that would be in a remark.
  const named = link(toWords(part), linking).filter(isWholeName);
  if (!isWhole(asked) || narrowsBy([...named, ...understandPart(remark.rest, linking).items], asked)) return false;
  // A slip in a remark is none: "radio" is no "ratio" there.
  return link(toWords(remark.rest), linking).every((item) => isIdle(item, asked, remark.mayNameFigures));
}

/** "Push" is a verb, though there may be a webhook "CRM push". */
const isWholeName = (item: Item): boolean =>
  item.kind === "meanings" &&
  item.meanings.some((each) => each.kind === "value" && toKey(each.value) === toKey(item.said));

/** Tells if a word of a remark asks for nothing: it is unknown, or only joins; a trend is shown by any series. */
function isIdle(item: Item, asked: readonly Item[], mayBeFigure: boolean): boolean {
  if (item.kind !== "meanings") return item.kind === "stop" || item.kind === "unknown";
  const isSeries = asked.some((each) => each.kind === "meanings" && each.meanings.some(({ kind }) => kind === "grain"));
  const isFigure = mayBeFigure && item.meanings.every(({ kind }) => figures.has(kind));
  return (
    isFigure ||
    item.meanings.every(
      (each) => each.kind === "role" && (idleRoles.has(each.role) || (isSeries && each.role === "trend")),
    )
  );
}
const figures: ReadonlySet<string> = new Set(["measure", "subject", "quantity", "dimension", "role"]);
const idleRoles: ReadonlySet<string> = new Set(["of", "verb", "better"]);

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
    toWords(item.said).every(({ stem }) => said.has(stem)) || namesOf(item).some((name) => named.has(name));
  return before.some(
    (item) =>
      !people.test(item.said) && !isSaid(item) && (narrows(item) || groupsOf(item).some((name) => !grouped.has(name))),
  );
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
  return meant(before)
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
  /[\s,;–-]+(?:please and thank you|(?:(?:many |much )?thanks|thank you|thx|cheers|ty|tia|ta|(?:much )?appreciated|appreciate it)(?: so much| a lot| kindly| very much| in advance)?|would be (?:really |very |so )?(?:nice|great|good|perfect|lovely|helpful|ideal|handy|appreciated)|(?:could|can|would|will) you(?: please)?(?: help(?: me)?(?: out)?)?|actually|(?:if (?:i|you|it|that|this)|you(?:['’]d| would)|that(?:['’]d| would)|thanks|thank you|no (?:hurry|rush))\b[^,?;:]*)[\s.!?]*$/iu;

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
