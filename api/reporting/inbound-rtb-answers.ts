import { z } from "zod";
import { timestamp } from "../../ingest/primitives.ts";
import { inboundOutcomes, offeredRouteSchema, withheldRouteSchema } from "../../ingest/rtb.ts";
import { outboundRow } from "./outbound-rtb-operations.ts";
import { count, dollars, milliseconds, rate } from "./rtb-stats-answer.ts";

const text = z.string().nullable();
export const inboundRow = z.object({
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
});
export const inboundDetail = inboundRow.extend({
  eligible_routes: z.array(offeredRouteSchema),
  ineligible_routes: z.array(withheldRouteSchema),
  outbound_pings: z.array(outboundRow),
  allocations: z.array(
    z.object({ number: z.string(), expires_at: timestamp, state: z.enum(["allocated", "called", "expired"]) }),
  ),
});
export const lifeLog = z.object({
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
export const inboundStatsRow = z.object({
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
});
