import { raw, sql, text } from "../statement.ts";
import type { HistoryDialect } from "./dialect.ts";
import { literally } from "./dialect.ts";
import { slotMs } from "./slot-range.ts";

export const clickhouseHistoryDialect: HistoryDialect = {
  // `floor`, since a division of whole numbers cuts towards zero, and so moves what was before 1970.
  slotOf: (column, unit) => sql`toInt64(floor(toUnixTimestamp64Milli(${column}) / ${raw(String(slotMs[unit]))}))`,
  countsOf: (table, unit) =>
    raw(`(SELECT org_id, slot, sum(requests) AS requests FROM shown_counts
      WHERE counted = '${table}' AND unit = '${unit}' GROUP BY org_id, slot)`),
  hasText: (column, wanted) => sql`match(${column}, ${text(`(?i)${literally(wanted)}`)})`,
};
