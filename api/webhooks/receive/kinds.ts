import type { Resource } from "../../config/registry.ts";

export type WebhookType = Resource<"incoming_webhook">["type"];

/** The four types as paths have them (spec: Inbound webhook receiver). */
export const typesByPath: ReadonlyMap<string, WebhookType> = new Map([
  ["call-data", "call_data"],
  ["update-revenue", "update_revenue"],
  ["update-tags", "update_tags"],
  ["update-fields", "update_fields"],
]);
