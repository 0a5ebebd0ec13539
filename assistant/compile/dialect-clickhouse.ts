import { unreachable } from "../../ingest/primitives.ts";
import { shownVersions } from "../../warehouse/clickhouse/shown.ts";
import { join, raw, render, type SqlValue, type Statement, sql, text, toLiteral } from "../../warehouse/statement.ts";
import { partHours, workdays } from "../calendar.ts";
import type { Grain, RunningGrain } from "../plan.ts";
import { type Dialect, isNamed, labelsOf, stepsOf } from "./dialect.ts";

/** Wall-clock time, represented as UTC. */
const local = (column: Statement, zone: string): Statement =>
  zone === "UTC" ? column : sql`${column} + toIntervalSecond(timeZoneOffset(toTimeZone(${column}, ${text(zone)})))`;

function bucket(time: Statement, grain: Grain): Statement {
  switch (grain) {
    case "hour":
      return sql`formatDateTime(${time}, '%Y-%m-%d %H:00')`;
    case "day":
      return sql`formatDateTime(${time}, '%Y-%m-%d')`;
    case "week":
      return sql`formatDateTime(toMonday(${time}), '%Y-%m-%d')`;
    case "month":
      return sql`formatDateTime(${time}, '%Y-%m')`;
    case "quarter":
      return sql`formatDateTime(${time}, '%Y-Q%Q')`;
    case "year":
      return sql`formatDateTime(${time}, '%Y')`;
    case "hour_of_day":
      return sql`toHour(${time})`;
    case "day_of_week":
      return sql`formatDateTime(${time}, '%W')`;
    case "kind_of_day":
      return sql`if(toDayOfWeek(${time}) > ${raw(String(workdays))}, 'weekend', 'weekday')`;
    case "part_of_day":
      return sql`${labelsOf(grain)}[intDiv(toHour(${time}), ${raw(String(partHours))}) + 1]`;
    default:
      return unreachable(grain);
  }
}

const startOf = (time: Statement, grain: RunningGrain): Statement =>
  sql`toDateTime64(date_trunc('${raw(grain)}', ${time}), 3, 'UTC')`;

/**
 * Hours step through real time, so that an hour the clocks skip does not appear, by quarters, since no whole hours are
 * between some zones and UTC; all else steps through the calendar.
 */
function buckets(grain: RunningGrain, { first, last, zone, where }: Parameters<Dialect["buckets"]>[1]): Statement {
  const { unit, width } =
    grain === "hour" ? { unit: raw("minute"), width: raw("15") } : { unit: raw(grain), width: raw("1") };
  const moments = sql`(
    SELECT date_add(${unit}, arrayJoin(range(0, toUInt64(ifNull(greatest(dateDiff('${unit}', first, last) + 1, 0), 0)), ${width})), first) AS moment
    FROM (SELECT ${first} AS first, ${last} AS last)
  )`;
  const at = grain === "hour" ? local(raw("moment"), zone) : raw("moment");
  const wanted = where(at);
  const only = wanted.length === 0 ? raw("") : sql`\n  WHERE ${join(wanted, " AND ")}`;
  return sql`SELECT ${raw(grain === "hour" ? "DISTINCT " : "")}${bucket(at, grain)} AS ${raw(grain)}\n  FROM ${moments}${only}`;
}

/** The engine reads a backslash in a text as an escape. */
const toClickhouseLiteral = (value: SqlValue): string => {
  if (value.kind === "text") return toLiteral(text(value.value.replaceAll("\\", "\\\\")));
  return value.kind === "time"
    ? `toDateTime64('${value.value.toISOString().slice(0, 23)}', 3, 'UTC')`
    : toLiteral(value);
};

export const clickhouseDialect: Dialect = {
  local,
  bucket,
  startOf,
  buckets,
  recurring: (grain) =>
    grain === "hour_of_day"
      ? sql`SELECT toUInt8(arrayJoin(range(24))) AS hour_of_day`
      : sql`SELECT arrayJoin(${labelsOf(grain)}) AS ${raw(grain)}`,
  position: (grain, column) => (isNamed(grain) ? sql`indexOf(${labelsOf(grain)}, ${column})` : column),
  // A decimal would be divided to as few decimals as it has.
  bin: (column, width) => stepsOf(sql`toFloat64(${column})`, width),
  contains: (column, wanted) => sql`position(lowerUTF8(${column}), lowerUTF8(${text(wanted)})) > 0`,
  // Inside, a name means the table's column, also where the answer's column hides it.
  ordered: (select, { outside }) => sql`SELECT * FROM (\n${select}\n) AS answer${outside}`,
  quantile: (column, level) => sql`quantileExactInclusive(${raw(String(level))})(toFloat64(${column}))`,
  // Decimals would be divided to as few decimals as they have.
  divide: (part, of) => sql`toFloat64(${part}) / nullif(${of}, 0)`,
  // A key that a map lacks would be an empty text.
  tag: (column, key) => sql`if(has(mapKeys(${column}), ${text(key)}), ${column}[${text(key)}], NULL)`,
  // Merging the versions of a row costs nine times what reading them does.
  anyVersions: shownVersions,
  tagKeys: (column) => sql`arrayJoin(mapKeys(${column}))`,
  tagPairs: (column) =>
    sql`arrayJoin(arrayMap((key, value) -> concat(key, '=', value), mapKeys(${column}), mapValues(${column})))`,
  toReadable: (statement) => render(statement, toClickhouseLiteral),
};
