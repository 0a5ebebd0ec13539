import { z } from "zod";
import {
  findIncomingRequest,
  findOutgoingRequest,
  listIncomingRequests,
  listOutgoingRequests,
  wholeIncomingRequests,
  wholeOutgoingRequests,
} from "../../warehouse/history/history.ts";
import type { HistoryStore } from "../../warehouse/history/list.ts";
import { columnsOf } from "../exports/columns.ts";
import { type Exports, exportShape } from "../exports/export.ts";
import { cursorPageOf, toCursorPage, toListPage } from "../serve/cursor-pages.ts";
import { notFound } from "../serve/errors.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";
import { may } from "../serve/rights.ts";
import { incomingQuery, outgoingQuery, toHistoryFilter } from "./history-query.ts";
import {
  historyKeyOf,
  incomingRecord,
  outgoingRecord,
  wholeIncomingRecord,
  wholeOutgoingRecord,
  withEventType,
} from "./history-records.ts";

const about = { method: "get", tag: "Webhook history", access: "api_key", limit: "api", status: 200 } as const;
const outgoing = "/api/v1/webhooks/outgoing-requests";
const incoming = "/api/v1/webhooks/incoming-requests";
const params = z.object({ request_id: z.string().min(1).max(255) });

/** The histories of requests to and from customers' systems. */
export const historyOperations = (store: HistoryStore, exports: Exports): Operation[] => [
  ...outgoingOperations(store),
  ...incomingOperations(store),
  ...exportOperations(store, exports),
];

const outgoingOperations = (store: HistoryStore): Operation[] => [
  defineOperation({
    ...about,
    path: outgoing,
    name: "listDeliveries",
    summary: "Attempts at outgoing webhooks, by time of the attempt",
    query: outgoingQuery,
    answer: cursorPageOf(outgoingRecord),
    errors: [503],
    async handle({ caller: { orgId }, query }) {
      const filter = { ...toHistoryFilter(query), eventTypeId: query.event_type_id, outcome: query.outcome };
      const page = toListPage(query);
      const { rows, ...place } = await listOutgoingRequests(store, { orgId, filter, page });
      return toCursorPage({ rows: rows.map(withEventType), ...place }, page, historyKeyOf);
    },
  }),
  defineOperation({
    ...about,
    path: `${outgoing}/{request_id}`,
    name: "getDelivery",
    summary: "One attempt at an outgoing webhook, with what is known of it beside the list's fields",
    params,
    answer: wholeOutgoingRecord.extend({
      may_redeliver: z.boolean().describe("True where this key or user may send it again."),
    }),
    errors: [404, 503],
    async handle({ caller, params: { request_id } }) {
      const found = await findOutgoingRequest(store, caller.orgId, request_id);
      if (found === null) throw notFound(`The request ${request_id}`);
      return { ...withEventType(found), may_redeliver: may(caller, "deliveries:write") };
    },
  }),
];

const incomingOperations = (store: HistoryStore): Operation[] => [
  defineOperation({
    ...about,
    path: incoming,
    name: "listIncomingRequests",
    summary: "Requests to the inbound-webhook receiver, by time of arrival",
    query: incomingQuery,
    answer: cursorPageOf(incomingRecord),
    errors: [503],
    async handle({ caller: { orgId }, query }) {
      const filter = { ...toHistoryFilter(query), type: query.type, transactionId: query.transaction_id };
      const page = toListPage(query);
      return toCursorPage(await listIncomingRequests(store, { orgId, filter, page }), page, historyKeyOf);
    },
  }),
  defineOperation({
    ...about,
    path: `${incoming}/{request_id}`,
    name: "getIncomingRequest",
    summary: "One request to the inbound-webhook receiver, with what is known of it beside the list's fields",
    params,
    answer: wholeIncomingRecord,
    errors: [404, 503],
    async handle({ caller: { orgId }, params: { request_id } }) {
      const found = await findIncomingRequest(store, orgId, request_id);
      if (found === null) throw notFound(`The request ${request_id}`);
      return found;
    },
  }),
];

const exported = { ...about, answer: z.string(), answerType: "file", errors: [503] } as const;
/** An export has no pages, and one direction. */
const paging = { limit: true, offset: true, sort_direction: true, cursor: true } as const;
const outgoingColumns = columnsOf(wholeOutgoingRecord);
const incomingColumns = columnsOf(wholeIncomingRecord);

/** Both histories as files, of any period and length. */
const exportOperations = (store: HistoryStore, exports: Exports): Operation[] => [
  defineOperation({
    ...exported,
    path: `${outgoing}/export`,
    name: "exportDeliveries",
    summary: "Attempts at outgoing webhooks as a file, oldest first, of all times unless a range is given",
    query: outgoingQuery.omit(paging).extend(exportShape),
    handle({ caller: { orgId }, query }) {
      const filter = { ...toHistoryFilter(query), eventTypeId: query.event_type_id, outcome: query.outcome };
      const list = wholeOutgoingRequests(store, { orgId, filter });
      const named = { columns: outgoingColumns, toRow: withEventType, name: "outgoing-requests" };
      return exports.toExport({ store, list, ...named }, query);
    },
  }),
  defineOperation({
    ...exported,
    path: `${incoming}/export`,
    name: "exportIncomingRequests",
    summary: "Requests to the inbound-webhook receiver as a file, oldest first, of all times unless a range is given",
    query: incomingQuery.omit(paging).extend(exportShape),
    handle({ caller: { orgId }, query }) {
      const filter = { ...toHistoryFilter(query), type: query.type, transactionId: query.transaction_id };
      const list = wholeIncomingRequests(store, { orgId, filter });
      return exports.toExport(
        { store, list, columns: incomingColumns, toRow: (row) => row, name: "incoming-requests" },
        query,
      );
    },
  }),
];
