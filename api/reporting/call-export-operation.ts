import { z } from "zod";
import { toCallList } from "../../warehouse/calls/call-log.ts";
import { columnsOf } from "../exports/columns.ts";
import { type Exports, exportShape } from "../exports/export.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";
import type { CallLogDeps } from "./call-log-operations.ts";
import { callFilterShape, toCallFilter, updatedSince } from "./call-query.ts";
import { callRow, toCallRow } from "./call-row.ts";
import { toCallSpan } from "./call-span.ts";

const columns = columnsOf(callRow);

export interface CallExportDeps extends CallLogDeps {
  readonly exports: Exports;
}

/** The call log as a file, of any period and length. */
export const callExportOperation = ({ reports, clock, exports }: CallExportDeps): Operation =>
  defineOperation({
    method: "get",
    path: "/api/v1/reports/calls/export",
    tag: "Reports",
    summary: "The call log as a file, oldest call first, of the last 24 hours unless a range or updated_since is given",
    access: "api_key",
    limit: "api",
    query: z.object({ ...callFilterShape, updated_since: updatedSince, ...exportShape }).loose(),
    status: 200,
    answer: z.string(),
    answerType: "file",
    errors: [503],
    handle({ caller: { orgId }, query }) {
      const span = toCallSpan(query, clock.now(), { mostMs: Number.POSITIVE_INFINITY });
      const list = toCallList(reports, { orgId, filter: toCallFilter(query, span) });
      return exports.toExport({ store: reports, list, columns, toRow: toCallRow, name: "calls" }, query);
    },
  });
