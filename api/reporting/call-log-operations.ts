import { z } from "zod";
import type { Clock } from "../../ingest/clock.ts";
import { findCall, listCalls, type ReportStore, toCallList } from "../../warehouse/calls/call-log.ts";
import { columnsOf } from "../exports/columns.ts";
import { type Exports, exportShape } from "../exports/export.ts";
import { cursorPageOf, cursorPageQuery, toCursorPage, toListPage } from "../serve/cursor-pages.ts";
import { notFound } from "../serve/errors.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";
import { callFilterShape, toCallFilter, toCallSpan, updatedSince } from "./call-query.ts";
import { callKeyOf, callRow, toCallRow } from "./call-row.ts";

export interface CallReportDeps {
  readonly reports: ReportStore;
  readonly clock: Clock;
}

export interface CallLogDeps extends CallReportDeps {
  readonly exports: Exports;
}

const about = { method: "get", tag: "Reports", limit: "api", status: 200 } as const;
const query = cursorPageQuery.extend({ ...callFilterShape, updated_since: updatedSince }).loose();

/** Operations of the call log: pages for keys and for users, one call, and an export. */
export const callLogOperations = (deps: CallLogDeps): Operation[] => [
  listing(deps, { name: "listCalls", path: "/api/v1/reports/calls", access: "api_key" }),
  listing(deps, { name: "listCallsForUser", path: "/v1/calls", access: "user" }),
  defineOperation({
    ...about,
    path: "/api/v1/reports/calls/{call_id}",
    name: "getCall",
    summary: "One call of the call log",
    access: "api_key",
    params: z.object({ call_id: z.string().min(1).max(255) }),
    answer: callRow,
    errors: [404, 503],
    async handle({ caller, params: { call_id } }) {
      const found = await findCall(deps.reports, caller.orgId, call_id);
      if (found === null) throw notFound(`The call ${call_id}`);
      return toCallRow(found);
    },
  }),
  callExportOperation(deps),
];

const listing = ({ reports, clock }: CallReportDeps, served: Pick<Operation, "name" | "path" | "access">) =>
  defineOperation({
    ...about,
    ...served,
    summary: "The call log by when calls came in, of the last 24 hours unless a range or updated_since is given",
    query,
    answer: cursorPageOf(callRow),
    errors: [503],
    async handle({ caller: { orgId }, query }) {
      const page = toListPage(query);
      const filter = toCallFilter(query, toCallSpan(query, clock.now()));
      const { rows, ...place } = await listCalls(reports, { orgId, filter, page });
      return toCursorPage({ rows: rows.map(toCallRow), ...place }, page, callKeyOf);
    },
  });

const columns = columnsOf(callRow);

/** The call log as a file, of any period and length. */
export const callExportOperation = ({ reports, clock, exports }: CallLogDeps): Operation =>
  defineOperation({
    ...about,
    path: "/api/v1/reports/calls/export",
    name: "exportCalls",
    summary: "The call log as a file, oldest call first, of the last 24 hours unless a range or updated_since is given",
    access: "api_key",
    query: z.object({ ...callFilterShape, updated_since: updatedSince, ...exportShape }).loose(),
    answer: z.string(),
    answerType: "file",
    errors: [503],
    handle({ caller: { orgId }, query }) {
      const span = toCallSpan(query, clock.now(), { mostMs: Number.POSITIVE_INFINITY });
      const list = toCallList(reports, { orgId, filter: toCallFilter(query, span) });
      return exports.toExport({ store: reports, list, columns, toRow: toCallRow, name: "calls" }, query);
    },
  });
