import { addUnits, dateOf, dayMs, isoDate, type Local, weekdayOf, yearOf } from "../../calendar.ts";
import { parseYear } from "./date.ts";
import { isLast, one, type Rule } from "./period-units.ts";

/** Month and day, or the n-th weekday of a month (-1: its last), and how many days later. */
type DayRule =
  | { readonly month: number; readonly day: number }
  | { readonly month: number; readonly nth: number; readonly weekday: number; readonly plus?: number };

const monday = 1;
const thursday = 4;
const thanksgiving = { month: 11, nth: 4, weekday: thursday } as const;

/**
 * The days that US buyers and publishers plan by: the federal holidays (5 U.S.C. 6103, on the day itself, not the day off in
 * its stead) and the days of shopping and custom beside them. Without apostrophes and endings, as words are compared.
 */
const days: Readonly<Record<string, DayRule>> = {
  "new year day": { month: 1, day: 1 },
  "new year": { month: 1, day: 1 },
  "mlk day": { month: 1, nth: 3, weekday: monday },
  "martin luther king day": { month: 1, nth: 3, weekday: monday },
  "valentine day": { month: 2, day: 14 },
  "president day": { month: 2, nth: 3, weekday: monday },
  "st patrick day": { month: 3, day: 17 },
  "mother day": { month: 5, nth: 2, weekday: 7 },
  "memorial day": { month: 5, nth: -1, weekday: monday },
  juneteenth: { month: 6, day: 19 },
  "father day": { month: 6, nth: 3, weekday: 7 },
  "independence day": { month: 7, day: 4 },
  "labor day": { month: 9, nth: 1, weekday: monday },
  "columbu day": { month: 10, nth: 2, weekday: monday },
  "indigenou people day": { month: 10, nth: 2, weekday: monday },
  halloween: { month: 10, day: 31 },
  "veteran day": { month: 11, day: 11 },
  thanksgiving: thanksgiving,
  "thanksgiving day": thanksgiving,
  "black friday": { ...thanksgiving, plus: 1 },
  "cyber monday": { ...thanksgiving, plus: 4 },
  "christma eve": { month: 12, day: 24 },
  christma: { month: 12, day: 25 },
  "christma day": { month: 12, day: 25 },
  "new year eve": { month: 12, day: 31 },
};

/** How those are written whose names are more than their words. */
const titles: Readonly<Record<string, string>> = {
  "new year day": "New Year's Day",
  "new year": "New Year's Day",
  "mlk day": "MLK Day",
  "valentine day": "Valentine's Day",
  "president day": "Presidents' Day",
  "st patrick day": "St. Patrick's Day",
  "mother day": "Mother's Day",
  "father day": "Father's Day",
  "columbu day": "Columbus Day",
  "indigenou people day": "Indigenous Peoples' Day",
  "veteran day": "Veterans Day",
  "christma eve": "Christmas Eve",
  christma: "Christmas",
  "christma day": "Christmas Day",
  "new year eve": "New Year's Eve",
};

const titleOf = (name: string): string =>
  titles[name] ?? name.replace(/(?<=^| )\p{L}/gu, (letter) => letter.toUpperCase());

function dayIn(year: number, rule: DayRule): Local {
  if ("day" in rule) return dateOf(year, rule.month, rule.day);
  const { month, nth, weekday, plus = 0 } = rule;
  const first = nth > 0 ? dateOf(year, month, 1) : addUnits("month", dateOf(year, month, 1), 1) - 7 * dayMs;
  const to = (weekday - weekdayOf(first) + 7) % 7;
  return first + (to + Math.max(0, nth - 1) * 7 + plus) * dayMs;
}

const longest = Math.max(...Object.keys(days).map((name) => name.split(" ").length));

/**
 * "Halloween", "Black Friday last year", "Labor Day weekend": the most recent one that has begun. The weekend of a Monday
 * goes from Saturday, that of Thanksgiving from Thursday.
 */
export const holiday: Rule = (words, now) => {
  for (let length = Math.min(longest, words.length); length > 0; length--) {
    const name = words
      .slice(0, length)
      .map((word) => word.replace(/s$/, ""))
      .join(" ");
    const rule = Object.hasOwn(days, name) ? days[name] : undefined;
    if (rule === undefined) continue;
    const isWeekend = words[length] === "weekend" && !("day" in rule) && rule.plus === undefined;
    const at = isWeekend ? length + 1 : length;
    const said = yearBehind(words, at, now);
    const from = said === undefined ? latest(rule, now) : dayIn(said.year, rule);
    const label = `${titleOf(name)}${isWeekend ? " weekend" : ""} ${isoDate(from)}`;
    const read = at + (said?.words ?? 0);
    return { words: read, span: isWeekend ? weekendOf(from, label) : one("day", from, label) };
  }
  return undefined;
};

const latest = (rule: DayRule, now: Local): Local => {
  const thisYear = dayIn(yearOf(now), rule);
  return thisYear <= now ? thisYear : dayIn(yearOf(now) - 1, rule);
};

function yearBehind(words: readonly string[], at: number, now: Local) {
  const joint = words[at] === "of" || words[at] === "in" || words[at] === "," ? at + 1 : at;
  const year = parseYear(words[joint]);
  if (year !== undefined) return { year, words: joint - at + 1 };
  if (words[joint + 1] !== "year") return undefined;
  if (isLast(words[joint])) return { year: yearOf(now) - 1, words: joint - at + 2 };
  return words[joint] === "this" ? { year: yearOf(now), words: joint - at + 2 } : undefined;
}

function weekendOf(day: Local, label: string) {
  const from = weekdayOf(day) === monday ? day - 2 * dayMs : day;
  const to = weekdayOf(day) === monday ? day + dayMs : day + (8 - weekdayOf(day)) * dayMs;
  return { from, to, label };
}
