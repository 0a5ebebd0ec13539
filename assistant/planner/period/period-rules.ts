import type { RunningGrain } from "../../plan.ts";
import { parseNumber } from "../words/numbers.ts";
import {
  addUnits,
  dateOf,
  dayMs,
  isoDate,
  type Local,
  startOf,
  startOfWeekNumber,
  weekdayOf,
  yearOf,
} from "./calendar.ts";
import { findDay, parseDate, parseMonth, parseWeekday, parseYear, type Span } from "./date.ts";
import { isNamed, readPart } from "./period-parts.ts";

/** How many words were read, and the span in wall-clock time that they name; `instants` are for rolling hours. */
export interface Found {
  readonly words: number;
  readonly span?: Span;
  readonly rolling?: { readonly ms: number; readonly label: string };
  readonly always?: true;
}
export type Rule = (words: readonly string[], now: Local) => Found | undefined;

const units: Readonly<Record<string, RunningGrain>> = {
  hour: "hour",
  day: "day",
  week: "week",
  month: "month",
  quarter: "quarter",
  year: "year",
  hr: "hour",
  hours: "hour",
  days: "day",
  weeks: "week",
  months: "month",
  quarters: "quarter",
  years: "year",
  hrs: "hour",
};
const unitOf = (word: string | undefined): RunningGrain | undefined => (word === undefined ? undefined : units[word]);
const isLast = (word: string | undefined) =>
  ["last", "previous", "prior", "past", "trailing", "preceding"].includes(word ?? "");
const plural = (count: number, unit: string) => (count === 1 ? unit : `${count} ${unit}s`);

/** From the start of the current unit until now. */
const current = (unit: RunningGrain, now: Local, label: string): Span => ({ from: startOf(unit, now), to: now, label });

/** The full units before the current one. */
function before(unit: RunningGrain, count: number, now: Local): Span {
  const to = startOf(unit, now);
  return { from: addUnits(unit, to, -count), to, label: `last ${plural(count, unit)}` };
}

const fixed: Readonly<Record<string, (now: Local) => Span>> = {
  today: (now) => current("day", now, "today"),
  "so far today": (now) => current("day", now, "today"),
  yesterday: (now) => ({ ...before("day", 1, now), label: "yesterday" }),
  "day before yesterday": (now) => one("day", addUnits("day", startOf("day", now), -2), "the day before yesterday"),
  fortnight: (now) => before("week", 2, now),
  "last fortnight": (now) => before("week", 2, now),
  "past fortnight": (now) => before("week", 2, now),
  wtd: (now) => current("week", now, "week to date"),
  mtd: (now) => current("month", now, "month to date"),
  qtd: (now) => current("quarter", now, "quarter to date"),
  ytd: (now) => current("year", now, "year to date"),
  "last weekend": (now) => weekend(now),
};

const fixedPhrase: Rule = (words, now) => {
  for (const [phrase, make] of Object.entries(fixed)) {
    const length = phrase.split(" ").length;
    if (words.slice(0, length).join(" ") === phrase) return { words: length, span: make(now) };
  }
  return undefined;
};

const always: Rule = (words) => {
  const phrases = ["all time", "ever", "of all time", "all data", "since the beginning", "overall"];
  const phrase = phrases.find((each) => words.slice(0, each.split(" ").length).join(" ") === each);
  const length = phrase?.split(" ").length ?? 0;
  // "since the beginning of the year" has a start.
  return phrase === undefined || (phrase.endsWith("beginning") && words[length] === "of")
    ? undefined
    : { words: length, always: true };
};

export function one(unit: RunningGrain, from: Local, label: string): Span {
  return { from, to: addUnits(unit, from, 1), label };
}

function weekend(now: Local): Span {
  const monday = startOf("week", now);
  return { from: monday - 2 * dayMs, to: monday, label: "last weekend" };
}

/** "this month", "month to date", "the current quarter". */
const thisUnit: Rule = ([first, second, third], now) => {
  if (first === "this" || first === "current") {
    const unit = unitOf(second);
    if (unit !== undefined) return { words: 2, span: current(unit, now, `this ${unit}`) };
  }
  const unit = unitOf(first);
  if (unit !== undefined && second === "to" && third === "date") {
    return { words: 3, span: current(unit, now, `${unit} to date`) };
  }
  return undefined;
};

/** "last month", "last full month", "previous 3 weeks", "trailing twelve months", "last 24 hours". */
const lastUnits: Rule = (words, now) => {
  let at = 0;
  if (!isLast(words[at++])) return undefined;
  if (["full", "complete", "calendar"].includes(words[at] ?? "")) at++;
  if (words[at] === "a" && words[at + 1] === "couple") at++;
  const short = /^(\d{1,4})(d|w|m|h|q|y)$/.exec(words[at] ?? "");
  const number = short === null ? parseNumber(words[at] ?? "") : Number(short[1]);
  if (number !== undefined) at++;
  if (short !== null) return lastOf(shortUnits[short[2] ?? ""] ?? "day", { count: number ?? 1, words: at, now });
  if (words[at] === "of" || ["full", "complete", "calendar"].includes(words[at] ?? "")) at++;
  const count = number ?? 1;
  if (words[at] === "minute" || words[at] === "minutes") {
    return { words: at + 1, rolling: { ms: count * 60_000, label: `last ${plural(count, "minute")}` } };
  }
  const unit = unitOf(words[at]);
  return unit === undefined ? undefined : lastOf(unit, { count, words: at + 1, now });
};

const shortUnits: Readonly<Record<string, RunningGrain>> = {
  h: "hour",
  d: "day",
  w: "week",
  m: "month",
  q: "quarter",
  y: "year",
};

function lastOf(
  unit: RunningGrain,
  { count, words, now }: { readonly count: number; readonly words: number; readonly now: Local },
): Found | undefined {
  if (!Number.isInteger(count) || count < 1 || count > 10_000) return undefined;
  if (unit === "hour") return { words, rolling: { ms: count * 3_600_000, label: `last ${plural(count, "hour")}` } };
  return { words, span: before(unit, count, now) };
}

/** "3 days ago", "two weeks ago": that whole unit. */
const ago: Rule = ([first, second, third], now) => {
  const count = first === "a" ? 1 : parseNumber(first ?? "");
  const unit = unitOf(second);
  if (count === undefined || unit === undefined || unit === "hour" || third !== "ago") return undefined;
  return { words: 3, span: one(unit, addUnits(unit, startOf(unit, now), -count), `${plural(count, unit)} ago`) };
};

/** "Q3", "Q3 2025", "third quarter of 2025", "H1 2026", "week 42", "week 42 of 2025". */
const numbered: Rule = (words, now) => {
  const short = /^([qh])([1-4])$/.exec(words[0] ?? "");
  const ordinal = ["first", "second", "third", "fourth"].indexOf(words[0] ?? "");
  const long = ordinal >= 0 && words[1] === "quarter";
  const week = words[0] === "week" ? Number(/^\d{1,2}$/.exec(words[1] ?? "")?.[0]) : Number.NaN;
  let at = short !== null ? 1 : 2;
  if (short === null && !long && !(week >= 1 && week <= 53)) return undefined;
  if (short?.[1] === "h" && Number(short[2]) > 2) return undefined;
  const of = words[at] === "of" || words[at] === "in" ? at + 1 : at;
  const said = parseYear(words[of]) ?? lastYear(words, of, now);
  if (said !== undefined) at = of + (parseYear(words[of]) === undefined ? 2 : 1);
  const make = (year: number): Span => {
    if (short === null && !long) return one("week", startOfWeekNumber(year, week), `week ${week} of ${year}`);
    const months = short?.[1] === "h" ? 6 : 3;
    const number = long ? ordinal + 1 : Number(short?.[2]);
    const from = dateOf(year, (number - 1) * months + 1);
    return { from, to: addUnits("month", from, months), label: `${months === 6 ? "H" : "Q"}${number} ${year}` };
  };
  return { words: at, span: recent(make, said, now) };
};

const lastYear = (words: readonly string[], at: number, now: Local): number | undefined => {
  if (words[at + 1] !== "year") return undefined;
  if (isLast(words[at])) return yearOf(now) - 1;
  return words[at] === "this" ? yearOf(now) : undefined;
};

/** The given year's, else the most recent one that has begun. */
function recent(make: (year: number) => Span, said: number | undefined, now: Local): Span {
  if (said !== undefined) return make(said);
  const thisYear = make(yearOf(now));
  return thisYear.from < now ? thisYear : make(yearOf(now) - 1);
}

/** "October", "last October", "October 2025", "October last year". */
const monthName: Rule = (words, now) => {
  const at = isLast(words[0]) || words[0] === "this" ? 1 : 0;
  const month = parseMonth(words[at]);
  if (month === undefined) return undefined;
  const of = words[at + 1] === "of" ? at + 2 : at + 1;
  const relative = lastYear(words, of, now);
  const said = parseYear(words[of]) ?? relative;
  const make = (year: number) => one("month", dateOf(year, month.number), `${month.name} ${year}`);
  let span = recent(make, said, now);
  // "last November", said in November, is not the running one.
  if (isLast(words[0]) && said === undefined && span.to > now) span = make(yearOf(span.from) - 1);
  const read = said === undefined ? at + 1 : of + (relative === undefined ? 1 : 2);
  return { words: read, span };
};

/** "Monday": the most recent one, today included; "last Monday": before today. */
const weekdayName: Rule = (words, now) => {
  const at = isLast(words[0]) || words[0] === "this" ? 1 : 0;
  const weekday = parseWeekday(words[at], at === 1);
  if (weekday === undefined) return undefined;
  const today = startOf("day", now);
  const back = (weekdayOf(now) - weekday.number + 7) % 7;
  const days = back === 0 && isLast(words[0]) ? 7 : back;
  const from = today - days * dayMs;
  return { words: at + 1, span: one("day", from, `${weekday.name} ${isoDate(from)}`) };
};

const date: Rule = (words, now) => {
  const found = parseDate(words);
  if (found === undefined) return undefined;
  const from = findDay(found, now);
  return from === undefined ? undefined : { words: found.words, span: one("day", from, isoDate(from)) };
};

/** "Week of October 5": the one that holds the day; "week starting …", "week ending …": seven days. */
const weekOf: Rule = ([first, second, ...rest], now) => {
  const starts = ["starting", "beginning", "commencing", "from"].includes(second ?? "");
  if (first !== "week" || !(second === "of" || second === "ending" || starts)) return undefined;
  const skip = rest[0] === "the" ? 1 : 0;
  const words = rest.slice(skip);
  const found = date(words, now) ?? weekdayName(words, now) ?? fixedPhrase(words, now);
  const span = found?.span;
  if (found === undefined || span === undefined || addUnits("day", span.from, 1) !== span.to) return undefined;
  const from = starts ? span.from : second === "of" ? startOf("week", span.from) : addUnits("day", span.from, -6);
  return {
    words: found.words + skip + 2,
    span: { from, to: addUnits("day", from, 7), label: `week of ${isoDate(from)}` },
  };
};

const year: Rule = (words) => {
  const said = parseYear(words[0]);
  return said === undefined ? undefined : { words: 1, span: one("year", dateOf(said, 1), String(said)) };
};

/** "The first week of October", "the second half of 2025". */
const partOf: Rule = (words, now) => {
  const part = readPart(words);
  if (part === undefined || !isNamed(words.slice(part.words))) return undefined;
  const rest = words.slice(part.words);
  const whole = wholeOf(rest, now);
  const span = whole?.span === undefined ? undefined : part.cut(whole.span);
  return whole === undefined || span === undefined ? undefined : { words: part.words + whole.words, span };
};

/** "This month" as a whole, to be cut. */
function wholeOf(words: readonly string[], now: Local): Found | undefined {
  const found = readSimple(words, now);
  const unit = unitOf(/^this (\w+)$/.exec(found?.span?.label ?? "")?.[1]);
  if (found?.span === undefined || unit === undefined) return found;
  return { ...found, span: { ...found.span, to: addUnits(unit, found.span.from, 1) } };
}

/** "The week before last". */
const beforeLast: Rule = ([first, second, third], now) => {
  const unit = unitOf(first);
  if (unit === undefined || unit === "hour" || second !== "before" || third !== "last") return undefined;
  return { words: 3, span: one(unit, addUnits(unit, startOf(unit, now), -2), `the ${unit} before last`) };
};

/** Longer readings first: a date before its month, a month with its year before a bare year. */
const simple: readonly Rule[] = [
  partOf,
  beforeLast,
  always,
  fixedPhrase,
  ago,
  thisUnit,
  lastUnits,
  numbered,
  weekOf,
  date,
  monthName,
  weekdayName,
  year,
];

export function readSimple(words: readonly string[], now: Local): Found | undefined {
  const skip = words[0] === "the" ? 1 : 0;
  for (const rule of simple) {
    const found = rule(words.slice(skip), now);
    if (found !== undefined) return { ...found, words: found.words + skip };
  }
  return undefined;
}
