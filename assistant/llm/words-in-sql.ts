import { dayMs, isoDate, partHours, partNames, startOf, toLocal } from "../calendar.ts";
import { findDimension, findFlag, findMeasure, subjectOf } from "../catalog/catalog.ts";
import type { Measure } from "../catalog/field.ts";
import type { Item } from "../planner/link/item.ts";
import type { Linking } from "../planner/link/linking.ts";
import { type Bears, type Condition, hasAny, hasFigure, hasNumber, someMeaning } from "./question-words.ts";

/** Words of a condition that SQL has as well, whatever its form: "converted", "status", "won". */
const told = (condition: string): readonly string[] =>
  (condition.toLowerCase().match(/[a-z_]{3,}/g) ?? []).filter((word) => !/^(not|null|and)$/.test(word));

/** "unmat" of "unmatched_requests". */
const lettersOfStem = 5;

/** By itself, in a literal: "ca" is no part of "campaign". */
const hasWord = (text: string, word: string): boolean => {
  const at = text.indexOf(word);
  const isPart = (letter: string | undefined): boolean => letter !== undefined && /[\p{L}\p{N}_]/u.test(letter);
  if (at < 0) return false;
  return (!isPart(text[at - 1]) && !isPart(text[at + word.length])) || hasWord(text.slice(at + 1), word);
};

/** Looks for what a question says in SQL, by its literals and columns. */
export function wordsInSql(sql: string, items: readonly Item[], linking: Linking): Bears {
  const said = sql.toLowerCase();
  /** Without times, whose parts are no figures of their own. */
  const figures = said.replaceAll(/\d{4}-\d\d(-\d\d)?/g, "");
  const grouped = dimensionsSaid(items);
  const holds = (meaning: Condition, word: string): boolean => {
    switch (meaning.kind) {
      case "value":
        return holdsValue(meaning, word);
      case "flag":
        return hasAny(said, told(findFlag(subjectOf(meaning.subject), meaning.name)?.condition ?? meaning.name));
      case "measure":
        return holdsMeasure(findMeasure(subjectOf(meaning.subject), meaning.name));
      case "days":
        return /dow|week|dayname|%[aw]/.test(said);
      default:
        return meaning.parts
          .map((part) => partNames.indexOf(part))
          .some((at) => hasFigure(figures, at * partHours) || hasFigure(figures, (at + 1) * partHours));
    }
  };

  /** A count of records of a condition has it; other figures can be written in many ways. */
  const holdsMeasure = (measure: Measure | undefined): boolean => {
    const { aggregate } = measure ?? {};
    const words = aggregate?.kind === "count" && aggregate.where !== undefined ? told(aggregate.where) : [];
    return words.length === 0 || hasAny(said, [...words, (measure?.name ?? "").slice(0, lettersOfStem)]);
  };

  const holdsValue = ({ subject, name, value }: Extract<Condition, { kind: "value" }>, word: string): boolean => {
    const literals = [value.toLowerCase(), word, word.replace(/xx$/, "00")].map((each) => each.replaceAll("'", "''"));
    const column = grouped.has(name) ? findDimension(subjectOf(subject), name)?.column : undefined;
    return (
      literals.some((each) => hasWord(said, each)) || (column !== undefined && said.includes(column.toLowerCase()))
    );
  };

  const bearsPeriods = hasPeriods(said, items, linking);
  return (item) => {
    if (item.kind === "period") return bearsPeriods;
    if (item.kind === "hour") return hasFigure(figures, item.hour) || hasFigure(figures, item.hour - 1);
    // A window over seven rows has six before the one.
    const inWindow = (value: number): boolean => said.includes("preceding") && hasFigure(figures, value - 1);
    if (item.kind === "number") return hasNumber(figures, item.value) || inWindow(item.value);
    return someMeaning(item, holds);
  };
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
