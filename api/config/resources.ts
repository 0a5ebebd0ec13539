import { z } from "zod";
import { callEventNames } from "../../ingest/event.ts";
import { dollars, orgId, shortText, timestamp } from "../../ingest/primitives.ts";
import { payoutCondition } from "../../ingest/terms.ts";

/** What every resource has beside its own fields. */
const resource = {
  id: z.string().min(1).max(64),
  org_id: orgId,
  created_at: timestamp,
  updated_at: timestamp,
  external_id: z.string().min(1).max(64).optional(),
};
const rowId = z.string().min(1).max(36);
const name = z.string().min(1).max(255);
const ids = z.array(shortText).max(500);
const conditionSeconds = z.number().int().min(0);

export const buyerSchema = z.object({ ...resource, name, is_active: z.boolean().default(true) });

export const publisherSchema = z.object({ ...resource, name, is_active: z.boolean().default(true) });

/** A buyer's destination. `payout_condition` says when the buyer pays `revenue`; `payout` is what the publisher earns. */
export const targetSchema = z.object({
  ...resource,
  name,
  buyer_id: shortText.min(1),
  type: z.enum(["number", "phone", "sip", "sip_target", "sip-target"]),
  number: shortText.optional(),
  sip_endpoint: shortText.optional(),
  sip_username: shortText.optional(),
  sip_password: shortText.optional(),
  sip_headers: z.record(z.string(), z.string()).optional(),
  connection_timeout: z.number().int().min(1).optional(),
  timezone: z.string().default("America/New_York"),
  is_active: z.boolean().default(true),
  revenue: dollars.optional(),
  payout: dollars.optional(),
  payout_condition: z
    .enum(["call_successfully_connected", "call_length_connected"])
    .default("call_successfully_connected"),
  payout_condition_duration: conditionSeconds.optional(),
  outgoing_webhooks: ids.default([]),
});

/** One of a campaign's numbers, with the publisher that it was handed to and terms of its own. */
export const numberGroupItemSchema = z.object({
  id: rowId,
  number_id: shortText,
  publisher_id: shortText.optional(),
  type: z.enum(["static", "dynamic"]).default("static"),
  payout: dollars.optional(),
  payout_condition: payoutCondition.optional(),
  payout_condition_duration: conditionSeconds.optional(),
  payout_percentage: z.number().min(0).max(100).optional(),
  is_active: z.boolean().default(true),
});

export const campaignSchema = z.object({
  ...resource,
  name,
  routing_plan_id: shortText.optional(),
  is_active: z.boolean().default(true),
  payout: dollars.optional(),
  timezone: z.string().optional(),
  number_group_items: z.array(numberGroupItemSchema).max(10_000).default([]),
  outgoing_webhooks: ids.default([]),
  incoming_webhooks: ids.default([]),
});

export const routeSchema = z.object({
  id: rowId,
  action: z.string().min(1).max(64),
  target_id: shortText.optional(),
  /** Lower is tried first (semantics 8.5). */
  priority: z.number().int().min(0).default(0),
  weight: z.number().int().min(0).default(0),
});

export const routingPlanSchema = z.object({
  ...resource,
  name,
  is_active: z.boolean().default(true),
  routes: z.array(routeSchema).max(500).default([]),
});

export const numberSchema = z.object({
  ...resource,
  /** E.164. */
  number: z.string().regex(/^\+[1-9]\d{6,14}$/),
  status: z.enum(["available", "assigned", "pooled", "allocated", "released"]).default("available"),
});

export const outgoingWebhookSchema = z.object({
  ...resource,
  name,
  description: z.string().max(2000).optional(),
  event_type_id: z.enum(callEventNames),
  url: z.string().min(1).max(4096),
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]).default("POST"),
  params: z.record(z.string(), z.string()).default({}),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.record(z.string(), z.unknown()).default({}),
  body_type: z.enum(["json", "form"]).default("json"),
});

export const incomingWebhookSchema = z.object({
  ...resource,
  name,
  type: z.enum(["call_data", "update_revenue", "update_tags", "update_fields"]),
  auth_key: z.string().min(16),
  lifespan: z.number().int().min(1).default(3600),
  caller_id_match_days: z.number().int().min(1).default(15),
});

/** Every kind of config document and its shape. */
export const resourceSchemas = {
  buyer: buyerSchema,
  publisher: publisherSchema,
  target: targetSchema,
  campaign: campaignSchema,
  routing_plan: routingPlanSchema,
  number: numberSchema,
  outgoing_webhook: outgoingWebhookSchema,
  incoming_webhook: incomingWebhookSchema,
} as const;
export type ResourceType = keyof typeof resourceSchemas;
export type Resource<T extends ResourceType> = z.infer<(typeof resourceSchemas)[T]>;
export type ResourceInput<T extends ResourceType> = z.input<(typeof resourceSchemas)[T]>;
