import { raw, sql, text } from "../statement.ts";
import type { RtbDialect } from "./dialect.ts";

const routeType = raw(
  "'Array(Tuple(destination_type Nullable(String), destination_id Nullable(String), buyer_id Nullable(String), payout Nullable(Decimal(18, 4))))'",
);
const formats = { hour: raw("'%Y-%m-%dT%H:00'"), day: raw("'%Y-%m-%d'") };

export const clickhouseRtbDialect: RtbDialect = {
  bucket: (column, group, zone) => sql`formatDateTime(${column}, ${formats[group]}, ${text(zone)})`,
  quantile: (column, level, where) =>
    sql`quantileExactInclusive(${raw(String(level))})(${column}) FILTER (WHERE ${where})`,
  offeredRoutes: (where) => sql`
    SELECT request_id, created_at, outcome, allocated_count, processing_ms, place,
           tupleElement(route, 'destination_type') AS destination_type,
           tupleElement(route, 'destination_id') AS destination_id,
           tupleElement(route, 'buyer_id') AS buyer_id, tupleElement(route, 'payout') AS payout
    FROM (
      SELECT request_id, created_at, outcome, allocated_count, processing_ms,
             JSONExtract(ifNull(eligible_routes, '[]'), ${routeType}) AS routes
      FROM inbound_rtb_requests WHERE ${where})
    ARRAY JOIN routes AS route, arrayEnumerate(routes) AS place`,
};
