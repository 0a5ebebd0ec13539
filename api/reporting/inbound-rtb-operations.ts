import { z } from "zod";
import { timestamp } from "../../ingest/primitives.ts";
import { type InboundRtbRequest, inboundOutcomes, offeredRouteSchema, withheldRouteSchema } from "../../ingest/rtb.ts";
import type { TraceLine } from "../../ingest/trace.ts";
import { inboundGroups, inboundStats } from "../../warehouse/rtb/inbound-rtb-stats.ts";
import { findInboundRequest, listInboundRequests, pingsOfRequest } from "../../warehouse/rtb/requests.ts";
import type { Row } from "../../warehouse/warehouse.ts";
import type { OrgConfig } from "../config/org-config.ts";
import { notFound } from "../serve/errors.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";
import { pageOf, pageQuery, toPage } from "../serve/pages.ts";
import { timeQuery, toTimeRange } from "../serve/time-range.ts";
import { outboundRow } from "./outbound-rtb-operations.ts";
import { allocationState, callsOf, toInboundRow, toOutboundRow } from "./rtb-calls.ts";
import {
  answerStats,
  count,
  dollars,
  milliseconds,
  type RtbReportDeps,
  rate,
  statsAnswer,
  statsQuery,
} from "./rtb-stats.ts";

const text = z.string().nullable();
const inboundRow = z
  .object({
    request_id: z.string(),
    inbound_rtb_id: z.string(),
    campaign_id: text,
    publisher_id: text,
    caller_id: text,
    zip_code: text,
    state: text,
    params: z.record(z.string(), z.string()),
    outcome: z.enum(inboundOutcomes),
    reason: text,
    total_routes: count,
    allocated_count: count,
    best_payout: dollars,
    processing_ms: z.number(),
    call_id: text,
    created_at: timestamp,
  })
  .meta({ id: "InboundRtbRequest" });
const inboundDetail = inboundRow.extend({
  eligible_routes: z.array(offeredRouteSchema),
  ineligible_routes: z.array(withheldRouteSchema),
  outbound_pings: z.array(outboundRow),
  allocations: z.array(
    z.object({ number: z.string(), expires_at: timestamp, state: z.enum(["allocated", "called", "expired"]) }),
  ),
});
const lifeLog = z.object({
  data: z.array(
    z.object({
      seq: z.int(),
      at: timestamp,
      offset_ms: z.int(),
      event: z.string(),
      detail: z.record(z.string(), z.unknown()),
    }),
  ),
});
const inboundStatsRow = z
  .object({
    key: text,
    name: text,
    requests: count,
    with_routes: count,
    no_routes: count,
    cached: count,
    rate_limited: count,
    routes_offered: count,
    allocated: count,
    calls_received: count,
    calls_connected: count,
    converted: count,
    avg_payout: dollars,
    max_payout: dollars,
    fill_rate: rate,
    call_rate: rate,
    p50_processing_ms: milliseconds,
    p95_processing_ms: milliseconds,
    p99_processing_ms: milliseconds,
  })
  .meta({ id: "InboundRtbStats" });

const filter = z.string().min(1).max(255).optional();
const about = { method: "get", tag: "Inbound RTB reports", access: "api_key", limit: "api", status: 200 } as const;
const base = "/api/v1/inbound-rtb/requests";
const params = z.object({ request_id: z.string().min(1).max(255) });

/** Reports on publishers' pings: a list, one ping with its life-log, and statistics. */
export const inboundRtbOperations = (deps: RtbReportDeps): Operation[] => [
  listing(deps),
  defineOperation({
    ...about,
    path: `${base}/{request_id}`,
    name: "getInboundRtbRequest",
    summary: "One ping of a publisher with its routes, the buyers asked and the numbers given",
    params,
    answer: inboundDetail,
    errors: [404, 503],
    handle: async ({ caller, params: { request_id } }) => toDetail(deps, await found(deps, caller.orgId, request_id)),
  }),
  defineOperation({
    ...about,
    path: `${base}/{request_id}/life-log`,
    name: "getInboundRtbLifeLog",
    summary: "What happened to a ping, in order",
    params,
    answer: lifeLog,
    errors: [404, 503],
    async handle({ caller, params: { request_id } }) {
      const { request } = await found(deps, caller.orgId, request_id);
      return { data: toLifeLog(kept(request, "life_log")) };
    },
  }),
  defineOperation({
    ...about,
    path: "/api/v1/inbound-rtb/stats",
    name: "getInboundRtbStats",
    summary: "Pings of publishers in groups, of the last 24 hours unless a range is given",
    query: z.object({ ...statsQuery, group_by: z.enum(inboundGroups).default("inbound_rtb") }),
    answer: statsAnswer(inboundStatsRow),
    errors: [503],
    handle: (request) => answerStats(deps, request, inboundStats),
  }),
];

const listing = ({ warehouse, snapshot, clock }: RtbReportDeps): Operation =>
  defineOperation({
    ...about,
    path: base,
    name: "listInboundRtbRequests",
    summary: "Pings of publishers, of the last 24 hours unless a range is given",
    query: pageQuery.extend({
      ...timeQuery,
      inbound_rtb_id: filter,
      campaign_id: filter,
      publisher_id: filter,
      caller_id: filter,
      outcome: z.enum(inboundOutcomes).optional(),
    }),
    answer: pageOf(inboundRow),
    errors: [503],
    async handle({ caller: { orgId }, query }) {
      const { limit, offset, sort_direction, inbound_rtb_id } = query;
      const { rows, total } = await listInboundRequests(warehouse, {
        orgId,
        filter: {
          ...toTimeRange(query, clock.now()),
          inboundRtbIds: namesOfEndpoint(snapshot.config(orgId), inbound_rtb_id),
          campaignId: query.campaign_id,
          publisherId: query.publisher_id,
          callerId: query.caller_id,
          outcome: query.outcome,
        },
        page: { limit, offset, direction: sort_direction },
      });
      const calls = await callsOf(warehouse, orgId, rows);
      return toPage(
        rows.map((each) => toInboundRow(withParams(each), calls)),
        total,
        { limit, offset },
      );
    },
  });

/** Returns both ids of an endpoint, its own and its public one; of a deleted one, the given id. */
function namesOfEndpoint(config: OrgConfig | undefined, given: string | undefined): readonly string[] | undefined {
  if (given === undefined) return undefined;
  const endpoint = config
    ?.all("inbound_rtb")
    .find(({ id, inbound_rtb_id }) => id === given || inbound_rtb_id === given);
  return [given, endpoint?.id, endpoint?.inbound_rtb_id].filter((name) => name !== undefined);
}

interface Found {
  readonly orgId: Parameters<typeof findInboundRequest>[1];
  readonly request: Row;
}

async function found({ warehouse }: RtbReportDeps, orgId: Found["orgId"], requestId: string): Promise<Found> {
  const request = await findInboundRequest(warehouse, orgId, requestId);
  if (request === null) throw notFound(`The request ${requestId}`);
  return { orgId, request };
}

async function toDetail({ warehouse, clock }: RtbReportDeps, { orgId, request }: Found) {
  const requestId = String(request.request_id);
  const pings = await pingsOfRequest(warehouse, orgId, requestId);
  const calls = await callsOf(warehouse, orgId, [request, ...pings]);
  const ofPing = {
    calls: calls.filter(({ inbound_request_id }) => inbound_request_id === requestId),
    now: clock.now(),
  };
  const { life_log: _log, ...shown } = toInboundRow(withParams(request), calls);
  return {
    ...shown,
    eligible_routes: kept(request, "eligible_routes"),
    ineligible_routes: kept(request, "ineligible_routes"),
    outbound_pings: pings.map((ping) => toOutboundRow(ping, calls)),
    allocations: kept(request, "allocations").map((allocation) => ({
      number: allocation.number,
      expires_at: allocation.expires_at,
      state: allocationState(allocation, ofPing),
    })),
  };
}

type JsonColumn = "eligible_routes" | "ineligible_routes" | "allocations" | "life_log";

/** Returns a JSON column with the type of its message's schema; empty in records that are older than the column. */
const kept = <K extends JsonColumn>(row: Row, name: K): InboundRtbRequest[K] =>
  (row[name] ?? []) as unknown as InboundRtbRequest[K];

const withParams = (row: Row): Row => ({ ...row, params: row.params ?? {} });

/** Returns the life-log of a ping: in order of time, `offset_ms` from its first line. */
function toLifeLog(lines: readonly TraceLine[]) {
  // The sort is stable: lines of the same time stay in the order in which they were written.
  const ordered = lines.toSorted((one, other) => Date.parse(one.occurred_at) - Date.parse(other.occurred_at));
  const began = Date.parse(ordered[0]?.occurred_at ?? "");
  return ordered.map(({ occurred_at, event, detail }, index) => ({
    seq: index + 1,
    at: occurred_at,
    offset_ms: Date.parse(occurred_at) - began,
    event,
    detail,
  }));
}
