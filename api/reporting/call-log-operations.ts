import { z } from "zod";
import type { Clock } from "../../ingest/clock.ts";
import { findCall, listCalls, type ReportStore } from "../../warehouse/calls/call-log.ts";
import type { Access } from "../serve/access.ts";
import { cursorPageOf, cursorPageQuery, toCursorPage, toListPage } from "../serve/cursor-pages.ts";
import { notFound } from "../serve/errors.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";
import { callFilterShape, toCallFilter, updatedSince } from "./call-query.ts";
import { callKeyOf, callRow, toCallRow } from "./call-row.ts";
import { toCallSpan } from "./call-span.ts";

export interface CallLogDeps {
  readonly reports: ReportStore;
  readonly clock: Clock;
}

const about = { method: "get", tag: "Reports", limit: "api", status: 200 } as const;
const query = cursorPageQuery.extend({ ...callFilterShape, updated_since: updatedSince }).loose();

/** Calls one by one, for systems and for people (semantics 7.6). */
export const callLogOperations = (deps: CallLogDeps): Operation[] => [
  listing(deps, { path: "/api/v1/reports/calls", access: "api_key" }),
  listing(deps, { path: "/v1/calls", access: "user" }),
  defineOperation({
    ...about,
    path: "/api/v1/reports/calls/{call_id}",
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
];

const listing = ({ reports, clock }: CallLogDeps, served: { readonly path: string; readonly access: Access }) =>
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
