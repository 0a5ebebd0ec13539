import type { OrgId } from "../ingest/primitives.ts";
import { integer, raw, type Statement, sql, text } from "./statement.ts";
import type { Row, Warehouse } from "./warehouse.ts";

export interface HistoryPage {
  readonly limit: number;
  readonly offset: number;
  readonly direction: "asc" | "desc";
}
export interface HistoryRows {
  readonly rows: readonly Row[];
  /** How many rows the organization has in all. */
  readonly total: number;
}

const exchangeColumns =
  "id, body, headers, query_string, method, path, source_ip, response_status_code, response_body, response_headers, response_time_ms, created_at, updated_at, webhook_config_name";

/** Records of attempts at outgoing webhooks, by time of the attempt (spec: Webhook delivery records). */
export const listOutgoingRequests = (warehouse: Pick<Warehouse, "query">, orgId: OrgId, page: HistoryPage) =>
  list(warehouse, orgId, page, {
    table: raw("outgoing_webhook_requests"),
    columns: raw(`${exchangeColumns}, outgoing_webhook_config_id, event_type_id`),
  });

/** Records of requests to the inbound-webhook receiver, by time of arrival. */
export const listIncomingRequests = (warehouse: Pick<Warehouse, "query">, orgId: OrgId, page: HistoryPage) =>
  list(warehouse, orgId, page, {
    table: raw("incoming_webhook_requests"),
    columns: raw(`${exchangeColumns}, incoming_webhook_config_id, webhook_config_type, call_log_id, transaction_id`),
  });

async function list(
  warehouse: Pick<Warehouse, "query">,
  orgId: OrgId,
  { limit, offset, direction }: HistoryPage,
  { table, columns }: { readonly table: Statement; readonly columns: Statement },
): Promise<HistoryRows> {
  const order = raw(direction === "asc" ? "ASC" : "DESC");
  const [page, count] = await Promise.all([
    warehouse.query(sql`
      SELECT ${columns} FROM ${table} WHERE org_id = ${text(orgId)}
      ORDER BY created_at ${order}, id ${order} LIMIT ${integer(limit)} OFFSET ${integer(offset)}`),
    warehouse.query(sql`SELECT count(*) AS total FROM ${table} WHERE org_id = ${text(orgId)}`),
  ]);
  return { rows: page.rows, total: Number(count.rows[0]?.total ?? 0) };
}
