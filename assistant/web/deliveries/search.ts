import type { Direction } from "./records.ts";

/** What is sought, as the address bar has it; the empty text is no condition. */
export type Search = {
  readonly direction: Direction;
  readonly text: string;
  readonly status: string;
  /** An event of those that were sent, a type of those that came. */
  readonly kind: string;
  /** Hours back from now. */
  readonly hours: string;
  readonly open: string;
};

export const noSearch: Search = { direction: "outgoing", text: "", status: "", kind: "", hours: "168", open: "" };

export const statuses = [
  { value: "", label: "Any status" },
  { value: "2xx", label: "2xx – accepted" },
  { value: "4xx", label: "4xx – refused" },
  { value: "5xx", label: "5xx – failed" },
  { value: "none", label: "No answer" },
] as const;

export const spans = [
  { value: "1", label: "Last hour" },
  { value: "24", label: "Last 24 hours" },
  { value: "168", label: "Last 7 days" },
  { value: "720", label: "Last 30 days" },
  { value: "", label: "Any time" },
] as const;

const marks = [5, 15, 30, 45, 60].map((seconds) => `call.on_${seconds}_secs_mark`);
export const kinds: Readonly<Record<Direction, readonly string[]>> = {
  outgoing: [
    ...["call.incoming", "call.connected", ...marks, "call.hangup", "call.failure"],
    ...["call.converted", "call.completed", "call.updated"],
  ],
  incoming: ["call_data", "update_revenue", "update_tags", "update_fields"],
};

/** `deliveries?status=5xx` as a search; what it does not name, or names wrongly, is as at the beginning. */
export const readSearch = (hash: string): Search => {
  const given = new URLSearchParams(hash.slice(hash.indexOf("?") + 1 || hash.length));
  const of = (name: keyof Search): string => given.get(name)?.slice(0, 255) ?? noSearch[name];
  const direction = given.get("direction") === "incoming" ? "incoming" : "outgoing";
  const known = (name: "status" | "hours", options: readonly { value: string }[]): string =>
    options.some(({ value }) => value === of(name)) ? of(name) : noSearch[name];
  return {
    ...{ direction, text: of("text").slice(0, 200), open: of("open") },
    ...{ status: known("status", statuses), hours: known("hours", spans) },
    kind: kinds[direction].includes(of("kind")) ? of("kind") : "",
  };
};

export const toHash = (search: Search): string => {
  const entries = Object.entries(search).filter(([name, value]) => value !== noSearch[name as keyof Search]);
  return entries.length === 0 ? "#deliveries" : `#deliveries?${new URLSearchParams(entries)}`;
};

const hourMs = 3_600_000;

/** The search as the history's own parameters. */
export const toParameters = (search: Search, { nowMs, cursor }: { nowMs: number; cursor: string | null }): string => {
  const { direction, text, status, kind, hours } = search;
  const since = hours === "" ? "" : new Date(nowMs - Number(hours) * hourMs).toISOString();
  const given = {
    ...{ text: text.trim(), response_status: status, start_date: since, cursor: cursor ?? "", limit: "50" },
    [direction === "outgoing" ? "event_type_id" : "type"]: kind,
  };
  return new URLSearchParams(Object.entries(given).filter(([, value]) => value !== "")).toString();
};
