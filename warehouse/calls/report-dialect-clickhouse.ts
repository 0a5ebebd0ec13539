import { literally } from "../history/dialect.ts";
import { slotMs } from "../history/slot-range.ts";
import { raw, sql, text } from "../statement.ts";
import type { ReportDialect } from "./report-dialect.ts";

const formats = { hour: "%Y-%m-%dT%H:00", day: "%Y-%m-%d", week: "%Y-%m-%d", month: "%Y-%m" } as const;

// A key that a map lacks would be an empty text.
const tag: ReportDialect["tag"] = (column, key) =>
  sql`if(has(mapKeys(${column}), ${text(key)}), ${column}[${text(key)}], NULL)`;

export const clickhouseReportDialect: ReportDialect = {
  // `floor`, since a division of whole numbers cuts towards zero, and so moves what was before 1970.
  slotOf: (column, unit) => sql`toInt64(floor(toUnixTimestamp64Milli(${column}) / ${raw(String(slotMs[unit]))}))`,
  countsOf: (table, unit) =>
    raw(`(SELECT org_id, slot, sum(requests) AS requests FROM shown_counts
      WHERE counted = '${table}' AND unit = '${unit}' GROUP BY org_id, slot)`),
  hasText: (column, wanted) => sql`match(${column}, ${text(`(?i)${literally(wanted)}`)})`,
  calendar(column, unit, zone) {
    const local = sql`toTimeZone(${column}, ${text(zone)})`;
    const start = unit === "week" ? sql`toMonday(${local})` : local;
    return sql`formatDateTime(${start}, ${raw(`'${formats[unit]}'`)})`;
  },
  tag,
  hasTag: (key, value) => sql`${tag(raw("tags"), key)} = ${text(value)}`,
  isAllowed: (column, field) => sql`ifNull(JSONExtract(${column}, ${raw(`'${field}'`)}, 'Nullable(Bool)'), true)`,
  isTotal: (column) => sql`CAST(GROUPING(${column}) = 1 AS Bool)`,
};
