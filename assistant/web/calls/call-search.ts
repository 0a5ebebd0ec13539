import { dayMs, localTime, startOfDate } from "../../../ingest/time-zone.ts";
import { searchHash } from "../hash-location.ts";
import { between, instantsOf, isMinute, minuteAt, type SpanEnds } from "../search-span.ts";

/** A search of the call log, as the address has it; an empty text is no condition. */
export type CallSearch = SpanEnds & {
  /** One of `spans`: hours back from now, a calendar span of the organization's zone, or `between` for `from` and `to`. */
  readonly hours: string;
  readonly status: string;
  readonly reason: string;
  readonly caller: string;
  readonly number: string;
  readonly campaign: string;
  readonly publisher: string;
  readonly buyer: string;
  readonly target: string;
  readonly rtb: string;
  readonly converted: string;
  readonly duplicate: string;
  /** Whole seconds, menus included. */
  readonly min: string;
  /** `utm_source=google` */
  readonly tag: string;
  /** The place in the list: a cursor of the server's. */
  readonly page: string;
};

export const noSearch: CallSearch = {
  hours: "24",
  from: "",
  to: "",
  status: "",
  reason: "",
  caller: "",
  number: "",
  campaign: "",
  publisher: "",
  buyer: "",
  target: "",
  rtb: "",
  converted: "",
  duplicate: "",
  min: "",
  tag: "",
  page: "",
};

export const spans = [
  { value: "1", label: "Last hour" },
  { value: "24", label: "Last 24 hours" },
  { value: "today", label: "Today" },
  { value: "yesterday", label: "Yesterday" },
  { value: "168", label: "Last 7 days" },
  { value: "720", label: "Last 30 days" },
  { value: "month", label: "This month" },
  { value: "last_month", label: "Last month" },
  { value: between, label: "Between…" },
] as const;

export const statuses = [
  { value: "", label: "Any state" },
  { value: "live", label: "Live" },
  { value: "completed", label: "Completed" },
  { value: "failed", label: "Not connected" },
] as const;

export const flags = [
  { value: "", label: "Either" },
  { value: "true", label: "Yes" },
  { value: "false", label: "No" },
] as const;

const isOption = (options: readonly { readonly value: string }[], text: string): boolean =>
  options.some(({ value }) => value === text);

const checks: Partial<Record<keyof CallSearch, (text: string) => boolean>> = {
  hours: (text) => isOption(spans, text),
  from: isMinute,
  to: isMinute,
  status: (text) => isOption(statuses, text),
  converted: (text) => isOption(flags, text),
  duplicate: (text) => isOption(flags, text),
  min: (text) => /^\d{1,6}$/.test(text),
  tag: (text) => /^[^=]{1,64}=/.test(text),
};

// Cursors are longer than anything that is typed.
const maxLength = 2048;

/** Reads a search from `calls?status=failed`; parts that are missing or wrong are those of `noSearch`. */
export const readCallSearch = (hash: string): CallSearch => {
  const given = new URLSearchParams(hash.slice(hash.indexOf("?") + 1 || hash.length));
  const read = Object.fromEntries(
    Object.entries(noSearch).map(([name, otherwise]) => {
      const text = given.get(name)?.slice(0, maxLength) ?? otherwise;
      return [name, checks[name as keyof CallSearch]?.(text) === false ? otherwise : text];
    }),
  ) as CallSearch;
  return read.hours === between ? read : { ...read, from: "", to: "" };
};

export const toHash = (search: CallSearch): string => searchHash("calls", search, noSearch);

const hourMs = 3_600_000;
const isoOf = (ms: number): string => new Date(ms).toISOString();

/** The beginning and the end of a search's span in the zone; an end of null is now. */
export const spanOf = (
  { hours, from, to }: Pick<CallSearch, "hours" | "from" | "to">,
  { nowMs, zone }: { readonly nowMs: number; readonly zone: string },
): { readonly start: string; readonly end: string | null } => {
  const { year, month, day } = localTime(zone, nowMs);
  const dateStart = (date: { readonly year: number; readonly month: number; readonly day: number }) =>
    isoOf(startOfDate(zone, date));
  switch (hours) {
    case "today":
      return { start: dateStart({ year, month, day }), end: null };
    case "yesterday":
      return { start: dateStart({ year, month, day: day - 1 }), end: dateStart({ year, month, day }) };
    case "month":
      return { start: dateStart({ year, month, day: 1 }), end: null };
    case "last_month":
      return { start: dateStart({ year, month: month - 1, day: 1 }), end: dateStart({ year, month, day: 1 }) };
    case between: {
      const { start, end } = instantsOf({ from, to });
      const endMs = end === "" ? null : Date.parse(end);
      const startMs = start === "" ? (endMs ?? nowMs) - dayMs : Date.parse(start);
      return { start: isoOf(startMs), end: endMs === null ? null : isoOf(endMs) };
    }
    default:
      return { start: isoOf(nowMs - Number(hours) * hourMs), end: null };
  }
};

/** True where the span has an end: no call that comes in now belongs to it. */
export const isPast = ({ hours, to }: Pick<CallSearch, "hours" | "to">): boolean =>
  hours === "yesterday" || hours === "last_month" || (hours === between && to !== "");

/** The conditions of a search but its span and its place, as parameters of the call log. */
export const conditionsOf = (search: CallSearch): Record<string, string> => {
  const [key = "", ...value] = search.tag.split("=");
  const given: Record<string, string> = {
    live: search.status === "live" ? "true" : "",
    status: search.status === "live" ? "" : search.status,
    failure_reason: search.reason,
    caller_id: search.caller,
    number: search.number,
    campaign_id: search.campaign,
    publisher_id: search.publisher,
    buyer_id: search.buyer,
    target_id: search.target,
    rtb_id: search.rtb,
    converted: search.converted,
    duplicate: search.duplicate,
    min_duration: search.min,
  };
  const set = Object.entries(given).filter(([, text]) => text !== "");
  return Object.fromEntries([...set, ...(key === "" ? [] : [[`tag.${key}`, value.join("=")]])]);
};

type At = { readonly nowMs: number; readonly zone: string };

/** A search with its span as parameters of the call log, its export and its summary. */
export const parametersOf = (search: CallSearch, at: At): Record<string, string> => {
  const { start, end } = spanOf(search, at);
  return { ...conditionsOf(search), start_date: start, ...(end !== null && { end_date: end }) };
};

/** The ends of a span that was chosen by its name, to be moved: minutes of UTC. */
export const endsOf = (search: CallSearch, at: At): SpanEnds => {
  const { start, end } = spanOf(search, at);
  return { from: minuteAt(Date.parse(start)), to: minuteAt(end === null ? at.nowMs : Date.parse(end)) };
};

/** Reads the text of the search box: a caller's number, or a call's id. */
export const readSought = (text: string): { readonly caller: string } | { readonly call: string } => {
  const words = text.trim();
  return /^\+?[\d\s().-]{7,20}$/.test(words) ? { caller: words } : { call: words.replace(/^call\s+/i, "") };
};

/** The id of `call <id>`, alone in the question box; null for a question. Ids have digits, and no words do at that length. */
export const callIdOf = (question: string): string | null => {
  const [, id = ""] = /^(?:call\s+)?([\w:-]{16,64})$/i.exec(question.trim()) ?? [];
  return /\d/.test(id) ? id : null;
};
