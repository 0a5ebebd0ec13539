import type { Statement } from "../statement.ts";
import type { SlotUnit } from "./slot-range.ts";

/** Tables whose rows are counted when they are stored. */
export type CountedTable = "calls" | "outgoing_webhook_requests" | "incoming_webhook_requests";

/** The SQL of lists of histories, and of calls, that differs between the engines. */
export interface HistoryDialect {
  /** The day or minute since 1970 of a UTC time. */
  slotOf(column: Statement, unit: SlotUnit): Statement;
  /** The kept counts of a table's rows by when they were made, or calls came in: `org_id`, `slot` and `requests`. */
  countsOf(table: CountedTable, unit: SlotUnit): Statement;
  /** True if a text contains the other one, case-insensitively; without patterns. */
  hasText(column: Statement, wanted: string): Statement;
}

/** A text as a pattern of RE2, which both engines have: a backslash before whatever is no letter, digit or part of a longer character. */
export const literally = (wanted: string): string => wanted.replace(/[^A-Za-z0-9_\u0080-\uffff]/g, "\\$&");
