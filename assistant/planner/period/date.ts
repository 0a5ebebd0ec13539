import { dateOf, type Local, monthOf, weekdayNames, yearOf } from "../../calendar.ts";
import { parseDayOfMonth } from "../words/numbers.ts";

/** The start of a span that holds everything before its end. */
export const beginning: Local = Number.NEGATIVE_INFINITY;

/** Wall-clock, half-open. */
export interface Span {
  readonly from: Local;
  readonly to: Local;
  readonly label: string;
}

const monthNames = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

interface Numbered {
  readonly number: number;
  readonly name: string;
}

function lookUp(names: readonly string[], word: string | undefined, short: boolean): Numbered | undefined {
  const index = names.findIndex((name) => {
    const lower = name.toLowerCase();
    return (
      word === lower ||
      (short && word !== undefined && (word === lower.slice(0, 3) || (word.length === 4 && lower.startsWith(word))))
    );
  });
  const name = names[index];
  return name === undefined ? undefined : { number: index + 1, name };
}

export const parseMonth = (word: string | undefined): Numbered | undefined => lookUp(monthNames, word, true);
/** Short names ("sun") only where the words around say that a day is meant. */
export const parseWeekday = (word: string | undefined, short: boolean): Numbered | undefined =>
  lookUp(weekdayNames, word, short);

export function parseYear(word: string | undefined): number | undefined {
  return word !== undefined && /^20\d\d$/.test(word) ? Number(word) : undefined;
}

export interface FoundDate {
  readonly words: number;
  readonly year: number | undefined;
  readonly month: number;
  readonly day: number;
}

/** "2026-10-05", "10/05/2026" (month first, unless that cannot be), "Oct 5", "October 5th 2025", "5 Oct", "5th of October". */
export function parseDate(words: readonly string[]): FoundDate | undefined {
  const [first = "", second, third] = words;
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(first);
  if (iso !== null) return { words: 1, year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) };
  const slashed = /^(\d{1,2})\/(\d{1,2})(?:\/(\d{4}))?$/.exec(first);
  if (slashed !== null) {
    const [a, b] = [Number(slashed[1]), Number(slashed[2])];
    const year = slashed[3] === undefined ? undefined : Number(slashed[3]);
    return a > 12 ? { words: 1, year, month: b, day: a } : { words: 1, year, month: a, day: b };
  }
  const leading = parseMonth(first);
  const trailing = parseMonth(second === "of" ? third : second);
  const day = parseDayOfMonth(leading === undefined ? first : second);
  const month = leading ?? trailing;
  if (month === undefined || day === undefined) return undefined;
  const read = leading === undefined && second === "of" ? 3 : 2;
  // "October 1, 2026": the comma stands as an empty word.
  const behind = words[read] === "" ? read + 1 : read;
  const year = parseYear(words[behind]);
  return { words: year === undefined ? read : behind + 1, year, month: month.number, day };
}

/** The date's midnight; without a year the most recent one. undefined: no such date. */
export function findDay({ year, month, day }: Omit<FoundDate, "words">, now: Local): Local | undefined {
  const of = (inYear: number): Local | undefined => {
    const found = dateOf(inYear, month, day);
    return monthOf(found) === month && month >= 1 ? found : undefined;
  };
  if (year !== undefined) return of(year);
  const thisYear = of(yearOf(now));
  return thisYear !== undefined && thisYear > now ? of(yearOf(now) - 1) : thisYear;
}
