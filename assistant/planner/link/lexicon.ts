import { partNames, weekdayNames, workdays } from "../../calendar.ts";
import { catalog, grainWords } from "../../catalog/catalog.ts";
import type { Aggregate, Subject } from "../../catalog/field.ts";
import { states } from "../../catalog/states.ts";
import { statisticWords } from "../../catalog/statistics.ts";
import { phrasesOf } from "../../catalog/wording.ts";
import type { ChartType, Grain, SubjectName } from "../../plan.ts";
import { createWordIndex, type WordIndex } from "../words/nearby.ts";
import { type Role, roleWords, stopWords } from "../words/small-words.ts";
import { shortForms, stem, toKey } from "../words/tokenize.ts";

/** What a phrase can mean. A phrase often means something in several subjects; the whole question decides. */
export type Meaning =
  | { readonly kind: "subject"; readonly subject: SubjectName }
  | { readonly kind: "measure"; readonly subject: SubjectName; readonly name: string }
  | { readonly kind: "dimension"; readonly subject: SubjectName; readonly name: string }
  /** `measure` counts such rows, where the phrase was a noun: "missed calls" against "missed". */
  | {
      readonly kind: "flag";
      readonly subject: SubjectName;
      readonly name: string;
      readonly holds: boolean;
      readonly noun: boolean;
    }
  | { readonly kind: "value"; readonly subject: SubjectName; readonly name: string; readonly value: string }
  /** A number of each row, where no measure is meant: "median revenue". */
  | { readonly kind: "quantity"; readonly subject: SubjectName; readonly name: string }
  | { readonly kind: "statistic"; readonly statistic: string }
  | { readonly kind: "chart"; readonly chart: ChartType }
  | { readonly kind: "grain"; readonly grain: Grain }
  | { readonly kind: "days"; readonly days: readonly string[] }
  /** Parts of every day: "in the morning". */
  | { readonly kind: "parts"; readonly parts: readonly string[] }
  | { readonly kind: "role"; readonly role: Role };

export interface Lexicon {
  readonly meanings: ReadonlyMap<string, readonly Meaning[]>;
  readonly longest: number;
  readonly vocabulary: ReadonlySet<string>;
  /** The vocabulary, to find what a typo may stand for. */
  readonly words: WordIndex;
}

const grainSynonyms: Readonly<Record<Grain, readonly string[]>> = {
  hour: ["hourly", "hour by hour"],
  day: ["daily", "date", "calendar day", "day by day"],
  week: ["weekly", "week by week"],
  month: ["monthly", "month by month", "calendar month"],
  quarter: ["quarterly"],
  year: ["yearly", "annually", "annual"],
  hour_of_day: [
    "hour of the day",
    "time of day",
    "hours of the day",
    "time of the day",
    "what time",
    "(what/which) time of (the)? day",
  ],
  day_of_week: ["day of the week", "weekday", "week day", "days of the week", "dow"],
  kind_of_day: ["weekend or weekday", "kind of day", "type of day", "day type"],
  part_of_day: ["part of the day", "daypart", "day part"],
};

const chartWords: Readonly<Record<ChartType, readonly string[]>> = {
  number: ["big number", "single number"],
  line: ["line chart", "line graph", "as a line", "as line", "line plot"],
  area: ["area chart", "area graph", "stacked area", "as an area"],
  bar: ["bar chart", "bar graph", "column chart", "as bars", "histogram", "bars", "as a bar"],
  heat_map: ["heat map", "heatmap", "as a heat map"],
  scatter: ["scatter plot", "scatter chart", "scatter", "scatterplot"],
  pie: ["pie chart", "pie", "donut", "donut chart", "doughnut", "as a pie"],
  table: ["table (of/with/showing)", "as a table", "in a table", "as table", "table form", "plain table", "tabular"],
};

let made: Lexicon | undefined;

/** Returns the lexicon of the catalog. The first call makes it, which takes about half a second. */
export function catalogLexicon(): Lexicon {
  made ??= createLexicon();
  return made;
}

function createLexicon(): Lexicon {
  const meanings = new Map<string, Meaning[]>();
  const add = (phrase: string, meaning: Meaning) => {
    const key = keyOfPhrase(phrase);
    const known = meanings.get(key) ?? [];
    if (known.some((each) => JSON.stringify(each) === JSON.stringify(meaning))) return;
    meanings.set(key, [...known, meaning]);
  };
  for (const subject of catalog) addSubject(subject, add);
  for (const [grain, word] of Object.entries(grainWords) as [Grain, string][]) {
    for (const phrase of [word, ...grainSynonyms[grain].flatMap(phrasesOf)]) add(phrase, { kind: "grain", grain });
  }
  for (const [role, phrases] of Object.entries(roleWords) as [Role, readonly string[]][]) {
    for (const phrase of phrases) add(phrase, { kind: "role", role });
  }
  for (const [chart, phrases] of Object.entries(chartWords) as [ChartType, readonly string[]][]) {
    for (const phrase of phrases.flatMap(phrasesOf)) add(phrase, { kind: "chart", chart });
  }
  for (const [statistic, phrases] of Object.entries(statisticWords)) {
    for (const phrase of phrases.flatMap(phrasesOf)) add(phrase, { kind: "statistic", statistic });
  }
  for (let level = 1; level < 100; level++)
    add(`p${level}`, { kind: "statistic", statistic: level === 50 ? "median" : `p${level}` });
  add("weekend", { kind: "days", days: weekdayNames.slice(workdays) });
  for (const day of ["business day", "working day", "work day", "workday"])
    add(day, { kind: "days", days: weekdayNames.slice(0, workdays) });
  for (const part of partNames)
    for (const word of [part, `in the ${part}`]) add(word, { kind: "parts", parts: [part] });
  const longest = Math.max(...[...meanings.keys()].map((key) => key.split(" ").length));
  const time =
    "yesterday today month months week quarter year last previous this between january february march april june july august september october november december monday tuesday wednesday thursday friday saturday sunday";
  const vocabulary = new Set([...[...meanings.keys()].flatMap((key) => key.split(" ")), ...time.split(" ")]);
  return { meanings, longest, vocabulary, words: createWordIndex(vocabulary) };
}

/** The key of a phrase of the catalog, nearly all of which have letters alone: `toKey` says the same in twenty times the time. */
const keyOfPhrase = (phrase: string): string =>
  /^[a-z]+(?: [a-z]+)*$/.test(phrase) && !/\ban average\b/.test(phrase)
    ? phrase
        .split(" ")
        .map((word) => stem(shortForms.get(word) ?? word))
        .join(" ")
    : toKey(phrase);

function addSubject(subject: Subject, add: (phrase: string, meaning: Meaning) => void): void {
  const at = subject.name;
  const noun = keyOfPhrase(subject.noun.one);
  for (const word of subject.words) {
    add(word, { kind: "subject", subject: at });
    if (at === "calls") continue;
    add("volume", { kind: "measure", subject: at, name: subject.defaultMeasure });
    for (const phrase of [`${word} volume`, `volume of ${word}`, `${word} count`])
      add(phrase, { kind: "measure", subject: at, name: subject.defaultMeasure });
  }
  for (const measure of subject.measures) {
    // The count of the subject itself is said with its noun, which is decided by the words around it.
    const flag = subject.flags.find((each) => each.measure === measure.name);
    const opposite = subject.flags.find((each) => each.unmeasure === measure.name);
    for (const word of allOf(measure)) {
      if (subject.words.includes(word) || keyOfPhrase(word) === noun) continue;
      add(word, { kind: "measure", subject: at, name: measure.name });
      // "Win %", as columns of tables have it.
      if (measure.unit === "percent" && word.endsWith(" rate"))
        for (const sign of ["%", "percent", "percentage"])
          add(word.replace(/rate$/, sign), { kind: "measure", subject: at, name: measure.name });
      if (flag !== undefined) add(word, { kind: "flag", subject: at, name: flag.name, holds: true, noun: true });
      if (opposite !== undefined)
        add(word, { kind: "flag", subject: at, name: opposite.name, holds: false, noun: true });
    }
  }
  for (const flag of subject.flags) {
    for (const word of allOf(flag)) add(word, { kind: "flag", subject: at, name: flag.name, holds: true, noun: false });
    for (const word of (flag.opposites ?? []).flatMap(phrasesOf))
      add(word, { kind: "flag", subject: at, name: flag.name, holds: false, noun: false });
  }
  const figures = new Set(subject.measures.flatMap(allOf));
  for (const quantity of subject.quantities) {
    for (const word of allOf(quantity)) {
      add(word, { kind: "quantity", subject: at, name: quantity.name });
      if (quantity.unit === "money" && !figures.has(`total ${word}`))
        add(`total ${word}`, { kind: "measure", subject: at, name: `sum_${quantity.name}` });
    }
  }
  for (const dimension of subject.dimensions) {
    // "Different callers": where the catalog has no figure for them.
    if (
      dimension.shape === "phone" &&
      subject.measures.every(({ aggregate }) => !countsOf(aggregate, dimension.column))
    )
      for (const word of allOf(dimension))
        for (const one of ["unique", "distinct", "different"])
          add(`${one} ${word}`, { kind: "measure", subject: at, name: `distinct_${dimension.name}` });
    for (const word of allOf(dimension)) add(word, { kind: "dimension", subject: at, name: dimension.name });
    for (const { value, words } of dimension.values ?? []) {
      for (const word of allOf({ words })) add(word, { kind: "value", subject: at, name: dimension.name, value });
    }
    if (dimension.name !== "state") continue;
    for (const { code, name } of states) add(name, { kind: "value", subject: at, name: "state", value: code });
  }
}

const countsOf = (aggregate: Aggregate, column: string): boolean =>
  aggregate.kind === "distinct" && aggregate.column === column;

/** All that a thing of the catalog is called. */
const allOf = ({ words }: { readonly words: readonly string[] }): readonly string[] => words.flatMap(phrasesOf);

export const isKnownWord = (lexicon: Lexicon, word: { readonly text: string; readonly stem: string }): boolean =>
  lexicon.vocabulary.has(word.stem) || stopWords.has(word.text);
