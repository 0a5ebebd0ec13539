import { z } from "zod";
import { type InboundRtbRequest, inboundOutcomes } from "../../ingest/rtb.ts";
import { inboundGroups, inboundStats } from "../../warehouse/rtb/inbound-rtb-stats.ts";
import { findInboundRequest, listInboundRequests, pingsOfRequest } from "../../warehouse/rtb/requests.ts";
import type { Row } from "../../warehouse/warehouse.ts";
import type { OrgConfig } from "../config/org-config.ts";
import { notFound } from "../serve/errors.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";
import { pageOf, pageQuery, toPage } from "../serve/pages.ts";
import { timeQuery, toTimeRange } from "../serve/time-range.ts";
import { inboundDetail, inboundRow, inboundStatsRow, lifeLog } from "./inbound-rtb-answers.ts";
import { toLifeLog } from "./life-log.ts";
import { answerStats, type RtbReportDeps, statsAnswer, statsQuery } from "./rtb-stats-answer.ts";
import { allocationState, callsOf, toInboundRow, toOutboundRow } from "./with-calls.ts";

const filter = z.string().min(1).max(255).optional();
const about = { method: "get", tag: "Inbound RTB reports", access: "api_key", limit: "api", status: 200 } as const;
const base = "/api/v1/inbound-rtb/requests";
const params = z.object({ request_id: z.string().min(1).max(255) });

/** What publishers asked, what they were answered and what came of it (semantics 7.4). */
export const inboundRtbReads = (deps: RtbReportDeps): Operation[] => [
  listing(deps),
  defineOperation({
    ...about,
    path: `${base}/{request_id}`,
    summary: "One ping of a publisher with its routes, the buyers asked and the numbers given",
    params,
    answer: inboundDetail,
    errors: [404, 503],
    handle: async ({ caller, params: { request_id } }) => toDetail(deps, await found(deps, caller.orgId, request_id)),
  }),
  defineOperation({
    ...about,
    path: `${base}/{request_id}/life-log`,
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

/** An endpoint goes by its number and by its public id (semantics 6.11); one that was deleted by the one given. */
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

type Kept = "eligible_routes" | "ineligible_routes" | "allocations" | "life_log";

/** What is kept whole of a record, as the schema of its message has it; nothing in records that are older. */
const kept = <K extends Kept>(row: Row, name: K): InboundRtbRequest[K] =>
  (row[name] ?? []) as unknown as InboundRtbRequest[K];

const withParams = (row: Row): Row => ({ ...row, params: row.params ?? {} });
