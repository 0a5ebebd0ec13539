import { dayMs, type Local, partHours, partNames, startOf } from "../../calendar.ts";
import type { Span } from "./date.ts";
import type { Rule } from "./period-units.ts";

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
