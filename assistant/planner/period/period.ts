import { dayMs, isoDate, type Local, toInstant, toLocal, yearOf } from "../../calendar.ts";
import type { Period } from "../../plan.ts";
import { parseDayOfMonth } from "../words/tokenize.ts";
import { dayInWords, findDay, parseDate, parseMonth, readDatedWeekday } from "./date.ts";
import { readSimple, sinceClock } from "./period-rules.ts";
import { beginning, firstOf, leading, one, phrase, type Rule, type Span } from "./phrase.ts";

interface FoundPeriod {
  readonly words: number;
  /** null: "all time". */
  readonly period: Period | null;
}

/** A day that may leave its month or its year to the other end of a range. */
interface RangeDay {
  readonly words: number;
  readonly day: number;
  readonly month?: number;
  readonly year?: number | undefined;
}

function parseRangeDay(words: readonly string[], bare: RegExp): RangeDay | undefined {
  const at = words[0] === "the" ? 1 : 0;
  const found = parseDate(words.slice(at));
  if (found !== undefined) return { ...found, words: found.words + at };
  const day = bare.test(words[at] ?? "") ? parseDayOfMonth(words[at]) : dayInWords(words[at], words[at + 1]);
  return day === undefined ? undefined : { words: at + 1, day };
}

/** The day, with what the other end says of its month and its year. */
function dayOf({ day, month, year }: RangeDay, other: Omit<RangeDay, "words" | "day">, now: Local): Span | undefined {
  const of = month ?? other.month;
  const from = of === undefined ? undefined : findDay({ day, month: of, year: year ?? other.year }, now);
  return from === undefined ? undefined : one("day", from, isoDate(from));
}

/**
 * "From Jan 1 to Jan 15", "between Monday and Friday", "2026-10-01 - 2026-10-15": the last day included. "The 1st to the
 * 15th of October" and "Jan 1 to 15" are of one month, "October 1 to October 31, 2025" of one year; else the end is the
 * first such day after the start ("Dec 20 to Jan 5").
 */
const range: Rule = (words, now) => {
  const opened = words[0] === "from" || words[0] === "between" ? 1 : 0;
  const joint = words[0] === "between" ? /^and$/ : /^(?:to|until|till?|through|thru|-)$/;
  const first = words.slice(opened);
  const day = parseRangeDay(first, /^\d{1,2}(?:st|nd|rd|th)$/);
  const simple = readSimple(first, now);
  for (const read of new Set([day?.words, simple?.words])) {
    if (read === undefined || !joint.test(first[read] ?? "")) continue;
    const rest = first.slice(read + 1);
    const last = parseRangeDay(rest, /^\d{1,2}(?:st|nd|rd|th)?$/);
    const start = (day?.words === read ? dayOf(day, last ?? {}, now) : undefined) ?? simple?.span;
    if (start === undefined) continue;
    if (words[0] !== "between" && rest[0] === "now") return { words: opened + read + 2, span: since(start, now) };
    const month = day?.month ?? parseMonth(first[0])?.number;
    const years = [yearOf(start.from), ...(last?.month === undefined ? [] : [yearOf(start.from) + 1])];
    const ends = years.map((year) => last && dayOf(last, { ...(month && { month }), year }, now));
    const end = ends.find((each) => each && each.from >= start.from) ?? ends[0];
    const found = end && last ? { words: last.words, span: end } : readSimple(rest, now);
    if (found?.span === undefined || found.span.to <= start.from) return undefined;
    const label = `${start.label} to ${found.span.label}`;
    return { words: opened + read + 1 + found.words, span: { from: start.from, to: found.span.to, label } };
  }
  return undefined;
};

/** "The month" is this one. */
const running: Rule = (words, now) => {
  const found = words[0] === "this" ? undefined : readSimple(["this", ...words], now);
  return found ? { ...found, words: found.words - 1 } : readSimple(words, now);
};

const since = ({ from, label }: Span, now: Local): Span => ({ from, to: now, label: `since ${label}` });

/** "Since the month started", "from the start of October until now". */
const fromStart: Rule = (words, now) => {
  const found = started(words, now);
  const isToNow = /^(?:until|till|to|through) (?:now|today|date)(?: |$)/.test(words.slice(found?.words).join(" "));
  return found && { ...found, words: found.words + (isToNow ? 2 : 0) };
};
const started = firstOf(
  phrase("since (?:the |this )?(\\S+) (?:started|began|begun)", ([, said = ""], now) => {
    const whole = readSimple(["this", said], now)?.span;
    return whole && since(whole, now);
  }),
  leading("(?:since|from) (?:the )?(?:very )?(?:start|begin|beginning) of", running, (_, whole, now) =>
    since(whole, now),
  ),
);

/** "Since Monday": until now; "after October": from its end; "before", "until": everything earlier. "Through October" may be in it. */
const open = leading(
  "(?:(?:ever )?(since)|(start|beginn)ing(?: on| from| with)?|(on or after|no earlier than|as from)|(after|before|prior to)|(until|till|up (?:to|until|till)|no later than|on or before|through|thru|ending))(?: the end of)?",
  readSimple,
  ([said = "", ...kinds], whole, now) => {
    const { from, to, label } = whole;
    const [, , , side, until] = kinds;
    const isEnd = said.includes(" end of");
    if (side === "after" || (isEnd && side === undefined && until === undefined))
      return { from: to, to: now, label: `after ${label}` };
    if (side !== undefined)
      return { from: beginning, to: isEnd ? to : from, label: `before ${isEnd ? "the end of " : ""}${label}` };
    if (until === undefined) return since(whole, now);
    const isDay = to - from <= dayMs;
    return /^(?:through|thru|ending)/.test(said) && !isDay && !isEnd
      ? undefined
      : { from: beginning, to, label: `until ${label}` };
  },
);

/** "October 15 onwards", "from October 15 and later". */
const onward: Rule = (words, now) => {
  const at = words[0] === "from" ? 1 : 0;
  const found = readSimple(words.slice(at), now);
  const behind =
    found &&
    /^(?:(?:and |or )?(?:onwards?|later)|forward|and (?:after|on))(?= |$)/.exec(
      words.slice(at + found.words, at + found.words + 2).join(" "),
    );
  return found?.span && behind
    ? { words: at + found.words + behind[0].split(" ").length, span: since(found.span, now) }
    : undefined;
};

const readAny = firstOf(sinceClock, fromStart, onward, open, range, readSimple);

/** "Monday, November 17" of a year in which that is a Tuesday, "the end of October", "the run-up to Thanksgiving", which have no first day: the number of its words, else 0. */
export function readNoDay(words: readonly string[], nowMs: number, zone: string): number {
  const now = toLocal(nowMs, zone);
  const vague = /^(?:(?:the )?(?:end|middle) of|(?:the )?(?:run|lead)(?: -)? ?up to|early|late|mid(?: -)?) (?=\S)/.exec(
    words.slice(0, 6).join(" "),
  )?.[0];
  const skip = (vague?.split(" ").length ?? 1) - 1;
  const whole = skip === 0 ? undefined : readSimple(words.slice(skip), now);
  if (whole !== undefined) return skip + whole.words;
  const found = readDatedWeekday(words, now);
  return found === undefined || found.isSo ? 0 : found.words;
}

/** The period that starts with the first of these words, if one does. A period never reaches beyond now. */
export function readPeriod(words: readonly string[], nowMs: number, zone: string): FoundPeriod | undefined {
  const now = toLocal(nowMs, zone);
  const found = readAny(words, now);
  if (found === undefined) return undefined;
  if (found.always) return { words: found.words, period: null };
  if (found.rolling !== undefined) {
    const { ms, label } = found.rolling;
    return { words: found.words, period: { from: iso(nowMs - ms), to: iso(nowMs), label } };
  }
  if (found.span === undefined) return undefined;
  const { from, to, label } = found.span;
  const start = from === beginning ? null : toInstant(from, zone);
  // A period that has not begun stays non-empty, so that whoever asks can be told that it lies ahead.
  const until = to === now ? nowMs : Math.min(toInstant(to, zone), Math.max(nowMs, (start ?? nowMs) + 1));
  const end = start === null ? until : Math.max(until, start + 1);
  return { words: found.words, period: { from: start === null ? null : iso(start), to: iso(end), label } };
}

const iso = (ms: number): string => new Date(ms).toISOString();
