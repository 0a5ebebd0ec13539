import type { Topic } from "../ingest/log/log.ts";
import { WarehouseError } from "./warehouse.ts";

/** The table of a topic's messages; a message field fills the column of its name. */
export interface TableOfTopic {
  readonly table: string;
  /** Only messages of this `kind` belong in it; all when absent. */
  readonly kind?: string;
  /** The column that identifies a row. */
  readonly key: string;
  /** The time that never changes for a key: it narrows the search for the row. */
  readonly time: string;
  /** `latest`: the highest `version` replaces the row; `once`: a row that is there stays. */
  readonly keep: "latest" | "once";
  /** Rows are counted by organization, day and minute, so that lists find their pages at any depth. */
  readonly counted?: true;
  /** The start of the whole that the row is a part of: the row is shown no longer than that. */
  readonly wholeTime?: string;
}

/** Topics that the loader stores, each with its tables. */
export const tablesByTopic = {
  "call-events": [
    { table: "calls", key: "call_id", time: "started_at", keep: "latest", counted: true },
    { table: "call_events", key: "id", time: "occurred_at", keep: "once", wholeTime: "started_at" },
  ],
  "webhook-deliveries": [
    {
      table: "outgoing_webhook_requests",
      kind: "outgoing",
      key: "id",
      time: "created_at",
      keep: "once",
      counted: true,
    },
    {
      table: "incoming_webhook_requests",
      kind: "incoming",
      key: "id",
      time: "created_at",
      keep: "once",
      counted: true,
    },
  ],
  "rtb-requests": [
    { table: "inbound_rtb_requests", kind: "inbound", key: "request_id", time: "created_at", keep: "once" },
    { table: "outbound_rtb_requests", kind: "outbound", key: "id", time: "created_at", keep: "once" },
  ],
  "audit-log": [{ table: "audit_logs", key: "id", time: "created_at", keep: "once" }],
  "call-traces": [{ table: "call_traces", key: "id", time: "occurred_at", keep: "once" }],
} as const satisfies Partial<Record<Topic, readonly TableOfTopic[]>>;

export type LoadedTopic = keyof typeof tablesByTopic;
export const loadedTopics = Object.keys(tablesByTopic) as LoadedTopic[];
export const allTables = loadedTopics.flatMap((topic): readonly TableOfTopic[] => tablesByTopic[topic]);

/** Columns that a store makes of others: no message has them. */
export const derivedColumns: readonly string[] = ["tag_pairs"];

/** Returns the table of the rows; the plain name is the view of those that are shown. */
export const storedIn = (table: string): string => `stored_${table}`;

export function toLoadedTopic(topic: Topic): LoadedTopic {
  const loaded = loadedTopics.find((each) => each === topic);
  if (loaded === undefined) throw new WarehouseError("query_invalid", `The warehouse stores no topic ${topic}.`);
  return loaded;
}
