import { addUnits, dateOf, isoDate, type Local, monthOf, partHours, startOf, yearOf } from "../../calendar.ts";
import { parseNumber } from "../words/tokenize.ts";
import { parseMonth, parseYear, type Span } from "./date.ts";

/** How many words name the part, and how to cut it out of the period behind "of". */
interface Part {
  readonly words: number;
  readonly cut: (whole: Span) => Span | undefined;
}

/**
 * "The first week of October" is its first seven days, "the last two weeks of Q3" its last fourteen; "the second half of
 * October" begins on the 16th, that of a year in July.
 */
export function readPart(all: readonly string[]): Part | undefined {
  const said = /^(?:the )?(first|last|second) (?:half|(?:(\S+) )?(day|week)s?) of(?= |$)/.exec(
    all.slice(0, 5).join(" "),
  );
  if (said === null) return undefined;
  const [text, side, number, unit] = said;
  const words = text.split(" ").length;
  if (unit === undefined) return { words, cut: (whole) => halfOf(whole, side === "first") };
  const days = (number === undefined ? 1 : (parseNumber(number) ?? 0)) * (unit === "week" ? 7 : 1);
  if (side === "second" || !Number.isInteger(days) || days < 1 || days > 366) return undefined;
  return { words, cut: (whole) => endOf(whole, side === "first" ? days : -days) };
}

function halfOf(whole: Span, isFirst: boolean): Span | undefined {
  const { from, to, label } = whole;
  const isOf = (unit: "month" | "year") => startOf(unit, from) === from && to === addUnits(unit, from, 1);
  if (!isOf("month") && !isOf("year")) return undefined;
  const middle = isOf("month") ? dateOf(yearOf(from), monthOf(from), 16) : addUnits("month", from, 6);
  return isFirst
    ? { from, to: middle, label: `first half of ${label}` }
    : { from: middle, to, label: `second half of ${label}` };
}

/** The first so many days, or the last ones. */
function endOf(whole: Span, days: number): Span | undefined {
  const edge = addUnits("day", days > 0 ? whole.from : whole.to, days);
  if (edge >= whole.to || edge <= whole.from) return undefined;
  const [from, to] = days > 0 ? [whole.from, edge] : [edge, whole.to];
  return { from, to, label: `${isoDate(from)} to ${isoDate(addUnits("day", to, -1))}` };
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
