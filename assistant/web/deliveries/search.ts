import { searchHash } from "../hash-location.ts";
import { type At, between, isMinute, isSpanName, type Span, spanParameters } from "../period/spans.ts";
import type { Direction } from "./records.ts";

/** A search, as the address has it; an empty text is no condition. */
export type Search = Span & {
  readonly direction: Direction;
  readonly text: string;
  readonly status: string;
  /** An event of outgoing requests, a type of incoming ones. */
  readonly kind: string;
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
  const hours = isSpanName(of("hours"), { withAny: true }) ? of("hours") : noSearch.hours;
  const isStatus = isCode(of("status")) || statuses.some(({ value }) => value === of("status"));
  const minuteOf = (name: "from" | "to"): string => (hours === between && isMinute(of(name)) ? of(name) : "");
  return {
    direction,
    text: of("text").slice(0, 200),
    open: of("open"),
    status: isStatus ? of("status") : noSearch.status,
    hours,
    from: minuteOf("from"),
    to: minuteOf("to"),
    kind: kinds[direction].includes(of("kind")) ? of("kind") : "",
  };
};

export const toHash = (search: Search): string => searchHash("deliveries", search, noSearch);

/** The search as parameters of the history endpoints. */
export const toParameters = (search: Search, { cursor, ...at }: At & { readonly cursor: string | null }): string => {
  const { direction, text, status, kind } = search;
  const given = {
    text: text.trim(),
    response_status: status,
    ...spanParameters(search, at),
    cursor: cursor ?? "",
    limit: "50",
    [direction === "outgoing" ? "event_type_id" : "type"]: kind,
  };
  return new URLSearchParams(Object.entries(given).filter(([, value]) => value !== "")).toString();
};
