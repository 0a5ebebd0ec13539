import { z } from "zod";
import { wholeIncomingRequests, wholeOutgoingRequests } from "../../warehouse/history/history.ts";
import type { HistoryStore } from "../../warehouse/history/list.ts";
import { columnsOf } from "../exports/columns.ts";
import { type Exports, exportShape } from "../exports/export.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";
import { incomingQuery, outgoingQuery, toHistoryFilter } from "./history-query.ts";
import { wholeIncomingRecord, wholeOutgoingRecord, withEventType } from "./history-records.ts";

const served = { method: "get", tag: "Webhook history", access: "api_key", limit: "api", status: 200 } as const;
const about = { ...served, answer: z.string(), answerType: "file", errors: [503] } as const;
/** An export has no pages, and one direction. */
const paging = { limit: true, offset: true, sort_direction: true, cursor: true } as const;
const outgoingColumns = columnsOf(wholeOutgoingRecord);
const incomingColumns = columnsOf(wholeIncomingRecord);

/** Both webhook histories as files, of any period and length. */
export const historyExportOperations = (store: HistoryStore, exports: Exports): Operation[] => [
  defineOperation({
    ...about,
    path: "/api/v1/webhooks/outgoing-requests/export",
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
    ...about,
    path: "/api/v1/webhooks/incoming-requests/export",
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
