import { dayMs, isoDate, partHours, partNames, startOf, toLocal } from "../calendar.ts";
import { connected } from "../catalog/calls-counts.ts";
import { findDimension, findFlag, findMeasure, subjectOf } from "../catalog/catalog.ts";
import type { Aggregate } from "../catalog/field.ts";
import type { Item } from "../planner/link/item.ts";
import type { Meaning } from "../planner/link/lexicon.ts";
import type { Linking } from "../planner/link/name-index.ts";
import { tablesIn } from "./catalog-text.ts";
import { type Bears, type Condition, hasFigure, hasNumber, someMeaning } from "./question-words.ts";
import { conditionsIn } from "./sql-conditions.ts";

/** Tells if the text contains the word as a whole word: "ca" is no part of "campaign". */
const hasWord = (text: string, word: string): boolean => {
  const at = text.indexOf(word);
  const isPart = (letter: string | undefined): boolean => letter !== undefined && /[\p{L}\p{N}_]/u.test(letter);
  if (at < 0) return false;
  return (!isPart(text[at - 1]) && !isPart(text[at + word.length])) || hasWord(text.slice(at + 1), word);
};

/** Returns a test for a stretch of the question: true where the SQL has a counterpart among its conditions. */
export function wordsInSql(sql: string, items: readonly Item[], linking: Linking): Bears {
  const bearsPeriods = hasPeriods(sql, items, linking);
  const tests = [sql, ...halvesIn(sql)].map((text) => conditionsBorne(text, items));
  return (item) => (item.kind === "period" ? bearsPeriods : tests.every((bears) => bears(item)));
}

const date = /'\d{4}-\d\d-\d\d[^']*'/g;

/** SELECTs of the same figure over several periods, each of which has to have every condition; else none. */
function halvesIn(sql: string): readonly string[] {
  const selects = [...sql.matchAll(/\(\s*select\b[^()]*(?:\([^()]*\)[^()]*)*\)/gi)].map(([text]) => text);
  const [one, other] = selects.filter((text) => text.search(date) >= 0 && /\swhere\s/i.test(text));
  if (one === undefined || other === undefined) return [];
  const headOf = (text: string): string | undefined => text.split(/\swhere\s/i)[0];
  const datesOf = (text: string): string => (text.match(date) ?? []).join();
  return headOf(one) === headOf(other) && datesOf(one) !== datesOf(other) ? [one, other] : [];
}

function conditionsBorne(sql: string, items: readonly Item[]): Bears {
  const conditions = conditionsIn(sql);
  const { figures } = conditions;
  const grouped = dimensionsSaid(items);
  // A call that is completed was connected.
  const holdsFact = (condition: string): boolean =>
    conditions.holds(condition) || (condition === connected && hasWord(figures, "completed"));
  const holds = (meaning: Condition, word: string): boolean => {
    switch (meaning.kind) {
      case "value":
        return holdsValue(meaning, word);
      case "flag": {
        const flag = findFlag(subjectOf(meaning.subject), meaning.name);
        return flag === undefined || holdsFact(flag.condition);
      }
      case "measure":
        return holdsMeasure(findMeasure(subjectOf(meaning.subject), meaning.name)?.aggregate);
      case "days":
        return /dow|week|dayname|%[aw]/.test(figures);
      default:
        return meaning.parts
          .map((part) => partNames.indexOf(part))
          .some((at) => hasFigure(figures, at * partHours) || hasFigure(figures, (at + 1) * partHours));
    }
  };

  /** Figures of a column leave out its empty rows by themselves, and the highest is among the others. */
  const holdsMeasure = (aggregate: Aggregate | undefined): boolean => {
    if (aggregate?.kind === "ratio") return holdsMeasure(aggregate.part);
    const { kind, where } = aggregate ?? {};
    if (where === undefined || (kind !== "count" && (kind === "highest" || / IS NOT NULL$/.test(where)))) return true;
    return holdsFact(where);
  };

  const holdsValue = ({ subject, name, value }: Extract<Condition, { kind: "value" }>, word: string): boolean => {
    const literals = [value.toLowerCase(), word, word.replace(/xx$/, "00")].map((each) => each.replaceAll("'", "''"));
    const column = findDimension(subjectOf(subject), name)?.column ?? name;
    // Several values of one dimension may be what the rows are grouped by.
    return literals.some((each) => hasWord(figures, each)) || (grouped.has(name) && conditions.groupsBy(column));
  };

  return (item) => {
    if (item.kind === "hour") return hasFigure(figures, item.hour) || hasFigure(figures, item.hour - 1);
    // A window over seven rows has six before the one.
    const inWindow = (value: number): boolean => figures.includes("preceding") && hasFigure(figures, value - 1);
    if (item.kind === "number") return hasNumber(figures, item.value) || inWindow(item.value);
    return someMeaning(item, holds);
  };
}

/** "conve" of "conversion" and "conversions". */
const lettersOfStem = 5;

/** The stretches of a question with their meanings in the tables of the SQL. */
export function itemsFor(sql: string, items: readonly Item[]): readonly Item[] {
  const [tables, text] = [new Set(tablesIn(sql)), sql.toLowerCase()];
  const isOf = (meaning: Meaning): boolean => !("subject" in meaning) || tables.has(meaning.subject);
  return items.map((item) => {
    if (item.kind !== "meanings") return item;
    const meanings = item.meanings.filter(isOf);
    if (meanings.length > 0) return { ...item, meanings };
    // A word of other records may be a part of a name: the webhook "Report conversions".
    return text.includes(item.said.toLowerCase().slice(0, lettersOfStem)) ? { ...item, kind: "stop" } : item;
  });
}

/**
 * True where SQL has the ends of the periods that are said, as dates in UTC or the organization's zone. Several periods
 * are looked for together, as each may be part of a longer one.
 */
function hasPeriods(sql: string, items: readonly Item[], { zone, now }: Linking): boolean {
  const periods = items.flatMap((item) => (item.kind === "period" && item.period !== null ? [item.period] : []));
  if (periods.length === 0) return true;
  const has = (ms: number): boolean => [ms, toLocal(ms, zone)].some((each) => sql.includes(isoDate(each)));
  const isPart = periods.every(({ from, to }) => from === null || has(Date.parse(from)) || has(Date.parse(to)));
  if (periods.length > 1 && !isPart) return false;
  const end = Math.max(...periods.map(({ to }) => Date.parse(to)));
  // The last day may be within; what ends now needs no end.
  const ends = has(end) || has(end - dayMs) || end >= startOf("day", now);
  if (periods.some(({ from }) => from === null)) return ends;
  return ends && has(Math.min(...periods.map(({ from }) => Date.parse(from ?? ""))));
}

/** The dimensions of which the question says several values: they may be what it is grouped by. */
function dimensionsSaid(items: readonly Item[]): ReadonlySet<string> {
  const names = items.flatMap((item) =>
    item.kind === "meanings"
      ? [...new Set(item.meanings.flatMap((each) => (each.kind === "value" ? [each.name] : [])))]
      : [],
  );
  return new Set(names.filter((name, index) => names.indexOf(name) !== index));
}
