import type { DemoFile } from "../../api/demo/installation.ts";

type Organization = DemoFile["organizations"][number];

export interface FoundIds {
  readonly parameter: string;
  readonly list: string;
  readonly ids: readonly string[];
}

/** The lists whose rows paths name: the parameter, the list, and the field of its rows that the parameter takes. */
const lists = [
  ["campaign_id", "/api/v1/campaigns", "id"],
  ["target_id", "/api/v1/targets", "id"],
  ["buyer_id", "/api/v1/buyers", "id"],
  ["publisher_id", "/api/v1/publishers", "id"],
  ["routing_plan_id", "/api/v1/routing-plans", "id"],
  ["rtb_group_id", "/api/v1/rtb-groups", "id"],
  ["number_id", "/api/v1/numbers", "id"],
  ["number_pool_id", "/api/v1/number-pools", "id"],
  ["ivr_id", "/api/v1/ivrs", "id"],
  ["call_flow_id", "/api/v1/call-flows", "id"],
  ["predictive_routing_plan_id", "/api/v1/predictive-routing-plans", "id"],
  ["custom_tag_id", "/api/v1/custom-tags", "id"],
  ["blocked_caller_id", "/api/v1/blocked-callers", "id"],
  ["call_id", "/api/v1/reports/calls", "call_id"],
  ["rtb_id", "/api/v1/rtbs", "id"],
  ["rtb_id", "/api/v1/inbound-rtb", "inbound_rtb_id"],
  ["inbound_rtb_id", "/api/v1/inbound-rtb", "id"],
  ["webhook_id", "/api/v1/outgoing-webhooks", "id"],
  ["webhook_id", "/api/v1/incoming-webhooks", "id"],
  ["request_id", "/api/v1/webhooks/outgoing-requests", "id"],
  ["request_id", "/api/v1/webhooks/incoming-requests", "id"],
  ["request_id", "/api/v1/inbound-rtb/requests", "request_id"],
  ["request_id", "/api/v1/outbound-rtb/requests", "id"],
] as const;

const rowsOf = async (url: string, { api_key }: Organization, list: string) => {
  const answer = await fetch(`${url}${list}${list.includes("?") ? "&" : "?"}limit=5`, {
    headers: { "X-API-Key": api_key },
  });
  if (!answer.ok) throw new Error(`GET ${list} answered with ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { data: Record<string, unknown>[] }).data;
};

/** Ids that paths may name, by their parameters and the lists that have them. */
export async function findIds(url: string, organization: Organization): Promise<readonly FoundIds[]> {
  const all: FoundIds[] = [];
  for (const [parameter, list, field] of lists) {
    const ids = (await rowsOf(url, organization, list)).map((row) => String(row[field]));
    if (ids.includes("undefined")) throw new Error(`The rows of ${list} have no ${field}.`);
    all.push({ parameter, list, ids });
  }
  return all;
}

/** The keys of incoming webhooks, by what they are for. */
export async function findWebhookKeys(url: string, organization: Organization): Promise<ReadonlyMap<string, string>> {
  const rows = await rowsOf(url, organization, "/api/v1/incoming-webhooks");
  return new Map(rows.map((row) => [String(row["type"]), String(row["auth_key"])]));
}
