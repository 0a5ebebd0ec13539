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
} from "../../calendar.ts";
import { parseDayOfMonth, parseNumber } from "../words/numbers.ts";
import { findDay, parseDate, parseMonth, parseWeekday, parseYear, type Span } from "./date.ts";
import { holiday } from "./holidays.ts";
import { dayPart, isNamed, partOf, readPart } from "./period-parts.ts";

import {
  always,
  type Found,
  fixedPhrase,
  isLast,
  lastUnits,
  one,
  plural,
  type Rule,
  thisUnit,
  unitOf,
} from "./period-units.ts";

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

/** "The 17th": the most recent one; "the 6th attempt" and "the 90th percentile" are no days. */
const dayOfMonth: Rule = ([first = "", second = "", ...more], now) => {
  const rest = [second, ...more];
  const day = /^\d{1,2}(st|nd|rd|th)$/.test(first) ? parseDayOfMonth(first) : undefined;
  if (day === undefined || counted.test(second) || percentiles.test(rest.join(" "))) return undefined;
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

const aDay: Rule = (words, now) => {
  const found =
    holiday(words, now) ?? date(words, now) ?? weekdayName(words, now) ?? fixedPhrase(words.slice(0, 1), now);
  const isDay = found?.span !== undefined && addUnits("day", startOf("day", found.span.from), 1) >= found.span.to;
  return isDay ? found : undefined;
};

/** "Yesterday evening", "Sunday night", which goes on until the next morning. */
const partOfDay: Rule = (words, now) => {
  const found = aDay(words, now);
  const part = words[found?.words ?? 0] ?? "";
  const span = found?.span && partOf(found.span, part, now);
  return found === undefined || span === undefined ? undefined : { words: found.words + 1, span };
};

/** "The day after Thanksgiving". */
const besideDay: Rule = ([first, second, ...rest], now) => {
  const skip = rest[0] === "the" ? 1 : 0;
  const found = first === "day" && /^(after|before)$/.test(second ?? "") ? aDay(rest.slice(skip), now) : undefined;
  if (found?.span === undefined) return undefined;
  const from = addUnits("day", startOf("day", found.span.from), second === "after" ? 1 : -1);
  return { words: found.words + skip + 2, span: one("day", from, `the day ${second} ${found.span.label}`) };
};

const year: Rule = (words) => {
  const said = parseYear(words[0]);
  return said === undefined ? undefined : { words: 1, span: one("year", dateOf(said, 1), String(said)) };
};

/** "The first week of October", "the second half of 2025". */
const partOfPeriod: Rule = (words, now) => {
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

/** "3 weeks before October 15", "the 2 days after the 1st of October": so many days, weeks or months up to, or from, another period. */
const beside: Rule = ([first, second, side, ...rest], now) => {
  const count = parseNumber(first ?? "");
  const unit = unitOf(second);
  if (count === undefined || unit === undefined || unit === "hour" || (side !== "before" && side !== "after"))
    return undefined;
  const skip = rest[0] === "the" ? 1 : 0;
  const { words, span } = date(rest.slice(skip), now) ?? monthName(rest.slice(skip), now) ?? {};
  if (words === undefined || span === undefined || !Number.isInteger(count) || count < 1 || count > 366)
    return undefined;
  const [from, to] =
    side === "before" ? [addUnits(unit, span.from, -count), span.from] : [span.to, addUnits(unit, span.to, count)];
  const label = `the ${plural(count, unit)} ${side} ${span.label}`;
  return { words: words + skip + 3, span: { from, to, label } };
};

/** Longer readings first: a date before its month, a month with its year before a bare year. */
const simple: readonly Rule[] = [
  partOfPeriod,
  beforeLast,
  beside,
  dayPart,
  partOfDay,
  besideDay,
  holiday,
  always,
  fixedPhrase,
  ago,
  thisUnit,
  lastUnits,
  numbered,
  weekOf,
  date,
  dayOfMonth,
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
