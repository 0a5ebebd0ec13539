import { addUnits, dayMs, type Local, startOf } from "../../calendar.ts";
import type { RunningGrain } from "../../plan.ts";
import { parseNumber } from "../words/numbers.ts";
import type { Span } from "./date.ts";

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
export const unitOf = (word: string | undefined): RunningGrain | undefined =>
  word !== undefined && Object.hasOwn(units, word) ? units[word] : undefined;
export const isLast = (word: string | undefined) =>
  ["last", "previous", "prior", "past", "trailing", "preceding"].includes(word ?? "");
export const plural = (count: number, unit: string) => (count === 1 ? unit : `${count} ${unit}s`);

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
  "last wtd": (now) => earlierPart("week", now),
  "last mtd": (now) => earlierPart("month", now),
  "last qtd": (now) => earlierPart("quarter", now),
  "last ytd": (now) => earlierPart("year", now),
  "last weekend": (now) => weekend(now),
};

/** As much of the unit before as has passed of this one. */
function earlierPart(unit: RunningGrain, now: Local): Span {
  const start = startOf(unit, now);
  const from = addUnits(unit, start, -1);
  return { from, to: Math.min(from + (now - start), start), label: `last ${unit} to date` };
}

export const fixedPhrase: Rule = (words, now) => {
  for (const [phrase, make] of Object.entries(fixed)) {
    const length = phrase.split(" ").length;
    if (words.slice(0, length).join(" ") === phrase) return { words: length, span: make(now) };
  }
  return undefined;
};

export const always: Rule = (words) => {
  const phrases = [
    "all time",
    "ever",
    "of all time",
    "all data",
    "since the beginning",
    "since the start",
    "overall",
    "over everything",
    "over everything we have",
    "over the whole period",
    "whole period",
  ];
  const phrase = phrases.find((each) => words.slice(0, each.split(" ").length).join(" ") === each);
  const length = phrase?.split(" ").length ?? 0;
  // "since the beginning of the year" has a start.
  return phrase === undefined || (/(beginning|start)$/.test(phrase) && words[length] === "of")
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
export const thisUnit: Rule = ([first, second, third], now) => {
  if (first === "this" || first === "current") {
    const unit = unitOf(second);
    if (unit !== undefined) return { words: 2, span: current(unit, now, `this ${unit}`) };
  }
  const unit = unitOf(first);
  if (unit !== undefined && second === "so" && third === "far")
    return { words: 3, span: current(unit, now, `this ${unit}`) };
  if (unit !== undefined && second === "to" && third === "date") {
    return { words: 3, span: current(unit, now, `${unit} to date`) };
  }
  return undefined;
};

/** "last month", "last full month", "previous 3 weeks", "trailing twelve months", "last 24 hours". */
export const lastUnits: Rule = (words, now) => {
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
