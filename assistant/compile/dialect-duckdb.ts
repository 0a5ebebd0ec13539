import { raw, render, type Statement, sql, text, toLiteral } from "../../warehouse/statement.ts";
import type { Grain, RunningGrain } from "../plan.ts";
import type { Dialect } from "./dialect.ts";

const weekdays = "['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']";

const steps: Readonly<Record<RunningGrain, string>> = {
  hour: "INTERVAL 1 HOUR",
  day: "INTERVAL 1 DAY",
  week: "INTERVAL 7 DAY",
  month: "INTERVAL 1 MONTH",
  quarter: "INTERVAL 3 MONTH",
  year: "INTERVAL 1 YEAR",
};

function local(column: Statement, zone: string): Statement {
  return zone === "UTC" ? column : sql`timezone(${text(zone)}, timezone('UTC', ${column}))`;
}

function bucket(time: Statement, grain: Grain): Statement {
  switch (grain) {
    case "hour":
      return sql`strftime(${time}, '%Y-%m-%d %H:00')`;
    case "day":
      return sql`strftime(${time}, '%Y-%m-%d')`;
    case "week":
      return sql`strftime(date_trunc('week', ${time}), '%Y-%m-%d')`;
    case "month":
      return sql`strftime(${time}, '%Y-%m')`;
    case "quarter":
      return sql`strftime(${time}, '%Y-Q') || quarter(${time})`;
    case "year":
      return sql`strftime(${time}, '%Y')`;
    case "hour_of_day":
      return sql`hour(${time})`;
    default:
      return sql`dayname(${time})`;
  }
}

const startOf = (time: Statement, grain: RunningGrain): Statement => sql`date_trunc('${raw(grain)}', ${time})`;

/** Hours step through real time, so that an hour the clocks skip does not appear; all else steps through the calendar. */
function buckets(grain: RunningGrain, { first, last, zone }: Parameters<Dialect["buckets"]>[1]): Statement {
  const moments = sql`(
    SELECT unnest(generate_series(${first}, ${last}, ${raw(steps[grain])})) AS moment
  )`;
  if (grain !== "hour") return sql`SELECT ${bucket(raw("moment"), grain)} AS ${raw(grain)}\n  FROM ${moments}`;
  return sql`SELECT DISTINCT ${bucket(local(raw("moment"), zone), grain)} AS hour\n  FROM ${moments}`;
}

export const duckdbDialect: Dialect = {
  local,
  bucket,
  startOf,
  buckets,
  recurring: (grain) =>
    grain === "hour_of_day"
      ? sql`SELECT unnest(range(24)) AS hour_of_day`
      : sql`SELECT unnest(${raw(weekdays)}) AS day_of_week`,
  position: (grain, column) => (grain === "day_of_week" ? sql`list_position(${raw(weekdays)}, ${column})` : column),
  quantile: (column, level) => sql`quantile_cont(${column}, ${raw(String(level))})`,
  divide: (part, of) => sql`${part} / nullif(${of}, 0)`,
  contains: (column, wanted) => sql`position(lower(${text(wanted)}) IN lower(${column})) > 0`,
  ordered: (select, { inside }) => sql`${select}${inside}`,
  tag: (column, key) => sql`${column}[${text(key)}]`,
  tagKeys: (column) => sql`unnest(map_keys(${column}))`,
  toReadable: (statement) => render(statement, toLiteral),
  tagPairs: (column) =>
    sql`unnest(list_transform(map_entries(${column}), lambda tag: concat(tag.key, '=', tag.value)))`,
};
