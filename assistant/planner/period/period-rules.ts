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
import { type RunningGrain, runningGrains } from "../../plan.ts";
import { parseDayOfMonth, parseNumber } from "../words/tokenize.ts";
import {
  type Found,
  findDay,
  isLast,
  one,
  parseDate,
  parseMonth,
  parseWeekday,
  parseYear,
  plural,
  type Rule,
  type Span,
  unitOf,
  unitOfDays,
  yearBehind,
} from "./date.ts";
import { holiday } from "./holidays.ts";
import { isNamed, partOf, readPart } from "./period-parts.ts";

type Made = Span | Omit<Found, "words"> | undefined;
/** No such phrase is longer; the words behind it are not looked at. */
const mostWords = 8;

/** What is said in the words of one pattern. */
function phrase(pattern: string, make: (said: readonly (string | undefined)[], now: Local) => Made): Rule {
  const whole = new RegExp(`^(?:${pattern})(?= |$)`);
  return (words, now) => {
    const said = whole.exec(words.slice(0, mostWords).join(" "));
    const made = said === null ? undefined : make(said, now);
    if (said === null || made === undefined) return undefined;
    return { words: said[0].split(" ").length, ...("from" in made ? { span: made } : made) };
  };
}

/** From the start of the current unit until now. */
const current = (unit: RunningGrain | undefined, now: Local, label: string): Span | undefined =>
  unit && { from: startOf(unit, now), to: now, label };

/** A whole unit, so many before the current one. */
const unitsBack = (unit: RunningGrain, count: number, now: Local, label: string): Span =>
  one(unit, addUnits(unit, startOf(unit, now), -count), label);

/** The full units before the current one. */
function before(unit: RunningGrain, count: number, now: Local): Span {
  const to = startOf(unit, now);
  return { from: addUnits(unit, to, -count), to, label: `last ${plural(count, unit)}` };
}

/** As much of the unit before as has passed of this one. */
function earlierPart(unit: RunningGrain, now: Local): Span {
  const start = startOf(unit, now);
  const from = addUnits(unit, start, -1);
  return { from, to: Math.min(from + (now - start), start), label: `last ${unit} to date` };
}

function weekend(now: Local): Span {
  const monday = startOf("week", now);
  return { from: monday - 2 * dayMs, to: monday, label: "last weekend" };
}

/** "7d", "mtd": the unit that begins with the letter. */
const shortUnit = (letter = ""): RunningGrain => runningGrains.find((unit) => unit.startsWith(letter)) ?? "day";

const namedDay = phrase("today|yesterday|day before yesterday", ([said], now) => {
  if (said === "today") return current("day", now, said);
  return said === "yesterday" ? unitsBack("day", 1, now, said) : unitsBack("day", 2, now, `the ${said}`);
});

const always = phrase(
  "overall|ever|(?:of )?all time|all data|since the (?:beginning|start)(?! of(?: |$))|over everything(?: we have)?|(?:over the )?whole period|(?:(?:over|for|across|in) )?(?:the |our )?(?:whole|entire|full|complete) history|(?:over|across) all (?:of )?(?:the|our) data",
  () => ({ always: true }),
);

/** "last month", "last full month", "previous 3 weeks", "trailing twelve months", "last 24 hours". */
const lastUnits: Rule = (words, now) => {
  let at = 0;
  if (!isLast(words[at++])) return undefined;
  if (["full", "complete", "calendar"].includes(words[at] ?? "")) at++;
  if (words[at] === "a" && words[at + 1] === "couple") at++;
  const short = /^(\d{1,4})([dwmhqy])$/.exec(words[at] ?? "");
  if (short !== null) return lastOf(shortUnit(short[2]), { count: Number(short[1]), words: at + 1, now });
  const number = parseNumber(words[at] ?? "");
  if (number !== undefined) at++;
  if (["of", "full", "complete", "calendar"].includes(words[at] ?? "")) at++;
  const count = number ?? 1;
  if (/^minutes?$/.test(words[at] ?? ""))
    return { words: at + 1, rolling: { ms: count * 60_000, label: `last ${plural(count, "minute")}` } };
  const unit = unitOf(words[at]);
  return unit === undefined ? undefined : lastOf(unit, { count, words: at + 1, now });
};

function lastOf(
  unit: RunningGrain,
  { count, words, now }: { readonly count: number; readonly words: number; readonly now: Local },
): Found | undefined {
  if (!Number.isInteger(count) || count < 1 || count > 10_000) return undefined;
  if (unit === "hour") return { words, rolling: { ms: count * 3_600_000, label: `last ${plural(count, "hour")}` } };
  return { words, span: before(unit, count, now) };
}

/** "Q3", "Q3 2025", "third quarter of 2025", "H1 2026", "week 42", "week 42 of 2025". */
const numbered: Rule = (words, now) => {
  const said = /^(?:q([1-4])|h([12])|(first|second|third|fourth) quarter|week (\d{1,2}))$/;
  const [short = "", next = ""] = words;
  const long = said.exec(`${short} ${next}`);
  const [, quarter, half, ordinal = "", number] = said.exec(short) ?? long ?? [];
  const [parts, months] = half === undefined ? ["Q", 3] : ["H", 6];
  const part = Number(quarter ?? half ?? ["first", "second", "third", "fourth"].indexOf(ordinal) + 1);
  const week = Number(number);
  if (part === 0 && !(week >= 1 && week <= 53)) return undefined;
  const make = (year: number): Span => {
    if (part === 0) return one("week", startOfWeekNumber(year, week), `week ${week} of ${year}`);
    const from = dateOf(year, (part - 1) * months + 1);
    return { from, to: addUnits("month", from, months), label: `${parts}${part} ${year}` };
  };
  const at = long === null ? 1 : 2;
  const behind = yearBehind(words, at, now);
  return { words: behind?.to ?? at, span: recent(make, behind?.year, now) };
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
  const behind = yearBehind(words, at + 1, now);
  const make = (year: number) => one("month", dateOf(year, month.number), `${month.name} ${year}`);
  let span = recent(make, behind?.year, now);
  // "last November", said in November, is not the running one.
  if (isLast(words[0]) && behind === undefined && span.to > now) span = make(yearOf(span.from) - 1);
  return { words: behind?.to ?? at + 1, span };
};

/** "Monday": the most recent one, today included; "last Monday": before today. */
const weekdayName: Rule = (words, now) => {
  const at = isLast(words[0]) || words[0] === "this" ? 1 : 0;
  const weekday = parseWeekday(words[at], at === 1);
  if (weekday === undefined) return undefined;
  const back = (weekdayOf(now) - weekday.number + 7) % 7;
  const from = startOf("day", now) - (back === 0 && isLast(words[0]) ? 7 : back) * dayMs;
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

/** A single day: "Thanksgiving", "October 5", "Monday", "yesterday". */
const aDay: Rule = (words, now) =>
  holidayAlone(words, now) ?? date(words, now) ?? weekdayName(words, now) ?? namedDay(words, now);
const holidayAlone: Rule = (words, now) => {
  const found = holiday(words, now);
  return found?.span && addUnits("day", found.span.from, 1) >= found.span.to ? found : undefined;
};

/** "Week of October 5": the one that holds the day; "week starting …", "week ending …": seven days. */
const weekOf: Rule = ([first, second, ...rest], now) => {
  const starts = ["starting", "beginning", "commencing", "from"].includes(second ?? "");
  if (first !== "week" || !(second === "of" || second === "ending" || starts)) return undefined;
  const skip = rest[0] === "the" ? 1 : 0;
  const { words, span } = aDay(rest.slice(skip), now) ?? {};
  if (words === undefined || span === undefined) return undefined;
  const from = starts ? span.from : second === "of" ? startOf("week", span.from) : addUnits("day", span.from, -6);
  return { words: words + skip + 2, span: { from, to: addUnits("day", from, 7), label: `week of ${isoDate(from)}` } };
};

/** "Yesterday evening", "Sunday night". */
const partOfDay: Rule = (words, now) => {
  const found = aDay(words, now);
  const part = words[found?.words ?? 0] ?? "";
  const span = found?.span && partOf(startOf("day", found.span.from), part, `${found.span.label} ${part}`);
  return found && span && { words: found.words + 1, span };
};

/** "The day after Thanksgiving". */
const besideDay: Rule = ([first, second, ...rest], now) => {
  const skip = rest[0] === "the" ? 1 : 0;
  const found = first === "day" && /^(after|before)$/.test(second ?? "") ? aDay(rest.slice(skip), now) : undefined;
  if (found?.span === undefined) return undefined;
  const from = addUnits("day", startOf("day", found.span.from), second === "after" ? 1 : -1);
  return { words: found.words + skip + 2, span: one("day", from, `the day ${second} ${found.span.label}`) };
};

/** "The first week of October", "the second half of 2025". */
const partOfPeriod: Rule = (words, now) => {
  const part = readPart(words);
  if (part === undefined || !isNamed(words.slice(part.words))) return undefined;
  const whole = wholeOf(words.slice(part.words), now);
  const span = whole?.span && part.cut(whole.span);
  return whole && span && { words: part.words + whole.words, span };
};

/** "This month" as a whole, to be cut. */
function wholeOf(words: readonly string[], now: Local): Found | undefined {
  const found = readSimple(words, now);
  const unit = unitOf(/^this (\w+)$/.exec(found?.span?.label ?? "")?.[1]);
  if (found?.span === undefined || unit === undefined) return found;
  return { ...found, span: { ...found.span, to: addUnits(unit, found.span.from, 1) } };
}

/** "3 weeks before October 15", "the 2 days after the 1st of October": so many days, weeks or months up to, or from, another period. */
const beside: Rule = ([first, second, side, ...rest], now) => {
  const count = parseNumber(first ?? "");
  const unit = unitOfDays(second);
  if (count === undefined || unit === undefined || (side !== "before" && side !== "after")) return undefined;
  const skip = rest[0] === "the" ? 1 : 0;
  const { words, span } = date(rest.slice(skip), now) ?? monthName(rest.slice(skip), now) ?? {};
  if (words === undefined || span === undefined || !Number.isInteger(count) || count < 1 || count > 366)
    return undefined;
  const [from, to] =
    side === "before" ? [addUnits(unit, span.from, -count), span.from] : [span.to, addUnits(unit, span.to, count)];
  const label = `the ${plural(count, unit)} ${side} ${span.label}`;
  return { words: words + skip + 3, span: { from, to, label } };
};

/** "Tuesday, November 17", "Tue the 17th of November": how many words that is, the day, and whether it is on that weekday. */
export function readDatedWeekday([first, ...rest]: readonly string[], now: Local) {
  const weekday = parseWeekday(first, true);
  const skip = rest.findIndex((word) => word !== "" && word !== "the");
  const { words, span } = (weekday && skip >= 0 && date(rest.slice(skip), now)) || {};
  if (weekday === undefined || words === undefined || span === undefined) return undefined;
  return { words: words + skip + 1, span, isSo: weekdayOf(span.from) === weekday.number };
}

const datedWeekday: Rule = (words, now) => {
  const found = readDatedWeekday(words, now);
  return found?.isSo ? found : undefined;
};

/** Longer readings first: a date before its month, a month with its year before a bare year. */
const simple: readonly Rule[] = [
  partOfPeriod,
  phrase("(\\S+) before last", ([, said], now) => {
    const unit = unitOfDays(said);
    return unit && unitsBack(unit, 2, now, `the ${unit} before last`);
  }),
  beside,
  phrase("tonight", ([label = ""], now) => partOf(startOf("day", now), "night", label)),
  phrase("last (night|evening)", ([label = "", part = ""], now) => partOf(startOf("day", now) - dayMs, part, label)),
  phrase("this (morning|afternoon|evening)", ([label = "", part = ""], now) =>
    partOf(startOf("day", now), part, label),
  ),
  partOfDay,
  besideDay,
  datedWeekday,
  holiday,
  always,
  namedDay,
  phrase("so far today", (_, now) => current("day", now, "today")),
  phrase("(?:(?:last|past) )?fortnight", (_, now) => before("week", 2, now)),
  phrase("last weekend", (_, now) => weekend(now)),
  phrase("([wmqy])td", ([, letter], now) => current(shortUnit(letter), now, `${shortUnit(letter)} to date`)),
  phrase("last ([wmqy])td", ([, letter], now) => earlierPart(shortUnit(letter), now)),
  phrase("(\\S+) (\\S+) ago", ([, said = "", units], now) => {
    const count = said === "a" ? 1 : parseNumber(said);
    const unit = unitOfDays(units);
    return count === undefined ? undefined : unit && unitsBack(unit, count, now, `${plural(count, unit)} ago`);
  }),
  phrase("(?:this|current) (\\S+)", ([, unit], now) => current(unitOf(unit), now, `this ${unitOf(unit)}`)),
  phrase("(\\S+) so far", ([, unit], now) => current(unitOf(unit), now, `this ${unitOf(unit)}`)),
  phrase("(\\S+) (?:to date|until now|till now|up to now)", ([, unit], now) =>
    current(unitOf(unit), now, `${unitOf(unit)} to date`),
  ),
  lastUnits,
  numbered,
  weekOf,
  date,
  dayOfMonth,
  monthName,
  weekdayName,
  phrase("\\d{4}", ([said]) => {
    const year = parseYear(said);
    return year === undefined ? undefined : one("year", dateOf(year, 1), String(year));
  }),
];

export function readSimple(words: readonly string[], now: Local): Found | undefined {
  const skip = words[0] === "the" ? 1 : 0;
  for (const rule of simple) {
    const found = rule(words.slice(skip), now);
    if (found !== undefined) return { ...found, words: found.words + skip };
  }
  return undefined;
}
