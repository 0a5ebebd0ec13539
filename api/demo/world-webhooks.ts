import type { ConfigInput } from "../config/registry.ts";
import type { Company, DemoWebhook } from "./company.ts";
import type { Stamp } from "./document.ts";

export const incomingTypes = ["call_data", "update_revenue", "update_tags", "update_fields"] as const;

/** A stand-in that looks like what customers put into a header template and opens nothing. */
const fakeCredential = "Bearer demo-credential-not-real";

export function webhookDocuments(company: Company, stamp: Stamp, receiverUrl: string): ConfigInput[] {
  return [
    ...company.webhooks.map((webhook) => outgoingDocument(webhook, stamp, receiverUrl)),
    ...incomingTypes.map((type) => incomingDocument(type, company, stamp)),
  ];
}

function outgoingDocument(webhook: DemoWebhook, { id, about }: Stamp, receiverUrl: string): ConfigInput {
  const { name, event, path, method = "POST" } = webhook;
  return {
    type: "outgoing_webhook",
    doc: {
      id: id("outgoing_webhook", name),
      ...about,
      name,
      description: `Tells ${systemOf(path)} of every ${event}.`,
      event_type_id: event,
      url: `${receiverUrl}${path}?call=[CALL_ID]`,
      method,
      headers: { Authorization: fakeCredential },
      ...(method === "GET"
        ? { params: { campaign: "[CAMPAIGN_NAME]", state: "[CALLER_STATE]" } }
        : { body: bodyOf(event) }),
    },
  };
}

const systemOf = (path: string): string => `the customer's ${path.split("/")[1] ?? "own"} system`;

/** Figures are settled at the end of a call, so only the last events ask for them. */
function bodyOf(event: DemoWebhook["event"]): Record<string, string> {
  const call = {
    call: "[CALL_ID]",
    at: "[EVENT_TIMESTAMP]",
    campaign: "[CAMPAIGN_NAME]",
    publisher: "[PUBLISHER_NAME]",
    caller: "[CALLER_ID]",
    state: "[CALLER_STATE]",
    utm_source: "[UTM_SOURCE]",
    lead_type: "[LEAD_TYPE]",
  };
  if (event === "call.incoming" || event === "call.failure") return call;
  const connected = { ...call, target: "[TARGET_NAME]", buyer: "[BUYER_NAME]" };
  if (event !== "call.converted" && event !== "call.completed") return connected;
  return {
    ...connected,
    seconds: "[DURATION]",
    converted: "[CONVERTED]",
    revenue: "[REVENUE_PAID_OUT]",
    payout: "[PUBLISHER_PAID_OUT]",
    ended_by: "[CALL_TERMINATION_BY]",
  };
}

function incomingDocument(type: (typeof incomingTypes)[number], of: Company, { id, about }: Stamp): ConfigInput {
  return {
    type: "incoming_webhook",
    doc: {
      id: id("incoming_webhook", type),
      ...about,
      name: `${of.name}: ${type.replace("_", " ")}`,
      type,
      auth_key: id("auth_key", type).replaceAll("-", ""),
    },
  };
}
