import { addUnits, dateOf, isoDate, type Local, monthOf, startOf, yearOf } from "../../calendar.ts";
import { parseNumber } from "../words/numbers.ts";
import type { Span } from "./date.ts";
import { parseMonth, parseYear } from "./date.ts";

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
