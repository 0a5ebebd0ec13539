import { dayMs } from "../../../ingest/time-zone.ts";
import { searchHash } from "../hash-location.ts";
import { type At, between, isMinute, isSpanName, minuteAt, type Span, spanParameters } from "../period/spans.ts";

/** A search of the call log, as the address has it; an empty text is no condition. */
export type CallSearch = Span & {
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
  hours: (text) => isSpanName(text),
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

/** A span as parameters of the call log, which begins a day before the end of one that has no beginning. */
export const spanOfCalls = (span: Span, at: At): Readonly<Record<string, string>> => {
  if (span.hours !== between || span.from !== "") return spanParameters(span, at);
  const endMs = span.to === "" ? at.nowMs : Date.parse(`${span.to}Z`);
  return spanParameters({ ...span, from: minuteAt(endMs - dayMs) }, at);
};

/** A search with its span as parameters of the call log, its export and its summary. */
export const parametersOf = (search: CallSearch, at: At): Record<string, string> => ({
  ...conditionsOf(search),
  ...spanOfCalls(search, at),
});

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
