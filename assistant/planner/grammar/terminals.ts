import { weekdayNames, workdays } from "../../calendar.ts";
import { findQuantity } from "../../catalog/catalog.ts";
import type { Subject } from "../../catalog/field.ts";
import { isRecurring } from "../../plan.ts";
import type { Item } from "../link/item.ts";
import type { Meaning } from "../link/lexicon.ts";
import { likeliest } from "../rules/likeliest.ts";
import { isPlural, senses } from "../rules/reading.ts";
import { functionWords } from "../words/function-words.ts";
import { toKey } from "../words/tokenize.ts";
import type { Terminals } from "./chart.ts";
import type { Piece, Word } from "./piece.ts";

/** The words of a question that say something, by the kinds of things that they may be. */
export const terminalsOf = (items: readonly Item[], subject: Subject, isOpen = false): readonly Terminals[] =>
  itemsThatTell(items).map((item) => terminalsAt(items, items.indexOf(item), { subject, isOpen }));

/** All words, those that change no plan included. */
export const everyTerminalOf = (items: readonly Item[], subject: Subject): readonly Terminals[] =>
  items.map((_, index) => terminalsAt(items, index, { subject, isOpen: false }));

export const itemsThatTell = (items: readonly Item[]): readonly Item[] =>
  items.filter((item, index) => !isFunctionWord(item, items[index + 1]));

/** A word that means nothing by its kind, and is of the list; "a day" is one each. */
const isFunctionWord = (item: Item, next: Item | undefined): boolean =>
  !(/^an?$/i.test(item.said) && isUnit(next)) &&
  functionWords.has(item.said.toLowerCase()) &&
  (item.kind === "stop" ||
    (item.kind === "meanings" && item.meanings.every((each) => each.kind === "role" && each.role === "verb")));

const isUnit = (item: Item | undefined): boolean =>
  item?.kind === "meanings" && item.meanings.some((each) => each.kind === "grain" && !isRecurring(each.grain));

export const wordTerminal = ({ said }: Item): string =>
  `'${said
    .toLowerCase()
    .replace(/['’]s$/, "")
    .replaceAll(" ", "_")}'`;

/** Where names are open, each thing that bears one is another reading. */
interface Reach {
  readonly subject: Subject;
  readonly isOpen: boolean;
}

function terminalsAt(items: readonly Item[], index: number, { subject, isOpen }: Reach): Terminals {
  const found = new Map<string, Piece[]>();
  const add = (kind: string, piece: Piece) => found.set(kind, [...(found.get(kind) ?? []), piece]);
  const item = items[index];
  if (item === undefined) return found;
  const said = item.said.toLowerCase();
  const word: Word = { said, isPlural: isPlural(item) };
  add(wordTerminal(item), { word });
  add("ANY", { word: { said: item.said, ...(item.kind === "number" && { number: item.value }) } });
  switch (item.kind) {
    case "period":
      add("PERIOD", { period: item.period, word });
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
    case "stop":
      // "A day".
      if (/^an?$/.test(said)) add("EACH", { word });
      break;
    case "meanings":
      for (const meaning of withoutTwins(senses({ items, subject }, index), subject)) {
        // "Changes" of the setup are records.
        const isRecord = meaning.kind === "role" && meaning.role === "change" && found.has("NOUN");
        if (!isRecord) addMeaning(meaning, word, add);
      }
      addWho(senses({ items, subject }, index), { word, subject }, add);
      addNames(items, index, { subject, isOpen, word, add });
      break;
    default:
  }
  return found;
}

/** "Came in from Texas": what may belong to the verb. */
const particles = /^(in|on|from|for|to|at)$/;

const daysOf = (days: readonly string[]): Piece => ({
  filters: [{ field: "day_of_week", op: "is", values: [...days] }],
});

/** "409s", "a 422": what a request was answered with. */
function addStatus({ value, unit, said }: Extract<Item, { kind: "number" }>, subject: Subject, add: Add): void {
  const isStatus = unit === null && value >= 200 && value < 600 && /^[2-5]\d\ds?$/.test(said);
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
      if (/^(week|working) ?days?$/.test(word.said ?? "")) add("WEEKDAYS", daysOf(weekdayNames.slice(0, workdays)));
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
      if (meaning.days.length === workdays) add("WEEKDAYS", daysOf(meaning.days));
      break;
    case "parts":
      add("PARTS", { filters: [{ field: "part_of_day", op: "is", values: [...meaning.parts] }] });
      break;
    case "role":
      if (/^(per|each|every|for each|for every|in each)$/.test(word.said ?? "")) add("EACH", { word });
      add(meaning.role.toUpperCase(), { word });
      if (meaning.role === "of" && particles.test(word.said ?? "")) add("PARTICLE", { word });
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
  const isWho = /^who/.test(word.said ?? "");
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

/** A name is of the thing that most likely bears it (`VALUE`; where it is open, of each of several), or of the kind that is said beside it (`NAME`). */
function addNames(
  items: readonly Item[],
  index: number,
  { subject, isOpen, word, add }: Reach & { readonly word: Word; readonly add: Add },
): void {
  const found = senses({ items, subject }, index).flatMap((each) => (each.kind === "value" ? [each] : []));
  const isFigure = senses({ items, subject }, index).some(({ kind }) => kind === "measure");
  const toPiece = (name: string, values: readonly string[]): Piece => ({
    filters: [{ field: name, op: "is", values: [...values] }],
    word,
  });
  for (const name of new Set(found.map((each) => each.name)))
    add("NAME", toPiece(name, [...new Set(found.filter((each) => each.name === name).map(({ value }) => value))]));
  const likely = found.length === 0 ? [] : likeliest({ planBefore: undefined, items }, { index, found });
  const things = new Map(likely.map(({ name, value }) => [`${name} ${value}`, toPiece(name, [value])]));
  if (things.size === 1 || isOpen)
    for (const piece of things.values()) add("VALUE", { ...piece, ...(isFigure && { isFigure: true as const }) });
}
