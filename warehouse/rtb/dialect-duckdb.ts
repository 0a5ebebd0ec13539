import { raw, sql, text } from "../statement.ts";
import type { RtbDialect } from "./dialect.ts";

const routeShape = raw(
  `'[{"destination_type":"VARCHAR","destination_id":"VARCHAR","buyer_id":"VARCHAR","payout":"DECIMAL(18,4)"}]'`,
);
const formats = { hour: raw("'%Y-%m-%dT%H:00'"), day: raw("'%Y-%m-%d'") };

export const duckdbRtbDialect: RtbDialect = {
  bucket(column, group, zone) {
    const local = zone === "UTC" ? column : sql`timezone(${text(zone)}, timezone('UTC', ${column}))`;
    return sql`strftime(${local}, ${formats[group]})`;
  },
  quantile: (column, level, where) => sql`quantile_cont(${column}, ${raw(String(level))}) FILTER (WHERE ${where})`,
  offeredRoutes: (where) => sql`
    SELECT request_id, created_at, outcome, allocated_count, processing_ms, place, route.destination_type,
           route.destination_id, route.buyer_id, route.payout
    FROM (
      SELECT *, unnest(routes) AS route, generate_subscripts(routes, 1) AS place
      FROM (
        SELECT request_id, created_at, outcome, allocated_count, processing_ms,
               from_json(eligible_routes, ${routeShape}) AS routes
        FROM inbound_rtb_requests WHERE ${where}))`,
};
