import { count, dollars, label, milliseconds } from "../cells.ts";
import { join, raw, type Statement, sql, text } from "../statement.ts";
import type { Row } from "../warehouse.ts";
import { callsSince } from "./calls.ts";
import type { RtbDialect, TimeGroup } from "./dialect.ts";
import { within } from "./requests.ts";
import {
  isTimeGroup,
  ordering,
  percentiles,
  readGroups,
  type Stats,
  type StatsAsked,
  type StatsStore,
  share,
} from "./stats.ts";

export const inboundGroups = [
  "inbound_rtb",
  "campaign",
  "publisher",
  "buyer",
  "target",
  "reason",
  "hour",
  "day",
] as const;
export type InboundGroup = (typeof inboundGroups)[number];
/** Groups of a ping's routes: a ping counts in each group that it was offered a route of. */
type RouteGroup = "buyer" | "target";
type PingGroup = Exclude<InboundGroup, TimeGroup | RouteGroup>;

const columns: Readonly<Record<PingGroup, { readonly key: string; readonly name: string }>> = {
  inbound_rtb: { key: "inbound_rtb_id", name: "NULL" },
  campaign: { key: "campaign_id", name: "campaign_name" },
  publisher: { key: "publisher_id", name: "publisher_name" },
  reason: { key: "reason", name: "reason" },
};
const isRouteGroup = (group: InboundGroup): group is RouteGroup => group === "buyer" || group === "target";

/**
 * Pings of publishers in groups, with what came of them. A repeat is answered from memory: it counts as
 * a request and as filled, but offers and allocates nothing, and no call is counted for it.
 */
export async function inboundStats(
  { warehouse, dialect }: StatsStore,
  asked: StatsAsked<InboundGroup>,
): Promise<Stats<InboundRow>> {
  const { rows, truncated } = await readGroups(warehouse, statement(dialect, asked));
  return { rows: rows.map(toRow), truncated };
}

/** `asks` is the id under which a ping receives calls, empty for its repeats: one column to join by, which is what is fast. */
function statement(dialect: RtbDialect, asked: StatsAsked<InboundGroup>): Statement {
  const { groupBy } = asked;
  return sql`
    WITH pings AS (${isRouteGroup(groupBy) ? pingsByRoute(dialect, { ...asked, groupBy }) : pingsAlone(dialect, { ...asked, groupBy })}),
    ranked AS (
      SELECT *, CASE WHEN row_number() OVER (
        PARTITION BY request_id, key ORDER BY CASE WHEN outcome = 'cached' THEN 1 ELSE 0 END, created_at) = 1
        THEN request_id END AS asks
      FROM pings),
    came AS (${callsOfPings(asked)})
    SELECT key, max(name) AS name, count(*) AS requests, ${counts}, sum(came.calls) AS calls_received,
           sum(came.connected) AS calls_connected, sum(came.converted) AS converted,
           avg(best_payout) AS avg_payout, max(best_payout) AS max_payout,
           ${percentiles(dialect, raw("processing_ms"), raw("processing_ms >= 0"))}
    FROM ranked LEFT JOIN came
      ON came.request_id = ranked.asks ${raw(isRouteGroup(groupBy) ? "AND came.went_to = ranked.key" : "")}
    GROUP BY key ${ordering(groupBy, "requests")}`;
}

const outcomeCount = (name: string, where: string): string => `sum(CASE WHEN ${where} THEN 1 ELSE 0 END) AS ${name}`;
const fresh = (column: string): string => `sum(CASE WHEN outcome = 'cached' THEN 0 ELSE ${column} END)`;
const counts = raw(
  [
    outcomeCount("with_routes", "outcome = 'routes'"),
    outcomeCount("no_routes", "outcome = 'no_routes'"),
    outcomeCount("cached", "outcome = 'cached'"),
    outcomeCount("rate_limited", "outcome = 'rate_limited'"),
    outcomeCount("filled", "routes > 0"),
    `${fresh("routes")} AS routes_offered`,
    `${fresh("allocated")} AS allocated`,
  ].join(", "),
);

function pingsAlone(dialect: RtbDialect, asked: StatsAsked<PingGroup | TimeGroup>): Statement {
  const { orgId, period, groupBy, timezone } = asked;
  const grouping = isTimeGroup(groupBy)
    ? sql`${dialect.bucket(raw("created_at"), groupBy, timezone)} AS key, NULL AS name`
    : raw(`${columns[groupBy].key} AS key, ${columns[groupBy].name} AS name`);
  return sql`
      SELECT request_id, created_at, ${grouping}, outcome, total_routes AS routes, allocated_count AS allocated,
             best_payout, processing_ms
      FROM inbound_rtb_requests WHERE ${join(within(orgId, period), " AND ")}`;
}

/** Routes are kept best first and numbers are given in that order, so the first ones are those with a number. */
function pingsByRoute({ offeredRoutes }: RtbDialect, asked: StatsAsked<RouteGroup>): Statement {
  const { orgId, period, groupBy } = asked;
  const key = raw(groupBy === "buyer" ? "buyer_id" : "destination_id");
  const named = raw(groupBy === "buyer" ? "buyer_id IS NOT NULL" : "destination_type = 'target'");
  return sql`
      SELECT request_id, created_at, ${key} AS key, NULL AS name, outcome, count(*) AS routes,
             sum(CASE WHEN place <= allocated_count THEN 1 ELSE 0 END) AS allocated,
             max(payout) AS best_payout, processing_ms
      FROM (${offeredRoutes(join(within(orgId, period), " AND "))}) AS offered
      WHERE ${named} GROUP BY request_id, created_at, ${key}, outcome, processing_ms`;
}

function callsOfPings({ orgId, period, groupBy }: StatsAsked<InboundGroup>): Statement {
  const wentTo = isRouteGroup(groupBy) ? raw(groupBy === "buyer" ? "buyer_id" : "target_id") : raw("NULL");
  return sql`
      SELECT inbound_request_id AS request_id, ${wentTo} AS went_to, count(*) AS calls, count(connected_at) AS connected,
             sum(CASE WHEN converted THEN 1 ELSE 0 END) AS converted
      FROM calls WHERE org_id = ${text(orgId)} AND inbound_request_id IS NOT NULL AND ${callsSince(period.from)}
      GROUP BY 1, 2`;
}

export type InboundRow = ReturnType<typeof toRow>;

function toRow(row: Row) {
  const [requests, calls_received] = [count(row, "requests"), count(row, "calls_received")];
  return {
    key: label(row.key),
    name: label(row.name),
    requests,
    with_routes: count(row, "with_routes"),
    no_routes: count(row, "no_routes"),
    cached: count(row, "cached"),
    rate_limited: count(row, "rate_limited"),
    routes_offered: count(row, "routes_offered"),
    allocated: count(row, "allocated"),
    calls_received,
    calls_connected: count(row, "calls_connected"),
    converted: count(row, "converted"),
    avg_payout: dollars(row.avg_payout),
    max_payout: dollars(row.max_payout),
    fill_rate: share(count(row, "filled"), requests),
    call_rate: share(calls_received, requests),
    p50_processing_ms: milliseconds(row.p50_ms),
    p95_processing_ms: milliseconds(row.p95_ms),
    p99_processing_ms: milliseconds(row.p99_ms),
  };
}
