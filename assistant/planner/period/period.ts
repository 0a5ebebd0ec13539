import type { Local } from "../../calendar.ts";
import { isoDate, toInstant, toLocal, yearOf } from "../../calendar.ts";
import type { Period } from "../../plan.ts";
import { parseDayOfMonth } from "../words/tokenize.ts";
import { beginning, dayInWords, findDay, one, parseDate, parseMonth, type Rule, type Span } from "./date.ts";
import { readDatedWeekday, readSimple } from "./period-rules.ts";

interface FoundPeriod {
  readonly words: number;
  /** null: "all time". */
  readonly period: Period | null;
}
/** "from Jan 1 to Jan 15", "between Monday and Friday", "2026-10-01 - 2026-10-15": the last day included. */
const range: Rule = (words, now) => {
  const opened = words[0] === "from" || words[0] === "between" ? 1 : 0;
  const first = readDayOfNext(words.slice(opened), now) ?? readSimple(words.slice(opened), now);
  if (first?.span === undefined) return undefined;
  const joint = words[opened + first.words];
  const joins = words[0] === "between" ? ["and"] : ["to", "until", "till", "til", "through", "thru", "-"];
  if (joint === undefined || !joins.includes(joint)) return undefined;
  const rest = words.slice(opened + first.words + 1);
  if (joint !== "and" && rest[0] === "now")
    return {
      words: words.length - rest.length + 1,
      span: { ...first.span, to: now, label: `since ${first.span.label}` },
    };
  const read = opened + first.words + 1;
  const second = rangeEnd(words.slice(opened), rest, first.span, now);
  if (second === undefined) return undefined;
  const start = inYearOf(words.slice(opened), rest, now) ?? first.span;
  if (second.span.to <= start.from) return undefined;
  return {
    words: read + second.words,
    span: { from: start.from, to: second.span.to, label: `${start.label} to ${second.span.label}` },
  };
};

/** "October 1 to October 31, 2025": the first day is of the year that is said behind the second. */
function inYearOf(firstWords: readonly string[], lastWords: readonly string[], now: Local): Span | undefined {
  const [first, last] = [parseDate(firstWords), parseDate(lastWords)];
  if (first === undefined || first.year !== undefined || last?.year === undefined) return undefined;
  const from = findDay({ ...first, year: last.year }, now);
  return from === undefined ? undefined : one("day", from, isoDate(from));
}

/** "the 1st to the 15th of October": the first day is of the month that the second names. */
const readDayOfNext: Rule = (words, now) => {
  const at = words[0] === "the" ? 1 : 0;
  const day = /^\d{1,2}(st|nd|rd|th)$/.test(words[at] ?? "") ? parseDayOfMonth(words[at]) : dayInWords(words[at]);
  const behind = words.slice(at + 2);
  const second = parseDate(behind[0] === "the" ? behind.slice(1) : behind);
  if (day === undefined || second === undefined) return undefined;
  const from = findDay({ ...second, day }, now);
  return from === undefined ? undefined : { words: at + 1, span: one("day", from, isoDate(from)) };
};

/** The end is the first such day after the start ("Dec 20 to Jan 5"); "Jan 1 to 15" repeats the month. */
function rangeEnd(
  firstWords: readonly string[],
  rest: readonly string[],
  start: Span,
  now: Local,
): { readonly words: number; readonly span: Span } | undefined {
  if (rest[0] === "the" && (parseDate(rest.slice(1)) !== undefined || /^\d{1,2}(st|nd|rd|th)$/.test(rest[1] ?? ""))) {
    const found = rangeEnd(firstWords, rest.slice(1), start, now);
    return found && { ...found, words: found.words + 1 };
  }
  const month = parseMonth(firstWords[0]);
  const isDay = /^\d{1,2}(st|nd|rd|th)?$/.test(rest[0] ?? "") || dayInWords(rest[0], rest[1]) !== undefined;
  const bareDay = isDay && month !== undefined && parseDate(rest) === undefined;
  const words = bareDay ? [month.name.toLowerCase(), ...rest] : rest;
  const end = parseDate(words);
  if (end !== undefined) {
    const from = end.year === undefined ? findDay({ ...end, year: yearOf(start.from) }, now) : findDay(end, now);
    const after =
      from !== undefined && from < start.from && end.year === undefined
        ? findDay({ ...end, year: yearOf(start.from) + 1 }, now)
        : from;
    if (after === undefined) return undefined;
    return { words: end.words - (bareDay ? 1 : 0), span: one("day", after, isoDate(after)) };
  }
  const found = readSimple(rest, now);
  return found?.span === undefined ? undefined : { words: found.words, span: found.span };
}

/** "since the start of October", "since the beginning of the year": the period whose start is meant. */
const readStart: Rule = (words, now) => {
  const started = /^since (?:the |this )?(\w+) (?:started|began|begun)\b/.exec(words.join(" "));
  if (started?.[1] !== undefined) {
    const running = readSimple(["this", started[1]], now);
    if (running !== undefined) return { ...running, words: started[0].split(" ").length - 1 };
  }
  const opening = /^(since|from) (the )?(very )?(start|begin|beginning) of /.exec(words.join(" "))?.[0];
  if (opening === undefined) return undefined;
  const read = opening.trim().split(" ").length - 1;
  const rest = words.slice(read + 1);
  const unit = rest[0] === "the" || rest[0] === "this" ? ["this", ...rest.slice(1)] : rest;
  const found = readSimple(unit, now) ?? readSimple(rest, now);
  return found && { ...found, words: found.words + read };
};

/** "since Monday": until now; "after October": from its end; "before", "until": everything earlier. */
const open: Rule = (words, now) => {
  const side = words[0];
  const start = readStart(words, now);
  if (side === undefined || !["since", "after", "before", "until", "till", "starting"].includes(side)) {
    if (start?.span === undefined) return undefined;
    // "From the start of October until now".
    const isToNow = /^(?:until|till|to|through) (?:now|today|date)(?: |$)/.test(words.slice(start.words + 1).join(" "));
    const { from, label } = start.span;
    return { words: start.words + (isToNow ? 3 : 1), span: { from, to: now, label: `since ${label}` } };
  }
  const found = start ?? readSimple(words.slice(1), now);
  if (found?.span === undefined) return undefined;
  const { from, to, label } = found.span;
  const isSince = side === "since" || side === "starting";
  const span: Span = {
    from: isSince ? from : side === "after" ? to : beginning,
    to: isSince || side === "after" ? now : side === "before" ? from : to,
    label: `${isSince ? "since" : side} ${label}`,
  };
  return { words: found.words + 1, span };
};

/** "Monday, November 17" of a year in which that is a Tuesday: the number of its words, else 0. */
export function readNoDay(words: readonly string[], nowMs: number, zone: string): number {
  const found = readDatedWeekday(words, toLocal(nowMs, zone));
  return found === undefined || found.isSo ? 0 : found.words;
}

/** The period that starts with the first of these words, if one does. A period never reaches beyond now. */
export function readPeriod(words: readonly string[], nowMs: number, zone: string): FoundPeriod | undefined {
  const now = toLocal(nowMs, zone);
  const found = open(words, now) ?? range(words, now) ?? readSimple(words, now);
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
