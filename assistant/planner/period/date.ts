import {
  addUnits,
  dateOf,
  dayMs,
  isoDate,
  type Local,
  monthOf,
  partHours,
  startOf,
  weekdayNames,
  weekdayOf,
  yearOf,
} from "../../calendar.ts";
import { parseDayOfMonth, places } from "../words/tokenize.ts";
import { holiday } from "./holidays.ts";
import { firstOf, last, one, phrase, type Rule, type Span } from "./phrase.ts";

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

/** "October first"; "in October second best" is a place. */
export function dayInWords(said = "", behind = ""): number | undefined {
  const day = places.indexOf(said) + 1;
  return day === 0 || /^(best|worst|top|most|least|half|week|\w+est)$/.test(behind) ? undefined : day;
}

/** "2026-10-05", "10/05/2026" (month first, unless that cannot be), "Oct 5", "October 5th 2025", "5 Oct", "5th of October". */
export function parseDate(words: readonly string[]): FoundDate | undefined {
  const [first = "", second, third] = words;
  // "November the 17th".
  if (second === "the" && /^\d+(?:st|nd|rd|th)$/.test(third ?? "") && !counted.test(words[3] ?? "")) {
    const found = parseDate(words.toSpliced(1, 1));
    return found && { ...found, words: found.words + 1 };
  }
  const iso = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})$/.exec(first);
  if (iso !== null) return { words: 1, year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) };
  const slashed = /^(\d{1,2})[-/](\d{1,2})(?:[-/](\d{2,4}))?$/.exec(first);
  if (slashed !== null) {
    const [a, b] = [Number(slashed[1]), Number(slashed[2])];
    const year = slashed[3] === undefined ? undefined : Number(slashed[3].padStart(4, "20"));
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

export const date: Rule = (words, now) => {
  const found = parseDate(words);
  const from = found && findDay(found, now);
  return found && from !== undefined ? { words: found.words, span: one("day", from, isoDate(from)) } : undefined;
};

/** "Monday": the most recent one, today included; "last Monday": before today. */
export const weekdayName = phrase(`(?:(${last}|this) )?(\\S+)`, ([, led, said], now) => {
  const weekday = parseWeekday(said, led !== undefined);
  if (weekday === undefined) return undefined;
  const back = (weekdayOf(now) - weekday.number + 7) % 7;
  const isEarlier = back === 0 && led !== undefined && led !== "this";
  const from = startOf("day", now) - (isEarlier ? 7 : back) * dayMs;
  return one("day", from, `${weekday.name} ${isoDate(from)}`);
});

/** "The 17th": the most recent one; "the 6th attempt" and "the 90th percentile" are no days. */
export const dayOfMonth: Rule = ([first = "", second = "", ...more], now) => {
  const rest = [second, ...more];
  const day = /^\d{1,2}(st|nd|rd|th)$/.test(first) ? parseDayOfMonth(first) : undefined;
  if (day === undefined || counted.test(second) || percentiles.test(rest.join(" "))) return undefined;
  const behind = /^(?:(?:and|or|vs|versus|through|to|,|) )(?:the )?/.exec(`${rest.join(" ")} `)?.[0] ?? "";
  const next = behind === "" ? undefined : parseDate(rest.slice(behind.trim().split(" ").length));
  const named = next && findDay({ ...next, day }, now);
  // "The 1st and the 15th of October": both are of the month that is said behind.
  if (named !== undefined) return { words: 1, span: one("day", named, isoDate(named)) };
  const months = [0, 1, 2].map((back) => addUnits("month", startOf("month", now), -back));
  const from = months
    .map((month) => month + (day - 1) * dayMs)
    .find((start, index) => start <= now && startOf("month", start) === months[index]);
  return from === undefined ? undefined : { words: 1, span: one("day", from, isoDate(from)) };
};
/** "The 10th, 50th and 90th percentile". */
const percentiles = /^(?:(?:and|or|\d{1,2}(?:st|nd|rd|th)|) )+percentile/;
const counted =
  /^(best|worst|top|bottom|most|least|fewest|\w{3,}est$|attempt|tr(y|ies)|retr|percentile|time|call|hour|day|week|month|quarter|year|place|of$)/;

export const namedDay = phrase("(today)|(yesterday)|day before yesterday", ([said = "", today, yesterday], now) => {
  const start = startOf("day", now);
  if (today !== undefined) return { from: start, to: now, label: said };
  return yesterday === undefined ? one("day", start - 2 * dayMs, `the ${said}`) : one("day", start - dayMs, yesterday);
});

const holidayAlone: Rule = (words, now) => {
  const found = holiday(words, now);
  return found?.span && addUnits("day", found.span.from, 1) >= found.span.to ? found : undefined;
};
/** A single day: "Thanksgiving", "October 5", "Monday", "yesterday". */
export const aDay = firstOf(holidayAlone, date, weekdayName, namedDay);

/** "Tuesday, November 17", "Tue the 17th of November": how many words that is, the day, and whether it is on that weekday. */
export function readDatedWeekday([first, ...rest]: readonly string[], now: Local) {
  const weekday = parseWeekday(first, true);
  const skip = rest.findIndex((word) => word !== "" && word !== "the");
  const { words, span } = (weekday && skip >= 0 && firstOf(date, dayOfMonth)(rest.slice(skip), now)) || {};
  if (weekday === undefined || words === undefined || span === undefined) return undefined;
  return { words: words + skip + 1, span, isSo: weekdayOf(span.from) === weekday.number };
}

export const datedWeekday: Rule = (words, now) => {
  const found = readDatedWeekday(words, now);
  return found?.isSo ? found : undefined;
};

const partMs = partHours * 3_600_000;
/** The parts of a day by where they begin and end; the night goes on until the next morning. */
const dayParts: Readonly<Record<string, readonly [from: number, to: number]>> = {
  morning: [1, 2],
  afternoon: [2, 3],
  evening: [3, 4],
  night: [3, 5],
};

export function partOf(day: Local, part: string, label: string): Span | undefined {
  const [from, to] = dayParts[part] ?? [];
  return from === undefined || to === undefined
    ? undefined
    : { from: day + from * partMs, to: day + to * partMs, label };
}
