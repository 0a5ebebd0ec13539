import type { OrgId } from "../../ingest/primitives.ts";
import { raw, sql, text } from "../statement.ts";
import type { Row } from "../warehouse.ts";
import type { CountedTable } from "./dialect.ts";
import {
  type IncomingFilter,
  incomingConditions,
  type OutgoingFilter,
  outgoingConditions,
  spanOfFilter,
} from "./filter.ts";
import type { HistoryList, HistoryStore } from "./list.ts";
import { type HistoryPage, type HistoryRows, readHistoryPage } from "./page.ts";

export interface HistoryAsked<F> {
  readonly orgId: OrgId;
  readonly filter: F;
  readonly page: HistoryPage;
}

const exchangeColumns =
  "id, body, headers, query_string, method, path, source_ip, response_status_code, response_body, response_headers, response_time_ms, created_at, updated_at, webhook_config_name";
const outgoingColumns = `${exchangeColumns}, outgoing_webhook_config_id, event_type_id`;
const incomingColumns = `${exchangeColumns}, incoming_webhook_config_id, webhook_config_type, call_log_id, transaction_id`;

const wholeOutgoingColumns = `${outgoingColumns}, url, event_id, call_id, attempt, outcome, error, next_attempt_at,
  delivery_id, "trigger", error_class, remote_address, dns_ms, connect_ms, first_byte_ms`;
const wholeIncomingColumns = `${incomingColumns}, call_id`;

type Narrowed<F> = Pick<HistoryAsked<F>, "orgId" | "filter">;

const toOutgoingList = (store: HistoryStore, { orgId, filter }: Narrowed<OutgoingFilter>, columns: string) =>
  ({
    orgId,
    span: spanOfFilter(filter),
    conditions: outgoingConditions(store.dialect, filter),
    table: "outgoing_webhook_requests",
    columns: raw(columns),
  }) as const satisfies HistoryList;

const toIncomingList = (store: HistoryStore, { orgId, filter }: Narrowed<IncomingFilter>, columns: string) =>
  ({
    orgId,
    span: spanOfFilter(filter),
    conditions: incomingConditions(store.dialect, filter),
    table: "incoming_webhook_requests",
    columns: raw(columns),
  }) as const satisfies HistoryList;

/** Records of attempts at outgoing webhooks, by time of the attempt. */
export const listOutgoingRequests = (
  store: HistoryStore,
  { page, ...asked }: HistoryAsked<OutgoingFilter>,
): Promise<HistoryRows> => readHistoryPage(store, toOutgoingList(store, asked, outgoingColumns), page);

/** Records of requests to the inbound-webhook receiver, by time of arrival. */
export const listIncomingRequests = (
  store: HistoryStore,
  { page, ...asked }: HistoryAsked<IncomingFilter>,
): Promise<HistoryRows> => readHistoryPage(store, toIncomingList(store, asked, incomingColumns), page);

/** The same lists with all that a record alone shows, to be exported. */
export const wholeOutgoingRequests = (store: HistoryStore, asked: Narrowed<OutgoingFilter>): HistoryList =>
  toOutgoingList(store, asked, wholeOutgoingColumns);
export const wholeIncomingRequests = (store: HistoryStore, asked: Narrowed<IncomingFilter>): HistoryList =>
  toIncomingList(store, asked, wholeIncomingColumns);

/** Returns one attempt with the fields that lists leave out; null if the organization has no such record. */
export const findOutgoingRequest = (store: HistoryStore, orgId: OrgId, id: string): Promise<Row | null> =>
  findOne(store, "outgoing_webhook_requests", { orgId, id, columns: wholeOutgoingColumns });

export const findIncomingRequest = (store: HistoryStore, orgId: OrgId, id: string): Promise<Row | null> =>
  findOne(store, "incoming_webhook_requests", { orgId, id, columns: wholeIncomingColumns });

async function findOne(
  { warehouse }: HistoryStore,
  table: CountedTable,
  { orgId, id, columns }: { readonly orgId: OrgId; readonly id: string; readonly columns: string },
): Promise<Row | null> {
  const { rows } = await warehouse.query(sql`
    SELECT ${raw(columns)} FROM ${raw(table)}
    WHERE org_id = ${text(orgId)} AND id = ${text(id)} ORDER BY created_at LIMIT 1`);
  return rows[0] ?? null;
}
