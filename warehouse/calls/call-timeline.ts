import type { OrgId } from "../../ingest/primitives.ts";
import { raw, type Statement, sql, text } from "../statement.ts";
import type { Row, Warehouse } from "../warehouse.ts";

/** All that is known of one call, each kind in its own order. */
export interface CallStory {
  readonly call: Row;
  /** Ordered by version. */
  readonly events: readonly Row[];
  /** In the order in which they were written. */
  readonly traces: readonly Row[];
  readonly outgoing: readonly Row[];
  readonly incoming: readonly Row[];
  /** True if there were more rows of a kind than are read. */
  readonly truncated: boolean;
}

/** Rows read of each kind. A call has a dozen events; its deliveries depend on its webhooks and their retries. */
const mostRows = 1000;

/** Reads the events of a call's timeline; null if the organization has no such call. */
export async function readCallStory(
  warehouse: Pick<Warehouse, "query">,
  orgId: OrgId,
  callId: string,
): Promise<CallStory | null> {
  const read = (what: Statement, order: string) =>
    warehouse.query(sql`${what} WHERE org_id = ${text(orgId)} AND call_id = ${text(callId)} ORDER BY ${raw(order)}`, {
      maxRows: mostRows,
    });
  const [calls, ...kinds] = await Promise.all([
    read(call, "call_id"),
    ...stories.map(({ what, order }) => read(what, order)),
  ]);
  const [found] = calls.rows;
  if (found === undefined) return null;
  const [events, traces, outgoing, incoming] = kinds.map(({ rows }) => rows);
  return {
    call: found,
    events: events ?? [],
    traces: traces ?? [],
    outgoing: outgoing ?? [],
    incoming: incoming ?? [],
    truncated: kinds.some(({ truncated }) => truncated),
  };
}

const call = raw(`SELECT call_id, started_at, connected_at, ended_at, failure_reason, number, caller_id,
  payable, receivable, converted, terms FROM calls`);
const stories = [
  {
    what: raw(`SELECT event, occurred_at, version, status, campaign_id, publisher_id, target_id, buyer_id, attempts,
      failure_reason, termination_by, revenue, payout, converted, cause FROM call_events`),
    order: "version",
  },
  { what: raw("SELECT event, occurred_at, detail FROM call_traces"), order: "id" },
  {
    what: raw(`SELECT id, created_at, outgoing_webhook_config_id, webhook_config_name, event_type_id, event_id, attempt,
      "trigger", outcome, error, next_attempt_at, response_status_code, response_time_ms FROM outgoing_webhook_requests`),
    order: "created_at, id",
  },
  {
    what: raw(`SELECT id, created_at, incoming_webhook_config_id, webhook_config_name, webhook_config_type,
      transaction_id, response_status_code FROM incoming_webhook_requests`),
    order: "created_at, id",
  },
];
