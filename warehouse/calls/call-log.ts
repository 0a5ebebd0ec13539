import type { OrgId } from "../../ingest/primitives.ts";
import type { HistoryList } from "../history/list.ts";
import { type HistoryPage, type HistoryRows, readHistoryPage } from "../history/page.ts";
import { join, raw, type Statement, sql, text } from "../statement.ts";
import type { Row, Warehouse } from "../warehouse.ts";
import { type CallFilter, callConditions } from "./call-filter.ts";
import type { ReportDialect } from "./report-dialect.ts";

/** The warehouse that reports on calls read, and its dialect. */
export interface ReportStore {
  readonly warehouse: Pick<Warehouse, "query">;
  readonly dialect: ReportDialect;
}

export interface CallsAsked {
  readonly orgId: OrgId;
  readonly filter: CallFilter;
}

/** Columns of the call log in the order of its answer; `recording_url` is made of several. */
const beforeRecording = [
  "call_id",
  "call_sid",
  "org_id",
  "campaign_id",
  "campaign_name",
  "publisher_id",
  "publisher_name",
  "number_id",
  "number",
  "caller_id",
  "caller_state",
  "caller_zip",
  "target_id",
  "target_name",
  "target_type",
  "rtb_id",
  "rtb_group_id",
  "buyer_id",
  "buyer_name",
  "inbound_request_id",
  "status",
  "started_at",
  "connected_at",
  "ended_at",
  "duration",
  "ivr_duration",
  "connect_duration",
  "termination_by",
  "failure_reason",
  "attempts",
  "revenue",
  "payout",
  "profit",
  "configured_revenue",
  "configured_payout",
  "revenue_overridden",
  "payable",
  "receivable",
  "converted",
  "converted_at",
  "is_duplicate",
  "duplicate_of",
  "repeat_caller",
  "tcpa_result",
];
const behindRecording = ["tags", "created_at", "updated_at"];

/** A recording is shown where the campaign and the destination both allow it, as when the call was routed. */
function columnsOf({ isAllowed }: ReportDialect): Statement {
  const terms = raw("terms");
  const isShown = sql`${isAllowed(terms, "campaign_recording_access")} AND ${isAllowed(terms, "target_recording_access")}`;
  const recording = sql`CASE WHEN recording_url IS NOT NULL AND ${isShown} THEN recording_url END AS recording_url`;
  return join([raw(beforeRecording.join(", ")), recording, raw(behindRecording.join(", "))], ", ");
}

/** The calls of a report as a list by when they came in. A later version of a call stands where the first one stood. */
export const toCallList = ({ dialect }: ReportStore, { orgId, filter }: CallsAsked): HistoryList => ({
  orgId,
  table: "calls",
  columns: columnsOf(dialect),
  span: filter.span,
  conditions: callConditions(dialect, filter),
});

export const listCalls = (
  store: ReportStore,
  { page, ...asked }: CallsAsked & { readonly page: HistoryPage },
): Promise<HistoryRows> => readHistoryPage(store, toCallList(store, asked), page);

/** Returns one call as in the list; null if the organization has no such call. */
export async function findCall({ warehouse, dialect }: ReportStore, orgId: OrgId, callId: string): Promise<Row | null> {
  const { rows } = await warehouse.query(
    sql`SELECT ${columnsOf(dialect)} FROM calls WHERE org_id = ${text(orgId)} AND call_id = ${text(callId)}`,
    { maxRows: 1 },
  );
  return rows[0] ?? null;
}
