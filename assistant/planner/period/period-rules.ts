import {
  addUnits,
  dateOf,
  dayMs,
  isoDate,
  type Local,
  monthOf,
  startOf,
  startOfWeekNumber,
  yearOf,
} from "../../calendar.ts";
import { type RunningGrain, runningGrains } from "../../plan.ts";
import { parseNumber } from "../words/tokenize.ts";
import { aDay, date, datedWeekday, dayOfMonth, namedDay, parseMonth, partOf, weekdayName } from "./date.ts";
import { holiday } from "./holidays.ts";
import {
  type Found,
  firstOf,
  last,
  leading,
  ofYear,
  one,
  phrase,
  type Rule,
  recent,
  type Span,
  unit,
  unitOf,
} from "./phrase.ts";

/** A unit of days or longer, which begin at a midnight. */
function unitOfDays(word: string | undefined): Exclude<RunningGrain, "hour"> | undefined {
  const found = unitOf(word);
  return found === "hour" ? undefined : found;
}
const plural = (count: number, name: string): string => (count === 1 ? name : `${count} ${name}s`);

/** From the start of the current unit until now. */
const current = (grain: RunningGrain | undefined, now: Local, label: string): Span | undefined =>
  grain && { from: startOf(grain, now), to: now, label };

/** A whole unit, so many before the current one. */
const unitsBack = (grain: RunningGrain, count: number, now: Local, label: string): Span =>
  one(grain, addUnits(grain, startOf(grain, now), -count), label);

/** The full units before the current one. */
function before(grain: RunningGrain, count: number, now: Local): Span {
  const to = startOf(grain, now);
  return { from: addUnits(grain, to, -count), to, label: `last ${plural(count, grain)}` };
}

/** As much of the unit before as has passed of this one. */
function earlierPart(grain: RunningGrain, now: Local): Span {
  const start = startOf(grain, now);
  const from = addUnits(grain, start, -1);
  return { from, to: Math.min(from + (now - start), start), label: `last ${grain} to date` };
}

function weekend(now: Local): Span {
  const monday = startOf("week", now);
  return { from: monday - 2 * dayMs, to: monday, label: "last weekend" };
}

/** "7d", "mtd": the unit that begins with the letter. */
const shortUnit = (letter = ""): RunningGrain => runningGrains.find((grain) => grain.startsWith(letter)) ?? "day";

/** Minutes and hours roll, as does nothing longer. */
function lastOf(said: string, count: number, now: Local) {
  if (!Number.isInteger(count) || count < 1 || count > 10_000) return undefined;
  const grain = unitOf(said);
  if (grain !== undefined && grain !== "hour") return before(grain, count, now);
  const [name, ms] = grain === "hour" ? ["hour", 3_600_000] : ["minute", 60_000];
  return { rolling: { ms: count * ms, label: `last ${plural(count, name)}` } };
}

const quarterNames = ["first", "second", "third", "fourth"];

function partOfYear(letter: string, part: number, year: string | undefined, now: Local): Span {
  const months = letter === "Q" ? 3 : 6;
  return recent(
    (of) => {
      const from = dateOf(of, (part - 1) * months + 1);
      return { from, to: addUnits("month", from, months), label: `${letter}${part} ${of}` };
    },
    year,
    now,
  );
}

/** "October", "last October", "October 2025", "October last year". */
const monthName = phrase(`(?:(${last}|this) )?(\\S+)${ofYear}`, ([, led = "this", said, year], now) => {
  const month = parseMonth(said);
  if (month === undefined) return undefined;
  const make = (of: number) => one("month", dateOf(of, month.number), `${month.name} ${of}`);
  const found = recent(make, year, now);
  // "last November", said in November, is not the running one.
  return led !== "this" && year === undefined && found.to > now ? make(yearOf(found.from) - 1) : found;
});

/** "Week of October 5": the one that holds the day; "week starting …", "week ending …": seven days. */
const weekOf = leading("week (of|ending|starting|beginning|commencing|from)", aDay, ([, side], day) => {
  const start =
    side === "of" ? startOf("week", day.from) : side === "ending" ? addUnits("day", day.from, -6) : day.from;
  return { from: start, to: addUnits("day", start, 7), label: `week of ${isoDate(start)}` };
});

/** "Yesterday evening", "Sunday night". */
const partOfDay: Rule = (words, now) => {
  const found = aDay(words, now);
  const part = words[found?.words ?? 0] ?? "";
  const span = found?.span && partOf(startOf("day", found.span.from), part, `${found.span.label} ${part}`);
  return found && span && { words: found.words + 1, span };
};

/** "The day after Thanksgiving". */
const besideDay = leading("day (after|before)", aDay, ([, side], day) =>
  one("day", addUnits("day", startOf("day", day.from), side === "after" ? 1 : -1), `the day ${side} ${day.label}`),
);

/** "3 weeks before October 15", "the 2 days after the 1st of October": so many days, weeks or months up to, or from, another period. */
const beside = leading(
  "(\\S+) (\\S+) (before|after)",
  firstOf(date, monthName),
  ([, number = "", units, side], { from, to, label }) => {
    const count = parseNumber(number);
    const grain = unitOfDays(units);
    if (grain === undefined || count === undefined || !Number.isInteger(count) || count < 1 || count > 366)
      return undefined;
    const named = `the ${plural(count, grain)} ${side} ${label}`;
    return side === "before"
      ? { from: addUnits(grain, from, -count), to: from, label: named }
      : { from: to, to: addUnits(grain, to, count), label: named };
  },
);

/** A month, a quarter or a year by its name, whole: only of such can the first or the last part be told. */
const namedWhole: Rule = (words, now) => {
  const [first = "", second = ""] = words;
  const isNamed =
    parseMonth(first) !== undefined ||
    /^(20\d\d|q[1-4])$/.test(first) ||
    /^(last|previous|this|prior|current) (month|quarter|year)$/.test(`${first} ${second}`);
  const found = isNamed ? readSimple(words, now) : undefined;
  const grain = unitOf(/^this (\w+)$/.exec(found?.span?.label ?? "")?.[1]);
  if (found?.span === undefined || grain === undefined) return found;
  return { ...found, span: { ...found.span, to: addUnits(grain, found.span.from, 1) } };
};

/** "The second half of October" begins on the 16th, that of a year in July. */
const half = leading("(first|last|second) half(?: of)?", namedWhole, ([, side], { from, to, label }) => {
  const isOf = (grain: "month" | "year") => startOf(grain, from) === from && to === addUnits(grain, from, 1);
  if (!isOf("month") && !isOf("year")) return undefined;
  const middle = isOf("month") ? dateOf(yearOf(from), monthOf(from), 16) : addUnits("month", from, 6);
  return side === "first"
    ? { from, to: middle, label: `first half of ${label}` }
    : { from: middle, to, label: `second half of ${label}` };
});

/** "The first week of October" is its first seven days, "the last two weeks of Q3" its last fourteen. */
const edge = leading(
  "(first|last|final|opening|closing) (?:(\\S+) )?(day|week)s? of",
  namedWhole,
  ([, side, number = "one", grain], whole) => {
    const days = (parseNumber(number) ?? 0) * (grain === "week" ? 7 : 1);
    if (!Number.isInteger(days) || days < 1 || days > 366) return undefined;
    const [from, to] =
      side === "first" || side === "opening"
        ? [whole.from, addUnits("day", whole.from, days)]
        : [addUnits("day", whole.to, -days), whole.to];
    if (from <= whole.from && to >= whole.to) return undefined;
    return { from, to, label: `${isoDate(from)} to ${isoDate(addUnits("day", to, -1))}` };
  },
);

const whole = "(?: (?:full|complete|calendar|whole))?";
const running = "this|current|present|running|ongoing|all";
const entire = "(?:the |our )?(?:whole|entire|full|complete)";
const records = "(?:the |our )?(?:data|records?|history|time)";

/** "The whole of October", "the month of October". */
const wholeOf = leading(
  "(?:whole|entire|full|complete)(?: (?:day|week|month|quarter|year))?(?: of)?|(?:month|year|quarter) of|calendar",
  (words, now) => readSimple(words, now),
  (_, found) => found,
);

const seasons = ["winter", "spring", "summer", "autumn", "fall"];
/** "Last summer", "autumn 2026": three whole months; of a winter, which is of two years, only the last one. */
const season = phrase(
  `(?:(${last}|this) )?(${seasons.join("|")})(?: of)?${ofYear}`,
  ([, led, said = "", year], now) => {
    // "Did calls fall": by itself it is no season; nor "fall in 2026".
    if ((said === "winter" && year !== undefined) || (said === "fall" && led === undefined && year === undefined))
      return undefined;
    const make = (of: number) => {
      const from = dateOf(of, Math.min(3, seasons.indexOf(said)) * 3);
      return { from, to: addUnits("month", from, 3), label: `${said} ${of}` };
    };
    const found = recent(make, year, now);
    return led !== undefined && led !== "this" && year === undefined && found.to > now
      ? make(yearOf(found.from) - 1)
      : found;
  },
);

const clock = "(noon|midday|midnight|(?:1[0-2]|[1-9])(?::00)? ?[ap]m|(?:[01]?\\d|2[0-3]):00)";
const onDay = "(today|yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)day)";
/** "Since noon", "since yesterday 9am". */
export const sinceClock = phrase(
  `since (?:${onDay} )?(?:at )?${clock}(?: (?:on )?${onDay})?`,
  ([, before, time = "", behind], now) => {
    const day = aDay([before ?? behind ?? "today"], now)?.span?.from;
    const [, digits, half] = /^(\d+)(?::00)? ?([ap]m)?$/.exec(time) ?? [];
    const said = digits === undefined ? (time === "midnight" ? 0 : 12) : Number(digits);
    const hour = half === undefined ? said : (said % 12) + (half === "pm" ? 12 : 0);
    const from = day === undefined ? undefined : startOf("day", day) + hour * 3_600_000;
    return from === undefined || from > now
      ? undefined
      : { from, to: now, label: `since ${isoDate(from)} ${String(hour).padStart(2, "0")}:00` };
  },
);

/** Longer readings first: a date before its month, a month with its year before a bare year. */
const simple = firstOf(
  half,
  edge,
  phrase("(\\S+) before last", ([, said], now) => {
    const grain = unitOfDays(said);
    return grain && unitsBack(grain, 2, now, `the ${grain} before last`);
  }),
  beside,
  phrase("tonight", ([label = ""], now) => partOf(startOf("day", now), "night", label)),
  phrase("last (night|evening)", ([label = "", part = ""], now) => partOf(startOf("day", now) - dayMs, part, label)),
  phrase("this (morning|afternoon|evening)", ([label = "", part = ""], now) =>
    partOf(startOf("day", now), part, label),
  ),
  season,
  partOfDay,
  besideDay,
  datedWeekday,
  holiday,
  phrase(
    `overall|ever|(?:of )?all time|all (?:data|history)|(?:as of|up to|(?:up )?until|till) now|thus far|historically|lifetime|since inception|(?:since|from) day (?:one|1)|` +
      `(?:since|from) (?:the )?(?:very )?(?:start|beginning|begin)(?: of ${records}|(?! of(?: |$)))|since (?:${records}|we) (?:starts?|started|begins?|began)|over everything(?: we have)?|` +
      `(?:over )?${entire} period|(?:(?:over|for|across|in|throughout) )?(?:${entire} |all (?:of )?)?(?:the |our )?(?:history|data ?set)|(?:over|across|throughout) (?:${entire} |all (?:of )?)?(?:the |our )?data`,
    () => ({ always: true }),
  ),
  namedDay,
  phrase("so far today", (_, now) => current("day", now, "today")),
  phrase("(?:(?:last|past) )?fortnight", (_, now) => before("week", 2, now)),
  phrase("last weekend", (_, now) => weekend(now)),
  phrase("this weekend", (_, now) => ({ ...weekend(addUnits("week", now, 1)), label: "this weekend" })),
  phrase("([wmqy])td", ([, letter], now) => current(shortUnit(letter), now, `${shortUnit(letter)} to date`)),
  phrase("last ([wmqy])td", ([, letter], now) => earlierPart(shortUnit(letter), now)),
  phrase("(\\S+) (\\S+) (?:ago|back)", ([, said = "", units], now) => {
    const count = said === "a" ? 1 : parseNumber(said);
    const grain = unitOfDays(units);
    return count === undefined ? undefined : grain && unitsBack(grain, count, now, `${plural(count, grain)} ago`);
  }),
  phrase(
    `(?:${running})(?: (?:very|calendar|current|running))? (\\S+)(?: thus far)?|(\\S+) (?:so|thus) far`,
    ([, said, other], now) => {
      const grain = unitOf(said ?? other);
      return current(grain, now, `this ${grain}`);
    },
  ),
  phrase("(?:this )?(\\S+) (?:to date|(?:up )?(?:until|till|to) now)", ([, said], now) =>
    current(unitOf(said), now, `${unitOf(said)} to date`),
  ),
  // "Last 7d", "last full month", "previous 3 weeks", "trailing twelve months", "last 24 hours".
  phrase(`${last}${whole} (\\d{1,4})([dwmhqy])`, ([, count, letter], now) =>
    lastOf(shortUnit(letter), Number(count), now),
  ),
  phrase(
    `${last}${whole}(?: a(?= couple ))?(?: (\\S+))??(?: of)?${whole} (${unit}|minutes?)`,
    ([, number = "one", said = ""], now) => lastOf(said, parseNumber(number) ?? 0, now),
  ),
  phrase(`${last} half (?:an )?hour`, () => ({ rolling: { ms: 1_800_000, label: "last 30 minutes" } })),
  phrase("[lpt]?(\\d{1,3})([dw])", ([, count, letter], now) => lastOf(shortUnit(letter), Number(count), now)),
  phrase(`(?:most recent|latest|rolling) (\\S+)${whole} (${unit})`, ([, number = "", said = ""], now) =>
    lastOf(said, parseNumber(number) ?? 0, now),
  ),
  phrase("l([wmqy])", ([, letter], now) => before(shortUnit(letter), 1, now)),
  // "Q3", "Q3 2025", "third quarter of 2025", "H1 2026", "week 42 of 2025".
  phrase(`q([1-4])${ofYear}`, ([, part, year], now) => partOfYear("Q", Number(part), year, now)),
  phrase(`h([12])${ofYear}`, ([, part, year], now) => partOfYear("H", Number(part), year, now)),
  phrase(`(${quarterNames.join("|")}) quarter${ofYear}`, ([, name = "", year], now) =>
    partOfYear("Q", quarterNames.indexOf(name) + 1, year, now),
  ),
  phrase(`week 0?([1-9]|[1-4]\\d|5[0-3])${ofYear}`, ([, week, year], now) =>
    recent((of) => one("week", startOfWeekNumber(of, Number(week)), `week ${week} of ${of}`), year, now),
  ),
  phrase("(20\\d\\d) q([1-4])", ([, year, part], now) => partOfYear("Q", Number(part), year, now)),
  weekOf,
  wholeOf,
  date,
  dayOfMonth,
  monthName,
  weekdayName,
  phrase("20\\d\\d", ([year = ""]) => one("year", dateOf(Number(year), 1), year)),
);

export function readSimple(words: readonly string[], now: Local): Found | undefined {
  const skip = words[0] === "the" ? 1 : 0;
  const found = simple(words.slice(skip), now);
  return found && { ...found, words: found.words + skip };
}
