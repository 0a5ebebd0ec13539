import { addUnits, dayMs, type Local, startOf, toInstant, toLocal } from "../../calendar.ts";
import { toDates } from "../../phrasing/dates.ts";
import type { RunningGrain } from "../../plan.ts";

/** The choice of a span whose ends are given, beside those by a name. */
export const between = "between";

/** Minutes of UTC, as `2026-11-21T19:30`; an empty end is open. */
export type SpanEnds = { readonly from: string; readonly to: string };

/** A span, as addresses have it: one of `namedSpans`, empty for any time, or `between` for the ends that are given. */
export type Span = SpanEnds & { readonly hours: string };

/** The time at which a span is read, and the zone of its days. */
export type At = { readonly nowMs: number; readonly zone: string };

const minute = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;
export const isMinute = (text: string): boolean => minute.test(text) && !Number.isNaN(Date.parse(`${text}Z`));
export const minuteAt = (ms: number): string => new Date(ms).toISOString().slice(0, "2026-11-21T19:30".length);

/** Wall-clock times; a span without an end is still running. */
type Bounds = { readonly start: Local; readonly end: Local | null };
type Bounded = (now: Local) => Bounds;

const hourMs = 3_600_000;
const lastHours =
  (hours: number): Bounded =>
  (now) => ({ start: now - hours * hourMs, end: null });
const since =
  (unit: RunningGrain, count = 0): Bounded =>
  (now) => ({ start: addUnits(unit, startOf(unit, now), -count), end: null });
const before =
  (unit: RunningGrain, count = 1): Bounded =>
  (now) => ({ start: addUnits(unit, startOf(unit, now), -count), end: startOf(unit, now) });

type Named = { readonly value: string; readonly label: string; readonly bounds: Bounded };
const named = (value: string, label: string, bounds: Bounded): Named => ({ value, label, bounds });

const days: readonly Named[] = [named("today", "Today", since("day")), named("yesterday", "Yesterday", before("day"))];
const calendar: readonly Named[] = [
  named("week", "This week", since("week")),
  named("last_week", "Last week", before("week")),
  named("month", "This month", since("month")),
  named("last_month", "Last month", before("month")),
  named("quarter", "This quarter", since("quarter")),
  named("last_quarter", "Last quarter", before("quarter")),
];

/** The spans of lists of records, up to now or whole. */
export const recordSpans: readonly Named[] = [
  named("1", "Last hour", lastHours(1)),
  named("24", "Last 24 hours", lastHours(24)),
  ...days,
  named("168", "Last 7 days to now", since("day", 7)),
  named("720", "Last 30 days to now", since("day", 30)),
  ...calendar,
];

/** The spans of questions, whose labels are read as words: "last 7 days" are whole days before today. */
export const questionSpans: readonly Named[] = [
  ...days,
  named("last_7_days", "Last 7 days", before("day", 7)),
  named("last_30_days", "Last 30 days", before("day", 30)),
  ...calendar,
];

/** True for a span that an address may name; `withAny` where any time may be chosen, too. */
export const isSpanName = (text: string, { withAny = false } = {}): boolean =>
  text === between || (withAny && text === "") || recordSpans.some(({ value }) => value === text);

const isoOf = (ms: number): string => new Date(ms).toISOString();

/** The ends as instants, of two the earlier one first; null for an open one. */
const givenEnds = ({ from, to }: SpanEnds): { readonly start: string | null; readonly end: string | null } => {
  const [start = "", end = ""] = from !== "" && to !== "" ? [from, to].sort() : [from, to];
  const iso = (text: string): string | null => (text === "" ? null : isoOf(Date.parse(`${text}Z`)));
  return { start: iso(start), end: iso(end) };
};

/** The beginning and the end of a span as instants; null for an open end, which is now for one that is running. */
export const spanOf = (
  { hours, from, to }: Span,
  { nowMs, zone }: At,
): { readonly start: string | null; readonly end: string | null } => {
  if (hours === between) return givenEnds({ from, to });
  const bounds = recordSpans.find(({ value }) => value === hours)?.bounds;
  if (bounds === undefined) return { start: null, end: null };
  // Hours are counted in time, not on the clock, which may be changed in between.
  if (hours === "1" || hours === "24") return { start: isoOf(nowMs - Number(hours) * hourMs), end: null };
  const { start, end } = bounds(toLocal(nowMs, zone));
  return { start: isoOf(toInstant(start, zone)), end: end === null ? null : isoOf(toInstant(end, zone)) };
};

/** The span's ends as parameters of requests; an open end has none. */
export const spanParameters = (span: Span, at: At): Readonly<Record<string, string>> => {
  const { start, end } = spanOf(span, at);
  return { ...(start !== null && { start_date: start }), ...(end !== null && { end_date: end }) };
};

/** True where the span has an end: no record that comes in now belongs to it. */
export const isPast = ({ hours, to }: Span): boolean =>
  hours === "yesterday" || hours.startsWith("last_") || (hours === between && to !== "");

/** The dates of a span of whole days, "Nov 23 – 27, 2026"; empty for the last hours. */
export const datesOf = ({ value, bounds }: Named, { nowMs, zone }: At): string => {
  if (value === "1" || value === "24") return "";
  const now = toLocal(nowMs, zone);
  const { start, end } = bounds(now);
  const last = end ?? startOf("day", now) + dayMs;
  return toDates({ from: isoOf(start), to: isoOf(last) }, "UTC");
};

/** The dates of ends that are given: "Nov 1 – 20, 2026", "since Nov 1, 2026"; empty where both are open. */
export const endsWords = (ends: SpanEnds, zone: string): string => {
  const { start, end } = givenEnds(ends);
  if (end !== null) return toDates({ from: start, to: end }, zone);
  return start === null ? "" : toDates({ from: null, to: start }, zone).replace("before", "since");
};

/** A span in a sentence: "in the last 24 hours", "last month", "yesterday", "in this period". */
export const spanWords = ({ hours }: Pick<Span, "hours">): string => {
  const label = recordSpans.find(({ value }) => value === hours)?.label.toLowerCase();
  if (label === undefined) return "in this period";
  return /^last (hour|\d)/.test(label) ? `in the ${label}` : label;
};
