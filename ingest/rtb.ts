import { z } from "zod";
import { dollars, orgId, timestamp, wellFormedText } from "./primitives.ts";
import { traceLineSchema } from "./trace.ts";

const text = wellFormedText.nullable().default(null);
const about = { v: z.literal(1).default(1), org_id: orgId, created_at: timestamp };

export const inboundOutcomes = ["routes", "no_routes", "cached", "rate_limited", "refused", "error"] as const;
/** A route as a ping was offered it. */
export const offeredRouteSchema = z.object({
  route_id: text,
  destination_type: wellFormedText,
  destination_id: wellFormedText,
  buyer_id: text,
  payout: dollars,
  revenue: dollars,
});
export const withheldRouteSchema = z.object({
  route_id: text,
  destination_type: text,
  destination_id: text,
  reason: wellFormedText,
  detail: text,
  bid: dollars.nullable().default(null),
});
const allocatedNumberSchema = z.object({ number: wellFormedText, route_id: text, expires_at: timestamp });

/** One ping that a publisher made of an inbound RTB endpoint. */
export const inboundRtbRequestSchema = z.object({
  kind: z.literal("inbound"),
  ...about,
  request_id: wellFormedText.min(1),
  inbound_rtb_id: wellFormedText,
  campaign_id: text,
  campaign_name: text,
  publisher_id: text,
  publisher_name: text,
  caller_id: text,
  zip_code: text,
  state: text,
  params: z.record(wellFormedText, wellFormedText).default({}),
  outcome: z.enum(inboundOutcomes),
  reason: text,
  total_routes: z.number().int().min(0),
  allocated_count: z.number().int().min(0),
  best_payout: dollars.nullable().default(null),
  processing_ms: z.number().min(0),
  call_id: text,
  eligible_routes: z.array(offeredRouteSchema).default([]),
  ineligible_routes: z.array(withheldRouteSchema).default([]),
  allocations: z.array(allocatedNumberSchema).default([]),
  life_log: z.array(traceLineSchema).default([]),
});
export type InboundRtbRequest = z.infer<typeof inboundRtbRequestSchema>;

export const outboundOutcomes = ["bid", "no_bid", "timeout", "http_error", "parse_error", "skipped"] as const;
/** One request of an execution, as histories keep it: retries have records of their own. */
export const stepRecordSchema = z.object({
  /** The step's place in the formula, from 0. */
  index: z.int(),
  /** Counted from 1. */
  attempt: z.int(),
  url: z.string(),
  method: z.string(),
  /** `***` in place of credentials. */
  request_headers: z.record(z.string(), z.string()),
  request_body: z.string().nullable(),
  status_code: z.int().nullable(),
  response_body: z.string().nullable(),
  /** True if a body was longer than is kept. */
  truncated: z.boolean(),
  duration_ms: z.number(),
  error: z.string().nullable(),
  /** Placeholders that had no text. */
  unresolved: z.array(z.string()),
  /** True if the step has a script for its answer, which was not run. */
  script_skipped: z.boolean(),
});
export type StepRecord = z.infer<typeof stepRecordSchema>;

/** One execution of an RTB formula. */
export const outboundRtbRequestSchema = z.object({
  kind: z.literal("outbound"),
  ...about,
  id: wellFormedText.min(1),
  rtb_id: wellFormedText,
  rtb_name: text,
  buyer_id: text,
  buyer_name: text,
  rtb_group_id: text,
  campaign_id: text,
  campaign_name: text,
  call_id: text,
  inbound_request_id: text,
  outcome: z.enum(outboundOutcomes),
  reason: text,
  bid: dollars.nullable().default(null),
  effective_bid: dollars.nullable().default(null),
  /** Seconds of connected time that the buyer asks for. */
  duration: z.number().int().nullable().default(null),
  phone_number: text,
  score: z.number().nullable().default(null),
  won: z.boolean().default(false),
  total_ms: z.number().min(0),
  steps_count: z.number().int().min(0),
  /** Its requests and answers, bodies cut. */
  steps: z.array(stepRecordSchema).default([]),
});
export type OutboundRtbRequest = z.infer<typeof outboundRtbRequestSchema>;
