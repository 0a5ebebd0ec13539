import type { HistoryDialect } from "./history-dialect.ts";
import { raw, sql, text } from "./statement.ts";
import { slotMs } from "./stretch.ts";

export const duckdbHistoryDialect: HistoryDialect = {
  slotOf: (column, unit) => sql`epoch_ms(${column}) // ${raw(String(slotMs[unit]))}`,
  countsOf: (table, unit) => raw(`loader.${table}_by_${unit}`),
  // Measured on bodies of 500 bytes: up to 25 times as quick as `contains` over `lower`, and never slower.
  hasText: (column, wanted) => sql`regexp_matches(${column}, ${text(literally(wanted))}, 'i')`,
};

/** As the engine's RE2 quotes: a backslash before whatever is no letter, digit or part of a longer character. */
const literally = (wanted: string): string => wanted.replace(/[^A-Za-z0-9_\u0080-\uffff]/g, "\\$&");
