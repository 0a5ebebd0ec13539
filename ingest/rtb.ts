import { z } from "zod";
import { dollars, orgId, timestamp, wellFormedText } from "./primitives.ts";

const text = wellFormedText.nullable().default(null);
const about = { v: z.literal(1).default(1), org_id: orgId, created_at: timestamp };

export const inboundOutcomes = ["routes", "no_routes", "cached", "rate_limited", "refused", "error"] as const;
/** One ping that a publisher made of an inbound RTB endpoint (semantics 7.4). */
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
});
export type InboundRtbRequest = z.infer<typeof inboundRtbRequestSchema>;

export const outboundOutcomes = ["bid", "no_bid", "timeout", "http_error", "parse_error", "skipped"] as const;
/** One execution of an RTB formula (semantics 7.5). */
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
});
export type OutboundRtbRequest = z.infer<typeof outboundRtbRequestSchema>;
