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

export const outboundGroups = ["rtb", "buyer", "rtb_group", "campaign", "reason", "hour", "day"] as const;
export type OutboundGroup = (typeof outboundGroups)[number];

const columns: Readonly<Record<Exclude<OutboundGroup, TimeGroup>, { readonly key: string; readonly name: string }>> = {
  rtb: { key: "rtb_id", name: "rtb_name" },
  buyer: { key: "buyer_id", name: "buyer_name" },
  rtb_group: { key: "rtb_group_id", name: "NULL" },
  campaign: { key: "campaign_id", name: "campaign_name" },
  reason: { key: "reason", name: "reason" },
};

const outcomes = {
  bids: "bid",
  no_bids: "no_bid",
  timeouts: "timeout",
  http_errors: "http_error",
  parse_errors: "parse_error",
  skipped: "skipped",
} as const;

/**
 * Executions of RTB formulas in groups. pings = bids + no_bids + timeouts + http_errors + parse_errors;
 * what was skipped was never sent. A formula won when its record says so or the call went there, and a call counts at
 * one execution, so that groups add up.
 */
export async function outboundStats(
  { warehouse, dialect }: StatsStore,
  asked: StatsAsked<OutboundGroup>,
): Promise<Stats<OutboundRow>> {
  const { rows, truncated } = await readGroups(warehouse, statement(dialect, asked));
  return { rows: rows.map(toRow), truncated };
}

function statement(dialect: RtbDialect, asked: StatsAsked<OutboundGroup>): Statement {
  const { orgId, period, groupBy } = asked;
  const sent = raw("outcome <> 'skipped'");
  return sql`
    WITH executions AS (
      SELECT id, ${grouping(dialect, asked)}, rtb_id, call_id, inbound_request_id, outcome, bid, won, total_ms, created_at
      FROM outbound_rtb_requests WHERE ${join(within(orgId, period), " AND ")}),
    sent_calls AS (
      SELECT call_id, inbound_request_id, rtb_id, converted, revenue FROM calls
      WHERE org_id = ${text(orgId)} AND rtb_id IS NOT NULL AND ${callsSince(period.from)}),
    pairs AS (
      ${pairs("call_id", 0)}
      UNION ALL
      ${pairs("inbound_request_id", 1)}),
    ranked AS (
      SELECT *, row_number() OVER (PARTITION BY call_id ORDER BY distance, won DESC, created_at DESC, id DESC) AS place
      FROM pairs),
    gone AS (
      SELECT id, count(*) AS calls, sum(CASE WHEN converted THEN 1 ELSE 0 END) AS conversions, sum(revenue) AS revenue
      FROM ranked WHERE place = 1 GROUP BY id)
    SELECT key, max(name) AS name, ${counts}, sum(CASE WHEN won OR gone.calls > 0 THEN 1 ELSE 0 END) AS wins,
           sum(gone.calls) AS calls, sum(gone.conversions) AS conversions, sum(gone.revenue) AS revenue,
           avg(CASE WHEN outcome = 'bid' THEN bid END) AS avg_bid, max(CASE WHEN outcome = 'bid' THEN bid END) AS max_bid,
           ${percentiles(dialect, raw("total_ms"), sent)}
    FROM executions LEFT JOIN gone ON gone.id = executions.id
    GROUP BY key ${ordering(groupBy, "pings")}`;
}

const counts: Statement = join(
  [
    raw("sum(CASE WHEN outcome <> 'skipped' THEN 1 ELSE 0 END) AS pings"),
    ...Object.entries(outcomes).map(([name, outcome]) =>
      raw(`sum(CASE WHEN outcome = '${outcome}' THEN 1 ELSE 0 END) AS ${name}`),
    ),
  ],
  ", ",
);

function grouping(dialect: RtbDialect, { groupBy, timezone }: StatsAsked<OutboundGroup>): Statement {
  if (isTimeGroup(groupBy)) return sql`${dialect.bucket(raw("created_at"), groupBy, timezone)} AS key, NULL AS name`;
  const { key, name } = columns[groupBy];
  return raw(`${key} AS key, ${name} AS name`);
}

/** Bids with the calls that went to their formula, by what both know of each other. */
const pairs = (by: "call_id" | "inbound_request_id", distance: number): Statement =>
  raw(`SELECT executions.id AS id, executions.won AS won, executions.created_at AS created_at,
             sent_calls.call_id AS call_id, sent_calls.converted AS converted, sent_calls.revenue AS revenue,
             ${distance} AS distance
      FROM executions JOIN sent_calls ON sent_calls.rtb_id = executions.rtb_id AND sent_calls.${by} = executions.${by}
      WHERE executions.outcome = 'bid'`);

export type OutboundRow = ReturnType<typeof toRow>;

function toRow(row: Row) {
  const [pings, bids] = [count(row, "pings"), count(row, "bids")];
  const [wins, timeouts] = [count(row, "wins"), count(row, "timeouts")];
  return {
    key: label(row.key),
    name: label(row.name),
    pings,
    bids,
    no_bids: count(row, "no_bids"),
    timeouts,
    http_errors: count(row, "http_errors"),
    parse_errors: count(row, "parse_errors"),
    skipped: count(row, "skipped"),
    wins,
    calls: count(row, "calls"),
    conversions: count(row, "conversions"),
    revenue: count(row, "revenue"),
    avg_bid: dollars(row.avg_bid),
    max_bid: dollars(row.max_bid),
    bid_rate: share(bids, pings),
    win_rate: share(wins, bids),
    timeout_rate: share(timeouts, pings),
    p50_ms: milliseconds(row.p50_ms),
    p95_ms: milliseconds(row.p95_ms),
    p99_ms: milliseconds(row.p99_ms),
  };
}
