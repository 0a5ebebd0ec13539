import * as z from "zod/mini";
import type { DeliveryRecord } from "../deliveries/records.ts";

const text = z.nullable(z.string());
const number = z.nullable(z.number());

/** A row of the call log, as far as the page reads it by name. */
export const callSchema = z.looseObject({
  call_id: z.string(),
  status: z.string(),
  started_at: z.string(),
  connected_at: text,
  ended_at: text,
  campaign_id: text,
  campaign_name: text,
  publisher_id: text,
  publisher_name: text,
  buyer_id: text,
  buyer_name: text,
  target_id: text,
  target_name: text,
  number: text,
  caller_id: text,
  caller_state: text,
  caller_zip: text,
  duration: number,
  connect_duration: number,
  ivr_duration: number,
  termination_by: text,
  failure_reason: text,
  attempts: z.number(),
  revenue: number,
  payout: number,
  profit: number,
  revenue_overridden: z.boolean(),
  converted: z.boolean(),
  duplicate_of: text,
  is_duplicate: z.boolean(),
  repeat_caller: z.boolean(),
  tcpa_result: text,
  recording_url: text,
  tags: z.record(z.string(), z.string()),
});
export type Call = z.infer<typeof callSchema>;

/** True for an address that may become a link: others, such as "javascript:", can run code when they are clicked. */
export const isLink = (address: string): boolean => /^https?:/i.test(address);

/** The answer of `GET /v1/calls`. */
export const callsSchema = z.object({
  data: z.array(callSchema),
  meta: z.object({
    total: z.number(),
    offset: z.number(),
    next_cursor: z.nullish(z.string()),
    previous_cursor: z.nullish(z.string()),
  }),
});

const conditionFields = { condition: z.string(), condition_seconds: z.number() };
const ruleSchema = z.nullable(z.object({ ...conditionFields, met: z.boolean(), allowed: z.boolean() }));
export type Rule = z.infer<typeof ruleSchema>;

const routeSchema = z.object({
  at: z.string(),
  considered_by: z.enum(["ping", "call"]),
  destination_type: text,
  destination_id: text,
  destination_name: text,
  buyer_name: text,
  outcome: z.enum(["refused", "offered", "dialing", "dial_failed", "given_up", "connected"]),
  reason: text,
  detail: text,
  bid: number,
  dial: number,
  rang: z.boolean(),
});
export type Route = z.infer<typeof routeSchema>;

const bidSchema = z.object({
  id: z.string(),
  rtb_id: z.string(),
  rtb_name: text,
  buyer_name: text,
  outcome: z.string(),
  reason: text,
  bid: number,
  effective_bid: number,
  duration: number,
  won: z.boolean(),
  total_ms: z.number(),
});
export type Bid = z.infer<typeof bidSchema>;

const attemptSchema = z.object({
  id: z.string(),
  at: z.string(),
  attempt: z.number(),
  trigger: text,
  outcome: z.string(),
  response_status_code: number,
  response_time_ms: number,
  error: text,
  next_attempt_at: text,
});

const webhookSchema = z.object({
  webhook_id: z.string(),
  webhook_name: text,
  event_type_id: text,
  state: z.enum(["delivered", "retrying", "failed", "waiting", "not_sent"]),
  reason: text,
  attempts: z.array(attemptSchema),
});
export type CallWebhook = z.infer<typeof webhookSchema>;

const receivedSchema = z.object({
  id: z.string(),
  at: z.string(),
  webhook_name: text,
  type: text,
  transaction_id: text,
  response_status_code: number,
});
export type Received = z.infer<typeof receivedSchema> & Pick<DeliveryRecord, "response_status_code">;

const lineSchema = z.object({
  seq: z.number(),
  at: z.string(),
  offset_ms: z.number(),
  event: z.string(),
  source: z.string(),
  detail: z.record(z.string(), z.unknown()),
});
export type Line = z.infer<typeof lineSchema>;

/** The answer of `GET /v1/reports/calls/{call_id}/details`. */
export const detailsSchema = z.object({
  call: z.extend(callSchema, { rtb_name: text, rtb_group_name: text }),
  terms: z.nullable(
    z.object({
      buyer: z.nullable(z.object({ ...conditionFields, revenue: z.number() })),
      publisher: z.nullable(z.object({ ...conditionFields, payout: z.number(), percentage: number })),
    }),
  ),
  rules: z.nullable(z.object({ receivable: ruleSchema, payable: ruleSchema })),
  routes: z.array(routeSchema),
  bids: z.array(bidSchema),
  ping: z.nullable(z.object({ request_id: z.string(), outcome: z.string(), total_routes: z.number() })),
  webhooks: z.array(webhookSchema),
  received: z.array(receivedSchema),
  timeline: z.array(lineSchema),
  truncated: z.boolean(),
  may_adjust: z.boolean(),
  may_redeliver: z.boolean(),
});
export type Details = z.infer<typeof detailsSchema>;

export const detailsPath = (callId: string): string => `/v1/reports/calls/${encodeURIComponent(callId)}/details`;

/** The state of a call in a word, as the log and the call's own view show it. */
export const toState = ({ status, ended_at }: Pick<Call, "status" | "ended_at">) => {
  if (status === "failed") return { label: "Not connected", tone: "bad" } as const;
  if (ended_at !== null) return { label: "Completed", tone: "good" } as const;
  return status === "connected"
    ? ({ label: "Connected", tone: "live" } as const)
    : ({ label: "Ringing", tone: "live" } as const);
};

/** True of a caller who withheld the number, of whom some switches say "anonymous". */
export const isAnonymous = (caller: string | null): boolean => caller === null || caller === "anonymous";
export const callerWords = (caller: string | null): string =>
  caller === null || isAnonymous(caller) ? "Anonymous" : caller;

/** The destination by its name: a target, or the RTB formula that won. */
export const destinationOf = ({
  target_name,
  ...call
}: Pick<Call, "target_name"> & { readonly rtb_name?: string | null }) => target_name ?? call.rtb_name ?? null;
