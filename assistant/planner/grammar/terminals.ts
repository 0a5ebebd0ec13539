import type { Subject } from "../../catalog/field.ts";
import type { Item } from "../link/item.ts";
import type { Meaning } from "../link/lexicon.ts";
import { likeliest } from "../rules/likeliest.ts";
import { isPlural, senses } from "../rules/reading.ts";
import type { Terminals } from "./chart.ts";
import { functionWords } from "./function-words.ts";
import type { Piece, Word } from "./piece.ts";

/** The words of a question that say something, by the kinds of things that they may be. */
export function terminalsOf(items: readonly Item[], subject: Subject): readonly Terminals[] {
  return items.flatMap((item, index) => (isFunctionWord(item) ? [] : [terminalsAt(items, index, subject)]));
}

/** A word that means nothing by its kind, and is of the list. */
const isFunctionWord = (item: Item): boolean =>
  functionWords.has(item.said.toLowerCase()) &&
  (item.kind === "stop" ||
    (item.kind === "meanings" && item.meanings.every((each) => each.kind === "role" && each.role === "verb")));

function terminalsAt(items: readonly Item[], index: number, subject: Subject): Terminals {
  const found = new Map<string, Piece[]>();
  const add = (kind: string, piece: Piece) => found.set(kind, [...(found.get(kind) ?? []), piece]);
  const item = items[index];
  if (item === undefined) return found;
  const said = item.said.toLowerCase();
  const word: Word = { said, isPlural: isPlural(item) };
  add(`'${said.replace(/['’]s$/, "").replaceAll(" ", "_")}'`, { word });
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
    case "meanings":
      for (const meaning of senses({ items, subject }, index)) {
        // "Changes" of the setup are records.
        const isRecord = meaning.kind === "role" && meaning.role === "change" && found.has("NOUN");
        if (!isRecord) addMeaning(meaning, word, add);
      }
      addWho(senses({ items, subject }, index), word, add);
      addNames(items, index, { subject, word, add });
      break;
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
  const isWho = /^who/.test(word.said ?? "");
  for (const meaning of all) {
    if (meaning.kind !== "dimension") continue;
    const piece = { groups: [meaning.name], word };
    if (isWho) add("WHO", { ...piece, asked: "one" });
    if (isNoun || isWho) add("KIND", piece);
    else add("DIM", piece);
  }
}

/** A name is of the one thing that most likely bears it (`VALUE`), or of the kind that is said beside it (`NAME`). */
function addNames(
  items: readonly Item[],
  index: number,
  { subject, word, add }: { readonly subject: Subject; readonly word: Word; readonly add: Add },
): void {
  const found = senses({ items, subject }, index).flatMap((each) => (each.kind === "value" ? [each] : []));
  const toPiece = (name: string, values: readonly string[]): Piece => ({
    filters: [{ field: name, op: "is", values: [...values] }],
    word,
  });
  for (const name of new Set(found.map((each) => each.name)))
    add("NAME", toPiece(name, [...new Set(found.filter((each) => each.name === name).map(({ value }) => value))]));
  const likely = found.length === 0 ? [] : likeliest({ planBefore: undefined, items }, { index, found });
  const [first, ...others] = likely;
  if (first !== undefined && others.every(({ name, value }) => name === first.name && value === first.value))
    add("VALUE", toPiece(first.name, [first.value]));
}
