import { tagPairs, toTagPair } from "../duckdb/tag-pairs.ts";
import { duckdbHistoryDialect } from "../history/dialect-duckdb.ts";
import { raw, sql, text } from "../statement.ts";
import type { ReportDialect } from "./report-dialect.ts";

const formats = { hour: "%Y-%m-%dT%H:00", day: "%Y-%m-%d", week: "%Y-%m-%d", month: "%Y-%m" } as const;

export const duckdbReportDialect: ReportDialect = {
  ...duckdbHistoryDialect,
  calendar(column, unit, zone) {
    const local = zone === "UTC" ? column : sql`timezone(${text(zone)}, timezone('UTC', ${column}))`;
    const start = unit === "week" ? sql`date_trunc('week', ${local})` : local;
    return sql`strftime(${start}, ${raw(`'${formats[unit]}'`)})`;
  },
  tag: (column, key) => sql`${column}[${text(key)}]`,
  hasTag: (key, value) => sql`contains(${raw(tagPairs)}, ${text(toTagPair(key, value))})`,
  isAllowed: (column, field) =>
    sql`coalesce(CAST(json_extract_string(${column}, ${raw(`'$.${field}'`)}) AS BOOLEAN), true)`,
  isTotal: (column) => sql`GROUPING(${column}) = 1`,
};
