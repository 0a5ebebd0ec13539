import { raw, type Statement, sql, text } from "../../warehouse/statement.ts";
import { findBin } from "../catalog/bins.ts";
import { findFlag, findMeasure, findQuantity } from "../catalog/catalog.ts";
import type { Beside, Subject } from "../catalog/field.ts";
import { alternatives, type Plan } from "../plan.ts";

/**
 * The FROM of a plan: the subject's table, joined with the columns of other tables that the plan needs. Rows inside are
 * restricted to the organization too, since the statement's own condition applies only outside.
 */
export function toSource(plan: Plan, subject: Subject, orgId: string): Statement {
  const { beside } = subject;
  return beside !== undefined && needs(plan, subject, beside) ? sources[beside.kind](orgId) : raw(subject.name);
}

function needs(plan: Plan, subject: Subject, { columns }: Beside): boolean {
  const read = JSON.stringify(
    namedIn(plan).map((name) => [
      findMeasure(subject, name)?.aggregate,
      findFlag(subject, name)?.condition,
      (findQuantity(subject, name) ?? findBin(subject, name)?.quantity)?.column,
    ]),
  );
  return columns.some((column) => read.includes(column));
}

/** Every name of the catalog in a plan; the columns of a listing are the table's own. */
function namedIn({ measures, dimensions, order, filters, having, portion }: Plan): readonly string[] {
  const conditions = [...filters, ...having, ...portion].flatMap(alternatives).map(({ field }) => field);
  return [...measures, ...dimensions, ...(order === null ? [] : [order.by]), ...conditions];
}

const sources: Readonly<Record<Beside["kind"], (orgId: string) => Statement>> = {
  calls_of_pings: (orgId) => sql`(
  SELECT made_pings.*, came.calls_received, came.calls_connected, came.calls_converted, came.calls_revenue
  FROM (
    SELECT *, CASE WHEN outcome <> 'cached' THEN request_id END AS asks
    FROM inbound_rtb_requests WHERE org_id = ${text(orgId)}
  ) AS made_pings
  LEFT JOIN (
    SELECT inbound_request_id, count(*) AS calls_received, count(connected_at) AS calls_connected,
      count(*) FILTER (WHERE converted) AS calls_converted, sum(revenue) AS calls_revenue
    FROM calls WHERE org_id = ${text(orgId)} AND inbound_request_id IS NOT NULL
    GROUP BY inbound_request_id
  ) AS came ON came.inbound_request_id = made_pings.asks
) AS made_pings`,
  calls_of_bids: (orgId) => sql`(
  SELECT made_bids.*, gone.calls_sent, gone.calls_converted, gone.calls_revenue
  FROM (SELECT * FROM outbound_rtb_requests WHERE org_id = ${text(orgId)}) AS made_bids
  LEFT JOIN (
    SELECT bid_id, count(*) AS calls_sent, count(*) FILTER (WHERE converted) AS calls_converted,
      sum(revenue) AS calls_revenue
    FROM (
      SELECT *, row_number() OVER (PARTITION BY call_id ORDER BY distance, won DESC, created_at DESC, bid_id DESC) AS place
      FROM (
        ${pairs(orgId, "call_id", 0)}
        UNION ALL
        ${pairs(orgId, "inbound_request_id", 1)}
      ) AS pairs
    ) AS ranked
    WHERE place = 1 GROUP BY bid_id
  ) AS gone ON gone.bid_id = made_bids.id
) AS made_bids`,
};

/** Joins bids with the calls that went to their formula, by the fields that both have; a call counts for one bid. */
const pairs = (orgId: string, by: "call_id" | "inbound_request_id", distance: number): Statement =>
  sql`SELECT bid.id AS bid_id, bid.won AS won, bid.created_at AS created_at, sent.call_id AS call_id,
          sent.converted AS converted, sent.revenue AS revenue, ${raw(String(distance))} AS distance
        FROM (SELECT * FROM outbound_rtb_requests WHERE org_id = ${text(orgId)} AND outcome = 'bid') AS bid
        JOIN (SELECT * FROM calls WHERE org_id = ${text(orgId)} AND rtb_id IS NOT NULL) AS sent
          ON sent.rtb_id = bid.rtb_id AND sent.${raw(by)} = bid.${raw(by)}`;
