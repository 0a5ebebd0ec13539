import { addUnits, type Local, yearOf } from "../../calendar.ts";
import { type RunningGrain, runningGrains } from "../../plan.ts";

/** The start of a span that holds everything before its end. */
export const beginning: Local = Number.NEGATIVE_INFINITY;

/** Wall-clock, half-open. */
export interface Span {
  readonly from: Local;
  readonly to: Local;
  readonly label: string;
}

/** How many words were read, and the span in wall-clock time that they name; `rolling` hours are of instants. */
export interface Found {
  readonly words: number;
  readonly span?: Span;
  readonly rolling?: { readonly ms: number; readonly label: string };
  readonly always?: true;
}
export type Rule = (words: readonly string[], now: Local) => Found | undefined;

type Said = readonly (string | undefined)[];
type Made = Span | Omit<Found, "words"> | undefined;

/** No such phrase is longer; the words behind it are not looked at. */
const mostWords = 8;
const textOf = (words: readonly string[]): string => words.slice(0, mostWords).join(" ");

/** What is said in the words of one pattern. */
export function phrase(pattern: string, make: (said: Said, now: Local) => Made): Rule {
  const whole = new RegExp(`^(?:${pattern})(?= |$)`);
  return (words, now) => {
    const said = whole.exec(textOf(words));
    const made = said === null ? undefined : make(said, now);
    if (said === null || made === undefined) return undefined;
    return { words: said[0].split(" ").length, ...("from" in made ? { span: made } : made) };
  };
}

/** A pattern, and the period behind it: "week of" and "October 5". */
export function leading(
  pattern: string,
  behind: Rule,
  make: (said: Said, whole: Span, now: Local) => Span | undefined,
): Rule {
  const opening = new RegExp(`^(?:${pattern}) (?:the )?`);
  return (words, now) => {
    const said = opening.exec(textOf(words));
    const read = (said?.[0].split(" ").length ?? 1) - 1;
    const whole = said === null ? undefined : behind(words.slice(read), now);
    const span = said !== null && whole?.span ? make(said, whole.span, now) : undefined;
    return whole && span && { words: read + whole.words, span };
  };
}

/** What the first of several rules reads that reads anything. */
export const firstOf =
  (...rules: readonly Rule[]): Rule =>
  (words, now) => {
    for (const rule of rules) {
      const found = rule(words, now);
      if (found !== undefined) return found;
    }
    return undefined;
  };

export const last = "(?:last|previous|prior|past|trailing|preceding)";
export const unit = `(?:${runningGrains.join("|")}|hr)s?`;

export const unitOf = (word = ""): RunningGrain | undefined =>
  runningGrains.find((each) => each === word.replace(/s$/, "").replace(/^hr$/, "hour"));

/** "2025", "of 2025", "last year", "in this year": the year that is said behind a holiday, a month, a quarter or a week. */
export const ofYear = `(?: (?:of |in )?(20\\d\\d|${last} year|this year))?`;

/** That of the year that is said, else the most recent one that has begun. */
export function recent<T extends { readonly from: Local }>(
  make: (year: number) => T,
  said: string | undefined,
  now: Local,
): T {
  if (said === "this year") return make(yearOf(now));
  if (said !== undefined) return make(said.startsWith("20") ? Number(said) : yearOf(now) - 1);
  const thisYear = make(yearOf(now));
  return thisYear.from <= now ? thisYear : make(yearOf(now) - 1);
}

export const one = (grain: RunningGrain, from: Local, label: string): Span => ({
  from,
  to: addUnits(grain, from, 1),
  label,
});
