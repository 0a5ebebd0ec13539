import type { HistoryDialect } from "../history/dialect.ts";
import type { Statement } from "../statement.ts";

/** Stretches of a clock on the wall: weeks begin on Mondays. */
export const calendarUnits = ["hour", "day", "week", "month"] as const;
export type CalendarUnit = (typeof calendarUnits)[number];

/** The SQL of reports on calls that differs between the engines. */
export interface ReportDialect extends HistoryDialect {
  /** A UTC time as the text of its stretch in a zone: `2026-11-02T15:00`, `2026-11-02` of a day or a week's Monday, `2026-11`. */
  calendar(column: Statement, unit: CalendarUnit, zone: string): Statement;
  /** The value of a tag; null where a call has none of that key. */
  tag(column: Statement, key: string): Statement;
  /** Holds for rows of `calls` that have the tag with that value. */
  hasTag(key: string, value: string): Statement;
  /** A boolean field of a JSON document; true where there is none. */
  isAllowed(column: Statement, field: string): Statement;
  /** True for the rows of GROUPING SETS that total over the column. */
  isTotal(column: Statement): Statement;
}
