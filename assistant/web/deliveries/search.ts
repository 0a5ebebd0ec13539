import { searchHash } from "../hash-location.ts";
import { between, instantsOf, isMinute, minuteAt, type SpanEnds } from "../search-span.ts";
import type { Direction } from "./records.ts";

/** A search, as the address has it; an empty text is no condition. */
export type Search = SpanEnds & {
  readonly direction: Direction;
  readonly text: string;
  readonly status: string;
  /** An event of outgoing requests, a type of incoming ones. */
  readonly kind: string;
  /** Hours back from now, or `between` for the span of `from` and `to`. */
  readonly hours: string;
  readonly open: string;
};

export const noSearch: Search = {
  direction: "outgoing",
  text: "",
  status: "",
  kind: "",
  open: "",
  hours: "168",
  from: "",
  to: "",
};

export const statuses = [
  { value: "", label: "Any status" },
  { value: "2xx", label: "2xx – accepted" },
  { value: "3xx", label: "3xx – led elsewhere" },
  { value: "4xx", label: "4xx – refused" },
  { value: "5xx", label: "5xx – failed" },
  { value: "none", label: "No answer" },
] as const;
/** Single statuses that are offered; the address may name any. */
export const codes = [
  200, 201, 202, 204, 301, 302, 307, 308, 400, 401, 403, 404, 405, 408, 409, 410, 413, 415, 422, 429, 500, 501, 502,
  503, 504,
].map(String);

export const spans = [
  { value: "1", label: "Last hour" },
  { value: "24", label: "Last 24 hours" },
  { value: "168", label: "Last 7 days" },
  { value: "720", label: "Last 30 days" },
  { value: "", label: "Any time" },
  { value: between, label: "Between…" },
] as const;

const isCode = (text: string): boolean => /^[1-5]\d\d$/.test(text);

const marks = [5, 15, 30, 45, 60].map((seconds) => `call.on_${seconds}_secs_mark`);
export const kinds: Readonly<Record<Direction, readonly string[]>> = {
  outgoing: [
    "call.incoming",
    "call.connected",
    ...marks,
    "call.hangup",
    "call.failure",
    "call.converted",
    "call.completed",
    "call.updated",
  ],
  incoming: ["call_data", "update_revenue", "update_tags", "update_fields"],
};

/** Reads a search from `deliveries?status=5xx`; parts that are missing or wrong are those of `noSearch`. */
export const readSearch = (hash: string): Search => {
  const given = new URLSearchParams(hash.slice(hash.indexOf("?") + 1 || hash.length));
  const of = (name: keyof Search): string => given.get(name)?.slice(0, 255) ?? noSearch[name];
  const direction = given.get("direction") === "incoming" ? "incoming" : "outgoing";
  const known = (name: "status" | "hours", options: readonly { value: string }[]): string =>
    options.some(({ value }) => value === of(name)) ? of(name) : noSearch[name];
  const hours = known("hours", spans);
  const minuteOf = (name: "from" | "to"): string => (hours === between && isMinute(of(name)) ? of(name) : "");
  return {
    direction,
    text: of("text").slice(0, 200),
    open: of("open"),
    status: isCode(of("status")) ? of("status") : known("status", statuses),
    hours,
    from: minuteOf("from"),
    to: minuteOf("to"),
    kind: kinds[direction].includes(of("kind")) ? of("kind") : "",
  };
};

export const toHash = (search: Search): string => searchHash("deliveries", search, noSearch);

const hourMs = 3_600_000;

/** The minute that was so many hours ago. */
export const minutesAgo = (nowMs: number, hours: number): string => minuteAt(nowMs - hours * hourMs);

/** The span's beginning and end; of two ends the earlier one is the beginning. */
const spanOf = ({ hours, from, to }: Search, nowMs: number): { start_date: string; end_date: string } => {
  if (hours === between) {
    const { start, end } = instantsOf({ from, to });
    return { start_date: start, end_date: end };
  }
  return { start_date: hours === "" ? "" : new Date(nowMs - Number(hours) * hourMs).toISOString(), end_date: "" };
};

/** The search as parameters of the history endpoints. */
export const toParameters = (search: Search, { nowMs, cursor }: { nowMs: number; cursor: string | null }): string => {
  const { direction, text, status, kind } = search;
  const given = {
    text: text.trim(),
    response_status: status,
    ...spanOf(search, nowMs),
    cursor: cursor ?? "",
    limit: "50",
    [direction === "outgoing" ? "event_type_id" : "type"]: kind,
  };
  return new URLSearchParams(Object.entries(given).filter(([, value]) => value !== "")).toString();
};
