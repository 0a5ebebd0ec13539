import express from "express";
import type { OrgConfig } from "../../../api/config/org-config.ts";
import { createExports } from "../../../api/exports/export.ts";
import { callDetailsOperation } from "../../../api/reporting/call-details.ts";
import { callLogOperations } from "../../../api/reporting/call-log-operations.ts";
import { callSummaryOperation } from "../../../api/reporting/call-summary-operation.ts";
import { timelineOperation } from "../../../api/reporting/call-timeline.ts";
import { inboundRtbOperations } from "../../../api/reporting/inbound-rtb-operations.ts";
import { outboundRtbOperations } from "../../../api/reporting/outbound-rtb-operations.ts";
import { createAddressOf } from "../../../api/serve/caller-address.ts";
import { answerErrors } from "../../../api/serve/error-answers.ts";
import { operationRoutes } from "../../../api/serve/operation.ts";
import { allRights } from "../../../api/serve/rights.ts";
import { historyOperations } from "../../../api/webhooks/history-operations.ts";
import type { OrgId } from "../../../ingest/primitives.ts";
import { duckdbReportDialect } from "../../../warehouse/calls/report-dialect-duckdb.ts";
import { duckdbRtbDialect } from "../../../warehouse/rtb/dialect-duckdb.ts";
import { orgOne, startOfTime } from "../../make.ts";
import { createManualClock } from "../../manual-clock.ts";
import { createClient } from "../../platform.ts";
import { openRtbStore } from "../../warehouse/rtb/store.ts";
import { openServer } from "../serve/server.ts";

/** What is called what now; everything else config has lost. */
const names: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  rtb_formula: { "rtb-1": { rtb_name: "Bidder of today" } },
  inbound_rtb: { "7": { id: "7", inbound_rtb_id: "inbound_1" } },
};
const config = {
  get: (type: string, id: string) => names[type]?.[id],
  all: (type: string) => Object.values(names[type] ?? {}),
} as unknown as OrgConfig;

/** The reports alone, on a warehouse in memory; a request's key is the organization that it comes from. */
export async function openReports() {
  const store = await openRtbStore();
  const clock = createManualClock(startOfTime + 3_600_000);
  const reports = { warehouse: store.warehouse, dialect: duckdbReportDialect };
  const exports = createExports();
  const dialects = { rtb: duckdbRtbDialect };
  const deps = { warehouse: store.warehouse, dialects, reports, snapshot: { config: () => config }, clock };
  const guards = {
    authenticate: async (request: express.Request) => ({
      orgId: String(request.headers["x-api-key"]) as OrgId,
      actor: { type: "api_key" as const, id: "key", name: null },
      admin: false,
      rights: allRights,
    }),
    authorize: () => undefined,
    verify: async () => undefined,
    limit: async () => {},
  };
  const operations = [
    ...inboundRtbOperations(deps),
    ...outboundRtbOperations(deps),
    ...callLogOperations({ ...deps, exports }),
    ...historyOperations(reports, exports),
    callSummaryOperation(deps),
    timelineOperation(deps),
    callDetailsOperation(deps),
  ];
  const app = express()
    .use(operationRoutes(operations, guards, { maxBodyBytes: 1000, addressOf: createAddressOf(() => false) }))
    .use(answerErrors);
  const url = await openServer(app);
  const { get } = createClient(url);
  return {
    ...store,
    clock,
    /** An answer that is no JSON. */
    file: (path: string, { org = orgOne, ...init }: RequestInit & { org?: OrgId } = {}) =>
      fetch(`${url}/api/v1${path}`, { ...init, headers: { "X-API-Key": org, ...init.headers } }),
    get: (path: string, org: OrgId = orgOne) => get(`/api/v1${path}`, org),
    /** The rows of a list or of figures. */
    rows: async (path: string, org: OrgId = orgOne) => (await get(`/api/v1${path}`, org)).body.data,
    /** The body of an answer that is of its documented shape. */
    async shown(path: string, documented: string) {
      const { status, body } = await get(`/api/v1${path}`, orgOne);
      const operation = operations.find((each) => each.path === `/api/v1${documented}`);
      if (status !== 200 || operation === undefined) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
      operation.answer.parse(body);
      return body;
    },
  };
}
