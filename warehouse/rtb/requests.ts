import type { OrgId } from "../../ingest/primitives.ts";
import type { Page } from "../../sql/page.ts";
import { integer, join, raw, type SqlValue, type Statement, sql, text, time } from "../statement.ts";
import type { Row, Warehouse } from "../warehouse.ts";

type Store = Pick<Warehouse, "query">;

/** Half-open. */
export interface Period {
  readonly from: Date;
  readonly to: Date;
}

export interface InboundFilter extends Period {
  /** All the names that one endpoint goes by. */
  readonly inboundRtbIds?: readonly string[] | undefined;
  readonly campaignId?: string | undefined;
  readonly publisherId?: string | undefined;
  readonly callerId?: string | undefined;
  readonly outcome?: string | undefined;
}

export interface OutboundFilter extends Period {
  readonly rtbId?: string | undefined;
  readonly rtbGroupId?: string | undefined;
  readonly buyerId?: string | undefined;
  /** Also finds the requests of the ping that the call came from. */
  readonly callId?: string | undefined;
  readonly inboundRequestId?: string | undefined;
  readonly outcome?: string | undefined;
}

interface Asked<F> {
  readonly orgId: OrgId;
  readonly filter: F;
  readonly page: Page;
}

const inboundTable: Table = {
  name: raw("inbound_rtb_requests"),
  id: raw("request_id"),
  columns: raw(
    "request_id, inbound_rtb_id, campaign_id, publisher_id, caller_id, zip_code, state, params, outcome, reason, total_routes, allocated_count, best_payout, processing_ms, call_id, created_at",
  ),
};
const outboundTable: Table = {
  name: raw("outbound_rtb_requests"),
  id: raw("id"),
  columns: raw(
    "id, rtb_id, rtb_name, buyer_id, rtb_group_id, call_id, inbound_request_id, outcome, reason, bid, effective_bid, duration, phone_number, score, won, total_ms, steps_count, created_at",
  ),
};

/** Pings of publishers, by time. */
export const listInboundRequests = (warehouse: Store, { orgId, filter, page }: Asked<InboundFilter>) =>
  list(warehouse, inboundTable, {
    page,
    where: [
      ...within(orgId, filter),
      ...anyOf("inbound_rtb_id", filter.inboundRtbIds),
      ...equal("campaign_id", filter.campaignId),
      ...equal("publisher_id", filter.publisherId),
      ...equal("caller_id", filter.callerId),
      ...equal("outcome", filter.outcome),
    ],
  });

/** Executions of RTB formulas, by time. */
export const listOutboundRequests = (warehouse: Store, { orgId, filter, page }: Asked<OutboundFilter>) =>
  list(warehouse, outboundTable, {
    page,
    where: [
      ...within(orgId, filter),
      ...equal("rtb_id", filter.rtbId),
      ...equal("rtb_group_id", filter.rtbGroupId),
      ...equal("buyer_id", filter.buyerId),
      ...askedFor(orgId, filter.callId),
      ...equal("inbound_request_id", filter.inboundRequestId),
      ...equal("outcome", filter.outcome),
    ],
  });

/** Returns one ping with all its fields; repeats have the ping's id, and the ping itself is returned. */
export const findInboundRequest = (warehouse: Store, orgId: OrgId, requestId: string) =>
  first(
    warehouse,
    sql`
    SELECT ${inboundTable.columns}, eligible_routes, ineligible_routes, allocations, life_log
    FROM ${inboundTable.name} WHERE org_id = ${text(orgId)} AND request_id = ${text(requestId)}
    ORDER BY CASE WHEN outcome = 'cached' THEN 1 ELSE 0 END, created_at LIMIT 1`,
  );

export const findOutboundRequest = (warehouse: Store, orgId: OrgId, id: string) =>
  first(
    warehouse,
    sql`
    SELECT ${outboundTable.columns}, steps FROM ${outboundTable.name}
    WHERE org_id = ${text(orgId)} AND id = ${text(id)} ORDER BY created_at LIMIT 1`,
  );

/** A ping asks each formula of its plan once or twice. */
const mostPings = 500;

/** The executions that a ping led to, in the order in which they began. */
export async function pingsOfRequest(warehouse: Store, orgId: OrgId, requestId: string): Promise<readonly Row[]> {
  const { rows } = await warehouse.query(sql`
    SELECT ${outboundTable.columns} FROM ${outboundTable.name}
    WHERE org_id = ${text(orgId)} AND inbound_request_id = ${text(requestId)}
    ORDER BY created_at, id LIMIT ${integer(mostPings)}`);
  return rows;
}

interface Table {
  readonly name: Statement;
  readonly id: Statement;
  readonly columns: Statement;
}

async function list(
  warehouse: Store,
  { name, id, columns }: Table,
  { where, page }: { readonly where: readonly Statement[]; readonly page: Page },
): Promise<{ rows: readonly Row[]; total: number }> {
  const order = raw(page.direction === "asc" ? "ASC" : "DESC");
  const conditions = join(where, " AND ");
  const [found, count] = await Promise.all([
    warehouse.query(sql`
      SELECT ${columns} FROM ${name} WHERE ${conditions}
      ORDER BY created_at ${order}, ${id} ${order} LIMIT ${integer(page.limit)} OFFSET ${integer(page.offset)}`),
    warehouse.query(sql`SELECT count(*) AS total FROM ${name} WHERE ${conditions}`),
  ]);
  return { rows: found.rows, total: Number(count.rows[0]?.total ?? 0) };
}

async function first(warehouse: Store, statement: Statement): Promise<Row | null> {
  const { rows } = await warehouse.query(statement);
  return rows[0] ?? null;
}

/** The rows of an organization in a period. */
export const within = (orgId: OrgId, { from, to }: Period): Statement[] => [
  sql`org_id = ${text(orgId)}`,
  sql`created_at >= ${time(from)}`,
  sql`created_at < ${time(to)}`,
];

const equal = (column: string, value: string | undefined): Statement[] =>
  value === undefined ? [] : [sql`${raw(column)} = ${text(value)}`];

export const anyOf = (column: string, values: readonly string[] | undefined): Statement[] =>
  values === undefined ? [] : [sql`${raw(column)} IN (${listed(values.map(text))})`];

/** `IN ()` is no SQL: of nothing, nothing is one. */
const listed = (values: readonly SqlValue[]): Statement =>
  values.length === 0
    ? raw("NULL")
    : join(
        values.map((value) => sql`${value}`),
        ", ",
      );

const askedFor = (orgId: OrgId, callId: string | undefined): Statement[] =>
  callId === undefined
    ? []
    : [
        sql`(call_id = ${text(callId)} OR inbound_request_id IN (
          SELECT inbound_request_id FROM calls WHERE org_id = ${text(orgId)} AND call_id = ${text(callId)}))`,
      ];
