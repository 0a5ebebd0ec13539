import { z } from "zod";
import { timestamp } from "../../ingest/primitives.ts";
import { outboundOutcomes, stepRecordSchema } from "../../ingest/rtb.ts";
import { outboundGroups, outboundStats } from "../../warehouse/rtb/outbound-rtb-stats.ts";
import { findOutboundRequest, listOutboundRequests } from "../../warehouse/rtb/requests.ts";
import { notFound } from "../serve/errors.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";
import { pageOf, pageQuery, toPage } from "../serve/pages.ts";
import { timeQuery, toTimeRange } from "../serve/time-range.ts";
import { callsOf, toOutboundRow } from "./rtb-calls.ts";
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
const filter = z.string().min(1).max(255).optional();
export const outboundRow = z
  .object({
    id: z.string(),
    rtb_id: z.string(),
    rtb_name: text,
    buyer_id: text,
    rtb_group_id: text,
    call_id: text,
    inbound_request_id: text,
    outcome: z.enum(outboundOutcomes),
    reason: text,
    bid: dollars,
    effective_bid: dollars,
    duration: z.int().nullable(),
    phone_number: text,
    score: z.number().nullable(),
    won: z.boolean(),
    total_ms: z.number(),
    steps_count: count,
    created_at: timestamp,
  })
  .meta({ id: "OutboundRtbRequest" });
const statsRow = z
  .object({
    key: text,
    name: text,
    pings: count,
    bids: count,
    no_bids: count,
    timeouts: count,
    http_errors: count,
    parse_errors: count,
    skipped: count,
    wins: count,
    calls: count,
    conversions: count,
    revenue: z.number(),
    avg_bid: dollars,
    max_bid: dollars,
    bid_rate: rate,
    win_rate: rate,
    timeout_rate: rate,
    p50_ms: milliseconds,
    p95_ms: milliseconds,
    p99_ms: milliseconds,
  })
  .meta({ id: "OutboundRtbStats" });

const about = { method: "get", tag: "Outbound RTB reports", access: "api_key", limit: "api", status: 200 } as const;
const base = "/api/v1/outbound-rtb/requests";

/** Reports on pings to buyers: a list, one execution with its steps, and statistics. */
export const outboundRtbOperations = (deps: RtbReportDeps): Operation[] => [
  listing(deps),
  defineOperation({
    ...about,
    path: `${base}/{request_id}`,
    name: "getOutboundRtbRequest",
    summary: "One execution of an RTB formula with each step's request and answer",
    params: z.object({ request_id: z.string().min(1).max(255) }),
    answer: outboundRow.extend({ steps: z.array(stepRecordSchema) }),
    errors: [404, 503],
    async handle({ caller: { orgId }, params: { request_id } }) {
      const execution = await findOutboundRequest(deps.warehouse, orgId, request_id);
      if (execution === null) throw notFound(`The request ${request_id}`);
      const calls = await callsOf(deps.warehouse, orgId, [execution]);
      return { ...toOutboundRow(execution, calls), steps: execution.steps ?? [] };
    },
  }),
  defineOperation({
    ...about,
    path: "/api/v1/outbound-rtb/stats",
    name: "getOutboundRtbStats",
    summary: "Executions of RTB formulas in groups, of the last 24 hours unless a range is given",
    query: z.object({ ...statsQuery, group_by: z.enum(outboundGroups).default("rtb") }),
    answer: statsAnswer(statsRow),
    errors: [503],
    handle: (request) => answerStats(deps, request, outboundStats),
  }),
];

const listing = ({ warehouse, clock }: RtbReportDeps): Operation =>
  defineOperation({
    ...about,
    path: base,
    name: "listOutboundRtbRequests",
    summary: "Executions of RTB formulas, of the last 24 hours unless a range is given",
    query: pageQuery.extend({
      ...timeQuery,
      rtb_id: filter,
      rtb_group_id: filter,
      buyer_id: filter,
      call_id: filter,
      inbound_request_id: filter,
      outcome: z.enum(outboundOutcomes).optional(),
    }),
    answer: pageOf(outboundRow),
    errors: [503],
    async handle({ caller: { orgId }, query }) {
      const { limit, offset, sort_direction } = query;
      const { rows, total } = await listOutboundRequests(warehouse, {
        orgId,
        filter: {
          ...toTimeRange(query, clock.now()),
          rtbId: query.rtb_id,
          rtbGroupId: query.rtb_group_id,
          buyerId: query.buyer_id,
          callId: query.call_id,
          inboundRequestId: query.inbound_request_id,
          outcome: query.outcome,
        },
        page: { limit, offset, direction: sort_direction },
      });
      const calls = await callsOf(warehouse, orgId, rows);
      return toPage(
        rows.map((row) => toOutboundRow(row, calls)),
        total,
        { limit, offset },
      );
    },
  });
