import { weekdayNames, workdays } from "../../calendar.ts";
import { findQuantity, subjectOf } from "../../catalog/catalog.ts";
import type { Subject } from "../../catalog/field.ts";
import { type Filter, isRecurring, type Plan } from "../../plan.ts";
import { areBegun, type Item, isPlural, likeliest, meaningsOf, points, type Said, senses } from "../link/item.ts";
import type { Meaning } from "../link/lexicon.ts";
import { daysIn } from "../period/earlier.ts";
import { functionWords } from "../words/small-words.ts";
import { shortForms, toKey } from "../words/tokenize.ts";
import type { Piece, Word } from "./piece.ts";
import type { Terminals } from "./production.ts";

/** How words are read: where names are open, each thing that bears one is another reading; a follow-up has the plan before. */
interface Reach {
  readonly isOpen?: boolean | undefined;
  readonly previous?: Plan | undefined;
}

/** The words of a question that say something, by the kinds of things that they may be; of a follow-up those that point, too. */
export const terminalsOf = (items: readonly Item[], subject: Subject, reach: Reach = {}): readonly Terminals[] =>
  itemsThatTell(items, subject, reach).map((item, at, told) => {
    const [before = -1, index] = [told[at - 1], item].map((each) => each && items.indexOf(each));
    return withVerb(terminalsAt(items, index ?? 0, { subject, ...reach }), items.slice(before + 1, index));
  });

const relatives = /^(?:that|which|who|where|when)$/i;
const subjects = /^(?:i|we|you|they)$/i;
const finite = /^(?:is|are|was|were|came|comes?|got|gets?|did|does|do|had|has|have|last|lasted|went|goes|go|ended)$/i;

/** "Calls … were from Texas" tells something of them, where "that were from Texas" says which. */
function withVerb(found: Terminals, skipped: readonly Item[]): Terminals {
  const isAny = (words: RegExp) => skipped.some(({ said }) => words.test(said));
  const isRelative = isAny(relatives) || subjects.test(skipped[0]?.said ?? "");
  const kind = isRelative ? "RELATIVE" : isAny(finite) ? "TOLD" : undefined;
  return kind === undefined ? found : new Map([...found, [kind, [{}]]]);
}

/** All words, those that change no plan included. */
export const everyTerminalOf = (items: readonly Item[], subject: Subject): readonly Terminals[] =>
  items.map((_, index) => terminalsAt(items, index, { subject }));

export const itemsThatTell = (items: readonly Item[], subject: Subject, { previous }: Reach = {}): readonly Item[] =>
  withoutLastComma(
    items.filter(
      (item, index) =>
        !isFunctionWord({ items, subject }, index) || (previous !== undefined && pointing.test(item.said)),
    ),
  );

const withoutLastComma = (items: readonly Item[]): readonly Item[] =>
  items.at(-1)?.said === "," ? items.slice(0, -1) : items;

/** "Show me those", "just the total": they say something of the answer before. */
const pointing =
  /^(?:those|these|them|they|it|its|theirs?|he|she|him|his|her|ones?|rows?|anyone|anybody|totals?|breakdowns?|split|break)$/i;

/** A word of the list that means nothing of these records; "a day" is one each. */
function isFunctionWord(said: Said, index: number): boolean {
  const [item, next] = said.items.slice(index);
  if (isFiller(said, index)) return true;
  // What a longer phrase has taken with it.
  if (item?.kind === "stop" && (item.said.includes(" ") || particles.test(item.said))) return true;
  if (item === undefined || !isInert(item.said)) return false;
  if (/^an?$/i.test(item.said) && isUnit(next)) return false;
  if (item.kind === "meanings")
    return senses(said, index).every((each) => each.kind === "role" && each.role === "verb");
  return item.kind === "stop";
}

const isFiller = (said: Said, index: number): boolean => {
  const meant = senses(said, index);
  return meant.length > 0 && meant.every((each) => each.kind === "role" && each.role === "filler");
};

/** "There's", "I'm" and "we've" are as empty as their first half. */
const isInert = (said: string): boolean => {
  const word = said.toLowerCase().replace(/['’](?:s|m|d|ve|re|all)$/, "");
  return functionWords.has(word) || functionWords.has(shortForms.get(word) ?? "");
};

const isUnit = (item: Item | undefined): boolean =>
  meaningsOf(item).some((each) => each.kind === "grain" && !isRecurring(each.grain));

export function wordTerminal({ said }: Item): string {
  const word = said.toLowerCase().replace(/['’]s$/, "");
  return `'${(shortForms.get(word) ?? word).replaceAll(" ", "_")}'`;
}

/** "Broken down by", of an answer that stays as it is. */
const divides = (meaning: Meaning, said: string): boolean =>
  meaning.kind === "role" &&
  meaning.role === "by" &&
  /split|br[eo]ak|broken|slice|segment|separate|divid|roll/.test(said);

const pointers: readonly (readonly [kind: string, words: RegExp])[] = [
  ["TOTAL", /^total/],
  ["BREAKDOWN", /^breakdown/],
  ["SPLIT", /^(split|break)/],
];

const mark = (found: Map<string, Piece[]>, kind: string, marked: (piece: Piece) => Piece): void => {
  const pieces = found.get(kind);
  if (pieces !== undefined) found.set(kind, pieces.map(marked));
};

interface Around extends Reach {
  readonly subject: Subject;
}

function terminalsAt(items: readonly Item[], index: number, { subject, previous, isOpen }: Around): Terminals {
  const found = new Map<string, Piece[]>();
  const add = (kind: string, piece: Piece) => found.set(kind, [...(found.get(kind) ?? []), piece]);
  const item = items[index];
  if (item === undefined) return found;
  const said = item.said.toLowerCase();
  const word: Word = { said, isPlural: isPlural(item) };
  add(wordTerminal(item), { word });
  if (pointing.test(said)) add(pointers.find(([, words]) => words.test(said))?.[0] ?? "THOSE", { word });
  if (/^with$/i.test(item.said) && /^(an?|any|some)$/i.test(items[index + 1]?.said ?? "")) add("WITH_ONE", { word });
  add("ANY", { word: { said: item.said, ...(item.kind === "number" && { number: item.value }) } });
  switch (item.kind) {
    case "period":
      // "And Sunday", behind the Saturdays of a longer time.
      if (!(isOfWeekdays(previous) && weekdayNames.some((name) => name.toLowerCase() === said)))
        add("PERIOD", { period: item.period, word, ...(item.ends && { isRange: true as const }) });
      // "And on Thursday?", behind a figure of one day: another one.
      if (previous === undefined || daysIn(previous.period) > longestDay)
        for (const day of weekdayNames.filter((name) => name.toLowerCase() === said)) add("WEEKDAY", daysOf([day]));
      addDaysPart(said, add);
      if (item.ends !== undefined)
        add("FROM_TO", { period: item.ends[1], versus: { kind: "period", period: item.ends[0] } });
      break;
    case "number":
      add("NUMBER", { word: { ...word, number: item.value, unit: item.unit } });
      addStatus(item, subject, add);
      if (item.unit === null && Number.isInteger(item.value) && item.value > 0 && item.value <= 1000)
        add("COUNT", { word: { number: item.value } });
      break;
    case "hour":
      add("HOUR", { word: { hour: item.hour } });
      break;
    case "place":
      add("PLACE", { word: { number: item.place } });
      break;
    case "stop":
      // "A day".
      if (/^an?$/.test(said)) add("EACH", { word });
      break;
    case "meanings": {
      if (isRequest(items, index)) {
        found.delete(wordTerminal(item));
        add("'show'", { word });
        break;
      }
      if (asksPrice(items, index)) {
        add("MEASURE", { measures: ["payout"], word });
        break;
      }
      const addDivision: Add = (_, piece) => add("DIVIDE", piece);
      const isRecordOrFact = senses({ items, subject }, index).some(
        ({ kind }) => kind === "subject" || kind === "flag",
      );
      for (const meaning of withoutTwins(senses({ items, subject }, index), subject)) {
        // "Changes" of the setup are records, "lost" bids a fact.
        const isOther = meaning.kind === "role" && meaning.role === "change" && isRecordOrFact;
        if (!isOther) addMeaning(meaning, word, previous !== undefined && divides(meaning, said) ? addDivision : add);
      }
      addWho(senses({ items, subject }, index), { word, subject }, add);
      addNames(items, index, { subject, previous, isOpen, word, add });
      // "Billed in October": so much, where no records are named that were.
      if (found.has("MEASURE")) mark(found, "FLAG", (piece) => ({ ...piece, isFigure: true }));
      if (previous !== undefined && points(item))
        mark(found, "MEASURE", (piece) => ({ ...piece, edit: { points: true } }));
      if (previous !== undefined) addOthers(item.meanings, subject, add);
      break;
    }
    default:
  }
  return found;
}

/** "Share the revenue by campaign", where "share of revenue" is a part of it. */
const isRequest = (items: readonly Item[], index: number): boolean =>
  /^share$/i.test(items[index]?.said ?? "") &&
  (index === 0 || /^(please|you)$/i.test(items[index - 1]?.said ?? "")) &&
  !/^(of|by|in|for)\b/i.test(items[index + 1]?.said ?? "of");

/** "What did we pay for them" asks how much, where "calls that we paid for" are some. */
const asksPrice = (items: readonly Item[], index: number): boolean =>
  /^we pa(y|id) for$/i.test(items[index]?.said ?? "") &&
  items
    .slice(Math.max(0, index - 2), index)
    .some(({ said }) => /^(and )?(what|whats|how much)( did| do)?$/i.test(said));

const isOfWeekdays = (previous: Plan | undefined): boolean =>
  previous?.filters.some(({ field, op }) => field === "day_of_week" && op === "is") === true;

const longestDay = 25 / 24;

/** "Came in from Texas": what may belong to the verb. */
const particles = /^(in|on|from|for|to|at|about)$/;
const withRegard = /\b(respect|regards?|reference|terms|comes|regarding|concerning)\b/;

const daysOf = (days: readonly string[], word?: Word): Piece => ({
  ...(word && { word }),
  filters: [{ field: "day_of_week", op: "is", values: [...days] }],
});

/** "Monday morning", in a longer time each of them; a night is of two days. */
function addDaysPart(said: string, add: Add): void {
  const [, day, part] = /^(\w+) (morning|afternoon|evening)$/.exec(said) ?? [];
  const days = daysOf(weekdayNames.filter((name) => name.toLowerCase() === day));
  const ofPart: Filter = { field: "part_of_day", op: "is", values: [part ?? ""] };
  if (days.filters?.[0]?.values.length === 1) add("DAYS_PART", { filters: [...days.filters, ofPart] });
}

/** "409s", "a 422": what a request was answered with. */
function addStatus({ value, unit, said }: Extract<Item, { kind: "number" }>, subject: Subject, add: Add): void {
  // "409s" are no seconds.
  const isStatus =
    (unit === null || (unit === "seconds" && /^\d{3}s$/.test(said))) &&
    value >= 200 &&
    value < 600 &&
    /^[2-5]\d\ds?$/.test(said);
  if (isStatus && findQuantity(subject, "status_code") !== undefined)
    add("STATUS", { filters: [{ field: "status_code", op: "is", values: [value] }] });
}

/** "Abandoned" is a value of a closed list and a fact: one thing. */
const withoutTwins = (all: readonly Meaning[], { dimensions }: Subject): readonly Meaning[] =>
  all.some((each) => each.kind === "value" && dimensions.some(({ name, values }) => name === each.name && values))
    ? all.filter((each) => each.kind !== "flag" || each.noun)
    : all;

type Add = (kind: string, piece: Piece) => void;

function addMeaning(meaning: Meaning, word: Word, add: Add): void {
  switch (meaning.kind) {
    case "subject":
      add("NOUN", { noun: true, word });
      break;
    case "measure":
      add("MEASURE", { measures: [meaning.name], word });
      break;
    case "grain":
      add("GRAIN", { groups: [meaning.grain], word });
      if (/^(week|working) ?days?$/.test(word.said ?? ""))
        add("WEEKDAYS", daysOf(weekdayNames.slice(0, workdays), word));
      break;
    case "flag": {
      const filters = [{ field: meaning.name, op: "is" as const, values: [meaning.holds] }];
      add(meaning.noun ? "FLAGGED" : "FLAG", { filters, word: { ...word, flag: meaning.name } });
      break;
    }
    case "quantity":
      add("QUANTITY", { word: { ...word, quantity: meaning.name } });
      break;
    case "statistic":
      add("STATISTIC", { word: { ...word, statistic: meaning.statistic } });
      break;
    case "chart":
      add("CHART", { chart: meaning.chart });
      break;
    case "days":
      add("DAYS", daysOf(meaning.days));
      if (meaning.days.length === workdays) add("WEEKDAYS", daysOf(meaning.days, word));
      break;
    case "parts":
      add("PARTS", { filters: [{ field: "part_of_day", op: "is", values: [...meaning.parts] }], word });
      break;
    case "role":
      if (/^(per|each|every|for each|for every|in each)$/.test(word.said ?? "")) add("EACH", { word });
      add(meaning.role.toUpperCase(), { word });
      if (meaning.role === "of" && (particles.test(word.said ?? "") || withRegard.test(word.said ?? "")))
        add("PARTICLE", { word });
      break;
    default:
  }
}

/** "Who", "who sends": somebody is asked for; "webhooks": what the records are, and what they are of. */
function addWho(
  all: readonly Meaning[],
  { word, subject }: { readonly word: Word; readonly subject: Subject },
  add: Add,
): void {
  const isNoun = all.some(({ kind }) => kind === "subject");
  const isWho = /^((by|from) )?who/.test(word.said ?? "");
  for (const meaning of all) {
    if (meaning.kind !== "dimension") continue;
    const piece = { groups: [meaning.name], word };
    if (isWho) add("WHO", { ...piece, asked: "one" });
    if (isNoun || isWho) add("KIND", piece);
    else add("DIM", { ...piece, ...reasoned(subject, meaning.name, word) });
  }
}

/** "No bid reasons", "failure reasons": what they are the reasons of is counted. */
function reasoned({ dimensions }: Subject, name: string, { said = "" }: Word): Piece | undefined {
  const { reasonOf = [] } = dimensions.find((each) => each.name === name) ?? {};
  const own = reasonOf.find(({ words }) => words?.some((each) => toKey(each) === toKey(said)));
  const [first] = /reason|class|type|kind|cause|code/.test(said) ? reasonOf : [];
  const measure = own?.measure ?? first?.measure;
  return measure === undefined ? undefined : { counts: { measure, isOwn: own !== undefined } };
}

/** "Webhooks", behind an answer about calls: other records; of "pings" there are several kinds. */
function addOthers(meanings: readonly Meaning[], { name }: Subject, add: Add): void {
  const others = meanings.filter((each) => each.kind === "subject" || each.kind === "measure");
  const kinds = [...new Set(others.map(({ subject }) => subject))];
  const [other, ...more] = others.flatMap((each) => (each.kind === "subject" ? [each.subject] : []));
  if (kinds.length === 0 || kinds.includes(name)) return;
  const options = kinds.map((kind) => `same for ${subjectOf(kind).noun.many}`);
  const asks = { sentence: "Of which records? Please ask it as a whole question.", options };
  add("OTHER", { edit: other !== undefined && more.length === 0 ? { subject: other } : { asks } });
}

/** A name is of the thing that most likely bears it (`VALUE`; where it is open, of each of several), or of the kind that is said beside it (`NAME`). */
function addNames(
  items: readonly Item[],
  index: number,
  { subject, previous, isOpen, word, add }: Around & { readonly word: Word; readonly add: Add },
): void {
  const found = senses({ items, subject }, index).flatMap((each) => (each.kind === "value" ? [each] : []));
  const isFigure = senses({ items, subject }, index).some(({ kind }) => kind === "measure");
  const toPiece = (name: string, values: readonly string[]): Piece => ({
    filters: [{ field: name, op: "is", values: [...values] }],
    word,
  });
  for (const name of new Set(found.map((each) => each.name)))
    add("NAME", toPiece(name, [...new Set(found.filter((each) => each.name === name).map(({ value }) => value))]));
  const likely = found.length === 0 ? [] : likeliest({ planBefore: previous, items }, { index, found });
  const all = areBegun(likely, word.said ?? "") ? [...new Set(likely.map(({ value }) => value))] : undefined;
  const things = new Map(
    likely.map(({ name, value }) => [all ? name : `${name} ${value}`, toPiece(name, all ?? [value])]),
  );
  if (things.size === 1 || isOpen)
    for (const piece of things.values()) add("VALUE", { ...piece, ...(isFigure && { isFigure: true as const }) });
}
