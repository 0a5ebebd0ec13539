import { dateOf, type Local, monthOf, weekdayNames, yearOf } from "../../calendar.ts";
import { parseDayOfMonth } from "../words/tokenize.ts";

const monthNames = "January February March April May June July August September October November December".split(" ");

interface Numbered {
  readonly number: number;
  readonly name: string;
}

/** "sep", "sept", "tues"; short names only where `short`. */
function lookUp(names: readonly string[], word = "", short: boolean): Numbered | undefined {
  const isShort = short && (word.length === 3 || word.length === 4);
  const index = names.findIndex((each) => {
    const name = each.toLowerCase();
    return word === name || (isShort && name.startsWith(word));
  });
  const name = names[index];
  return name === undefined ? undefined : { number: index + 1, name };
}

export const parseMonth = (word: string | undefined): Numbered | undefined => lookUp(monthNames, word, true);
/** Short names ("sun") only where the words around say that a day is meant. */
export const parseWeekday = (word: string | undefined, short: boolean): Numbered | undefined =>
  lookUp(weekdayNames, word, short);

interface FoundDate {
  readonly words: number;
  readonly year: number | undefined;
  readonly month: number;
  readonly day: number;
}

const ordinals = (
  "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth " +
  "sixteenth seventeenth eighteenth nineteenth twentieth"
).split(" ");

/** "October first"; "in October second best" is a place. */
export function dayInWords(said = "", behind = ""): number | undefined {
  const day = ordinals.indexOf(said) + 1;
  return day === 0 || /^(best|worst|top|most|least|half|week|\w+est)$/.test(behind) ? undefined : day;
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
  const said = leading === undefined ? first : second;
  const day = parseDayOfMonth(said) ?? dayInWords(said, leading === undefined ? undefined : third);
  const month = leading ?? trailing;
  if (month === undefined || day === undefined) return undefined;
  const read = leading === undefined && second === "of" ? 3 : 2;
  // "October 1, 2026": the comma stands as an empty word.
  const behind = words[read] === "" ? read + 1 : read;
  const year = /^20\d\d$/.test(words[behind] ?? "") ? Number(words[behind]) : undefined;
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
