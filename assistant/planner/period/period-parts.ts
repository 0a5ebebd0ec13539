import {
  addUnits,
  dateOf,
  dayMs,
  isoDate,
  type Local,
  monthOf,
  partHours,
  partNames,
  startOf,
  yearOf,
} from "../../calendar.ts";
import { parseNumber } from "../words/numbers.ts";
import { parseMonth, parseYear, type Span } from "./date.ts";
import type { Rule } from "./period-units.ts";

/** How many words name the part, and how to cut it out of the period behind "of". */
interface Part {
  readonly words: number;
  cut(whole: Span): Span | undefined;
}

/**
 * "The first week of October" is its first seven days, "the last two weeks of Q3" its last fourteen; "the second half of
 * October" begins on the 16th, that of a year in July.
 */
export function readPart(words: readonly string[]): Part | undefined {
  const skip = words[0] === "the" ? 1 : 0;
  const side = words[skip];
  if (side !== "first" && side !== "last" && side !== "second") return undefined;
  return readHalf(words, skip, side) ?? (side === "second" ? undefined : readUnits(words, skip, side));
}

function readHalf(words: readonly string[], at: number, side: "first" | "last" | "second"): Part | undefined {
  if (words[at + 1] !== "half" || words[at + 2] !== "of") return undefined;
  const cut = (whole: Span): Span | undefined => {
    const middle = middleOf(whole);
    if (middle === undefined) return undefined;
    const label = `${side === "first" ? "first" : "second"} half of ${whole.label}`;
    return side === "first" ? { from: whole.from, to: middle, label } : { from: middle, to: whole.to, label };
  };
  return { words: at + 3, cut };
}

function middleOf({ from, to }: Span): Local | undefined {
  if (startOf("month", from) === from && to === addUnits("month", from, 1))
    return dateOf(yearOf(from), monthOf(from), 16);
  return startOf("year", from) === from && to === addUnits("year", from, 1) ? addUnits("month", from, 6) : undefined;
}

function readUnits(words: readonly string[], skip: number, side: "first" | "last"): Part | undefined {
  const count = parseNumber(words[skip + 1] ?? "");
  const at = skip + (count === undefined ? 1 : 2);
  const unit = /^(day|week)s?$/.exec(words[at] ?? "")?.[1];
  if (unit === undefined || words[at + 1] !== "of") return undefined;
  const days = (count ?? 1) * (unit === "week" ? 7 : 1);
  if (!Number.isInteger(days) || days < 1 || days > 366) return undefined;
  const cut = (whole: Span): Span | undefined => {
    const edge = addUnits("day", side === "first" ? whole.from : whole.to, side === "first" ? days : -days);
    if (edge >= whole.to || edge <= whole.from) return undefined;
    const [from, to] = side === "first" ? [whole.from, edge] : [edge, whole.to];
    return { from, to, label: `${isoDate(from)} to ${isoDate(addUnits("day", to, -1))}` };
  };
  return { words: at + 2, cut };
}

/** A month, a quarter or a year by its name: only of what is whole can the first or the last part be told. */
export const isNamed = (words: readonly string[]): boolean => {
  const at = words[0] === "the" ? 1 : 0;
  const [first = "", second = ""] = words.slice(at);
  return (
    parseMonth(first) !== undefined ||
    parseYear(first) !== undefined ||
    /^q[1-4]$/.test(first) ||
    /^(last|previous|this|prior|current) (month|quarter|year)$/.test(`${first} ${second}`)
  );
};

const partMs = partHours * 3_600_000;

/** "This morning", "this evening", "tonight" (from 6 pm), "last night" (from 6 pm until 6 am), "last evening". */
export const dayPart: Rule = ([first = "", second = ""], now) => {
  const today = startOf("day", now);
  if (first === "tonight")
    return { words: 1, span: until(now, { from: today + 3 * partMs, to: today + 5 * partMs, label: first }) };
  const label = `${first} ${second}`;
  if (label === "last night") return { words: 2, span: { from: today - partMs, to: today + partMs, label } };
  if (label === "last evening") return { words: 2, span: { from: today - partMs, to: today, label } };
  const part = partNames.indexOf(second);
  if (first !== "this" || part < 1) return undefined;
  const from = today + part * partMs;
  return { words: 2, span: until(now, { from, to: from + partMs, label }) };
};

/** The morning, the afternoon, the evening or the night of a day; undefined: no such part. */
export function partOf(day: Span, part: string, now: Local): Span | undefined {
  const start = startOf("day", day.from);
  const label = `${day.label} ${part}`;
  if (part === "night") return until(now, { from: start + 3 * partMs, to: start + 5 * partMs, label });
  const place = partNames.indexOf(part);
  return place < 1 ? undefined : until(now, { from: start + place * partMs, to: start + (place + 1) * partMs, label });
}

/** What still runs ends now. */
const until = (now: Local, span: Span): Span =>
  now > span.from && now < span.to && span.to - now < dayMs ? { ...span, to: now } : span;
