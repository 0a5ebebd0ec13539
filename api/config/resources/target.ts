import { z } from "zod";
import { defineResource } from "../resource.ts";
import {
  advancedCaps,
  count,
  dialledNumber,
  duplicateRules,
  externalId,
  filters,
  hoursOfOperation,
  id,
  ids,
  longText,
  money,
  name,
  recordings,
  shortText,
  sipEndpoint,
  timezone,
} from "./shapes.ts";

/** A buyer's destination: `payout_condition` says when the buyer pays `revenue`, `payout` is what the publisher earns. */
export const target = defineResource({
  type: "target",
  path: "targets",
  param: "target_id",
  title: { one: "target", many: "targets" },
  writable: z.object({
    name,
    buyer_id: id,
    type: z
      .enum(["number", "phone", "sip", "sip_target", "sip-target"])
      .describe("Whether calls go to `number` (number, phone) or to `sip_endpoint`."),
    number: dialledNumber.optional(),
    sip_endpoint: sipEndpoint.optional(),
    sip_username: shortText.optional(),
    sip_password: shortText.optional(),
    sip_headers: z.record(z.string().max(255), longText).optional(),
    /** Seconds; 0 is as none. */
    connection_timeout: count.optional(),
    timezone: timezone.default("America/New_York"),
    is_active: z.boolean().default(true),
    max_concurrency: count.optional(),
    revenue: money.optional(),
    payout: money.optional(),
    payout_condition: z
      .enum(["call_successfully_connected", "call_length_connected"])
      .default("call_successfully_connected"),
    payout_condition_duration: count.optional(),
    ...duplicateRules,
    ...recordings,
    filters: filters.optional(),
    hours_of_operation: hoursOfOperation.optional(),
    outgoing_webhooks: ids.default([]),
    external_id: externalId,
    advanced_caps: advancedCaps.default([]),
  }),
  readOnly: { buyer_name: z.string().optional() },
  pausable: true,
  listed: [
    "id",
    "name",
    "org_id",
    "timezone",
    "is_active",
    "conversion_scope",
    "duplicate_conversion_action",
    "consider_duplicate",
    "consider_duplicate_on",
    "consider_duplicate_length",
    "consider_duplicate_interval",
    "disable_recordings",
    "access_to_call_recordings",
    "advanced_caps",
    "is_paused",
  ],
  filters: {
    name: shortText.optional(),
    buyer_id: shortText.optional(),
    external_id: shortText.optional(),
    is_active: z.enum(["true", "false"]).optional(),
  },
  secrets: ["sip_password", "sip_headers"],
  references: (target) => [
    { type: "buyer", id: target.buyer_id, loc: ["buyer_id"] },
    ...target.outgoing_webhooks.map((webhook, index) => ({
      type: "outgoing_webhook",
      id: webhook,
      loc: ["outgoing_webhooks", index],
    })),
  ],
  detach: {
    type: "routing_plan",
    without: ({ routes }, id) => ({
      routes: (routes as { target_id?: string }[]).filter((row) => row.target_id !== id),
    }),
  },
  view: ({ buyer_id }, { find }) => {
    const buyer = find("buyer", buyer_id);
    return buyer === null ? {} : { buyer_name: buyer.name };
  },
  example: {
    name: "Sunny Roofs East",
    buyer_id: "BUYER_ID",
    type: "number",
    number: "+18885550101",
    revenue: 30,
    payout_condition: "call_length_connected",
    payout_condition_duration: 90,
  },
});
