import { addUnits, dateOf, dayMs, isoDate, type Local, weekdayOf } from "../../calendar.ts";
import { firstOf, ofYear, one, phrase, recent } from "./phrase.ts";

/** Month and day, or the n-th weekday of a month (-1: its last), and how many days later. */
type DayRule =
  | { readonly month: number; readonly day: number }
  | { readonly month: number; readonly nth: number; readonly weekday: number; readonly plus?: number };

const monday = 1;
const thursday = 4;
const thanksgiving = { month: 11, nth: 4, weekday: thursday } as const;

const newYear = { month: 1, day: 1 } as const;
const christmas = { month: 12, day: 25 } as const;

/**
 * The days that US buyers and publishers plan by: the federal holidays (5 U.S.C. 6103, on the day itself, not the day off in
 * its stead) and the days of shopping and custom beside them.
 */
const days: Readonly<Record<string, DayRule>> = {
  "New Year's Day": newYear,
  "MLK Day": { month: 1, nth: 3, weekday: monday },
  "Martin Luther King Day": { month: 1, nth: 3, weekday: monday },
  "Valentine's Day": { month: 2, day: 14 },
  "Presidents' Day": { month: 2, nth: 3, weekday: monday },
  "St. Patrick's Day": { month: 3, day: 17 },
  "Mother's Day": { month: 5, nth: 2, weekday: 7 },
  "Memorial Day": { month: 5, nth: -1, weekday: monday },
  Juneteenth: { month: 6, day: 19 },
  "Father's Day": { month: 6, nth: 3, weekday: 7 },
  "Independence Day": { month: 7, day: 4 },
  "Labor Day": { month: 9, nth: 1, weekday: monday },
  "Columbus Day": { month: 10, nth: 2, weekday: monday },
  "Indigenous Peoples' Day": { month: 10, nth: 2, weekday: monday },
  Halloween: { month: 10, day: 31 },
  "Veterans Day": { month: 11, day: 11 },
  Thanksgiving: thanksgiving,
  "Thanksgiving Day": thanksgiving,
  "Black Friday": { ...thanksgiving, plus: 1 },
  "Cyber Monday": { ...thanksgiving, plus: 4 },
  "Christmas Eve": { month: 12, day: 24 },
  Christmas: christmas,
  "Christmas Day": christmas,
  "New Year's Eve": { month: 12, day: 31 },
};

/** Without apostrophes and endings, as words are typed; "new year" is its first day. */
const keyOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/'s?|\./g, "")
    .replace(/s(?= |$)/g, "");
const titles = new Map([
  ...Object.keys(days).map((title) => [keyOf(title), title] as const),
  ["new year", "New Year's Day"],
]);
const titled = `(${[...titles.keys()]
  .sort((a, b) => b.length - a.length)
  .map((key) => key.replaceAll(/(?= |$)/g, "s?"))
  .join("|")})`;

function dayIn(year: number, rule: DayRule): Local {
  if ("day" in rule) return dateOf(year, rule.month, rule.day);
  const { month, nth, weekday, plus = 0 } = rule;
  const first = nth > 0 ? dateOf(year, month, 1) : addUnits("month", dateOf(year, month, 1), 1) - 7 * dayMs;
  const to = (weekday - weekdayOf(first) + 7) % 7;
  return first + (to + Math.max(0, nth - 1) * 7 + plus) * dayMs;
}

/** The most recent one that has begun, and its rule. */
function find([, said = "", year]: readonly (string | undefined)[], now: Local) {
  const title = titles.get(keyOf(said)) ?? "";
  const rule = days[title];
  return rule && { title, rule, ...recent((of) => ({ from: dayIn(of, rule) }), year, now) };
}

/**
 * "Halloween", "Black Friday last year", "Labor Day weekend". The weekend of a Monday goes from Saturday, that of
 * Thanksgiving from Thursday.
 */
export const holiday = firstOf(
  phrase(`${titled} weekend${ofYear}`, (said, now) => {
    const { title, rule, from } = find(said, now) ?? {};
    if (rule === undefined || from === undefined || "day" in rule || rule.plus !== undefined) return undefined;
    const label = `${title} weekend ${isoDate(from)}`;
    const weekday = weekdayOf(from);
    return weekday === monday
      ? { from: from - 2 * dayMs, to: from + dayMs, label }
      : { from, to: from + (8 - weekday) * dayMs, label };
  }),
  phrase(`${titled}${ofYear}`, (said, now) => {
    const { title, from } = find(said, now) ?? {};
    return from === undefined ? undefined : one("day", from, `${title} ${isoDate(from)}`);
  }),
);
