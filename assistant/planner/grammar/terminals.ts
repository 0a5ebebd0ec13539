import type { Subject } from "../../catalog/field.ts";
import type { Plan } from "../../plan.ts";
import type { Item } from "../link/item.ts";
import type { Meaning } from "../link/lexicon.ts";
import { likeliest } from "../rules/likeliest.ts";
import { isPlural, senses } from "../rules/reading.ts";
import type { Terminals } from "./chart.ts";
import { functionWords } from "./function-words.ts";
import type { Piece, Word } from "./piece.ts";

/** The words of a question that say something, by the kinds of things that they may be; of a follow-up those that point, too. */
export function terminalsOf(items: readonly Item[], subject: Subject, previous?: Plan): readonly Terminals[] {
  const says = (item: Item) => !isFunctionWord(item) || (previous !== undefined && pointing.test(item.said));
  return items.flatMap((item, index) => (says(item) ? [terminalsAt(items, index, { subject, previous })] : []));
}

/** "Show me those", "just the total": they say something of the answer before. */
const pointing = /^(?:those|these|them|they|it|its|theirs?|he|she|him|his|her|ones?|totals?|breakdowns?|split|break)$/i;

/** A word that means nothing by its kind, and is of the list. */
const isFunctionWord = (item: Item): boolean =>
  functionWords.has(item.said.toLowerCase()) &&
  (item.kind === "stop" ||
    (item.kind === "meanings" && item.meanings.every((each) => each.kind === "role" && each.role === "verb")));

/** "Broken down by", of an answer that stays as it is. */
const divides = (meaning: Meaning, said: string): boolean =>
  meaning.kind === "role" && meaning.role === "by" && /split|br[eo]ak|broken|slice|segment|separate/.test(said);

const pointers: readonly (readonly [kind: string, words: RegExp])[] = [
  ["TOTAL", /^total/],
  ["BREAKDOWN", /^breakdown/],
  ["SPLIT", /^(split|break)/],
];

/** "Unpaid calls", "conversions" and "timeouts" name what is counted; a follow-up that does so may be a question of its own. */
function nameFigures(found: Map<string, Piece[]>, { words, dimensions }: Subject): void {
  const isNoun = ({ word }: Piece) => words.some((each) => new RegExp(`\\b${each}s?$`).test(word?.said ?? ""));
  const ofReasons = ({ word }: Piece) =>
    dimensions.some(({ reasonOf }) => reasonOf?.some((each) => each.words?.includes(word?.said ?? "")));
  const mark = (kind: string, names: (piece: Piece) => boolean) => {
    const pieces = found.get(kind);
    if (pieces !== undefined)
      found.set(
        kind,
        pieces.map((piece) => (names(piece) ? { ...piece, noun: true } : piece)),
      );
  };
  mark("FLAG", isNoun);
  mark("FLAGGED", () => true);
  mark("VALUE", () => found.has("MEASURE"));
  mark("DIM", ofReasons);
}

/** A name of what the answer before shows or is limited to is meant as that. */
const isShown = (found: ReadonlyMap<string, readonly Piece[]>, previous: Plan | undefined): boolean =>
  previous !== undefined &&
  [...previous.dimensions, ...previous.filters.map(({ field }) => field)].includes(
    found.get("VALUE")?.[0]?.filters?.[0]?.field ?? "",
  );

interface Around {
  readonly subject: Subject;
  readonly previous?: Plan | undefined;
}

function terminalsAt(items: readonly Item[], index: number, { subject, previous }: Around): Terminals {
  const found = new Map<string, Piece[]>();
  const add = (kind: string, piece: Piece) => found.set(kind, [...(found.get(kind) ?? []), piece]);
  const item = items[index];
  if (item === undefined) return found;
  const said = item.said.toLowerCase();
  const isKind = senses({ items, subject }, index).some(({ kind }) => kind === "dimension");
  const word: Word = { said, isPlural: isPlural(item), ...(isKind && { isKind }) };
  add(`'${said.replace(/['’]s$/, "").replaceAll(" ", "_")}'`, { word });
  if (pointing.test(said)) add(pointers.find(([, words]) => words.test(said))?.[0] ?? "THOSE", { word });
  add("ANY", { word: { said: item.said, ...(item.kind === "number" && { number: item.value }) } });
  switch (item.kind) {
    case "period":
      add("PERIOD", { period: item.period, word });
      break;
    case "number":
      add("NUMBER", { word: { ...word, number: item.value, unit: item.unit } });
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
    case "meanings": {
      const addDivision: Add = (_, piece) => add("DIVIDE", piece);
      for (const meaning of senses({ items, subject }, index)) {
        // "Changes" of the setup are records.
        const isRecord = meaning.kind === "role" && meaning.role === "change" && found.has("NOUN");
        if (!isRecord) addMeaning(meaning, word, previous !== undefined && divides(meaning, said) ? addDivision : add);
      }
      addWho(senses({ items, subject }, index), word, add);
      addNames(items, index, { subject, previous, word, add });
      if (previous !== undefined) nameFigures(found, subject);
      if (isShown(found, previous)) for (const kind of ["FLAG", "FLAGGED", "MEASURE"]) found.delete(kind);
      if (previous !== undefined) addOthers(item.meanings, subject, add);
      break;
    }
    default:
  }
  return found;
}

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
      add("DAYS", { filters: [{ field: "day_of_week", op: "is", values: [...meaning.days] }] });
      break;
    case "parts":
      add("PARTS", { filters: [{ field: "part_of_day", op: "is", values: [...meaning.parts] }] });
      break;
    case "role":
      if (/^(per|each|every|for each|for every|in each)$/.test(word.said ?? "")) add("EACH", { word });
      add(meaning.role.toUpperCase(), { word });
      break;
    default:
  }
}

/** "Who", "who sends": somebody is asked for; "webhooks": what the records are, and what they are of. */
function addWho(all: readonly Meaning[], word: Word, add: Add): void {
  const isNoun = all.some(({ kind }) => kind === "subject");
  const isWho = /^(by )?who/.test(word.said ?? "");
  for (const meaning of all) {
    if (meaning.kind !== "dimension") continue;
    const piece = { groups: [meaning.name], word };
    if (isWho) add("WHO", { ...piece, asked: "one" });
    if (isNoun || isWho) add("KIND", piece);
    else add("DIM", piece);
  }
}

/** "Webhooks", behind an answer about calls: other records. */
function addOthers(meanings: readonly Meaning[], { name }: Subject, add: Add): void {
  const [other, ...more] = meanings.flatMap((each) => (each.kind === "subject" ? [each.subject] : []));
  if (other !== undefined && more.length === 0 && other !== name) add("OTHER", { edit: { subject: other } });
}

/** A name is of the one thing that most likely bears it (`VALUE`), or of the kind that is said beside it (`NAME`). */
function addNames(
  items: readonly Item[],
  index: number,
  { subject, previous, word, add }: Around & { readonly word: Word; readonly add: Add },
): void {
  const found = senses({ items, subject }, index).flatMap((each) => (each.kind === "value" ? [each] : []));
  const toPiece = (name: string, values: readonly string[]): Piece => ({
    filters: [{ field: name, op: "is", values: [...values] }],
    word,
  });
  for (const name of new Set(found.map((each) => each.name)))
    add("NAME", toPiece(name, [...new Set(found.filter((each) => each.name === name).map(({ value }) => value))]));
  const likely = found.length === 0 ? [] : likeliest({ planBefore: previous, items }, { index, found });
  const [first, ...others] = likely;
  if (first !== undefined && others.every(({ name, value }) => name === first.name && value === first.value))
    add("VALUE", toPiece(first.name, [first.value]));
}
