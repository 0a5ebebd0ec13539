import { equal, ok } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import {
  ApiError,
  createTrunkline,
  rowsOf,
  type Schemas,
  unwrap,
  Webhook,
  WebhookVerificationError,
} from "trunkline-client";

// A customer's program. It is compiled in a project of its own, against the package alone, and run beside a demo.
interface Installation {
  readonly base_url: string;
  readonly organizations: readonly {
    readonly api_key: string;
    readonly access_token: string;
    readonly inbound_rtb_id: string;
  }[];
}
const { base_url: baseUrl, organizations }: Installation = JSON.parse(readFileSync("data/demo.json", "utf8"));
const [organization] = organizations;
if (organization === undefined) throw new Error("The installation has no organization.");

/** Reads until there is something: histories follow a while later. */
async function until<T>(read: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 240; tries += 1) {
    const found = await read();
    if (found !== undefined) return found;
    await pause(250);
  }
  throw new Error(`There is nothing yet: ${read}`);
}

// The first answer is lost on its way, like that of a proxy without its service.
let requests = 0;
const client = createTrunkline({
  baseUrl,
  apiKey: organization.api_key,
  accessToken: async () => organization.access_token,
  retry: { limit: 2, maxRetryAfterMs: 2000 },
  fetch: async (request, init) => {
    requests += 1;
    return requests > 1 ? fetch(request, init) : new Response("{}", { status: 503, headers: { "Retry-After": "0" } });
  },
});
const own: Schemas["GetOrganizationResponse"] = unwrap(await client.GET("/v1/organization"));
ok(own.name);
equal(requests, 2);

// A receiver that takes what is signed, and nothing else.
let webhook: Webhook | undefined;
const taken: unknown[] = [];
const receiver = createServer(async (request, response) => {
  try {
    taken.push(webhook?.verify(await text(request), request.headers));
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(error instanceof WebhookVerificationError ? 401 : 500).end();
  }
});
await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
const address = receiver.address();
if (address === null || typeof address === "string") throw new Error("The receiver has no port.");
const receiverUrl = `http://127.0.0.1:${address.port}/calls`;

// Config: a campaign with all that it names.
const buyer = unwrap(await client.POST("/api/v1/buyers", { body: { name: "Buyer" } }));
const target: Schemas["Target"] = unwrap(
  await client.POST("/api/v1/targets", {
    body: { name: "Desk", buyer_id: buyer.id, type: "number", number: "+18885550142", revenue: 30 },
  }),
);
const plan = unwrap(
  await client.POST("/api/v1/routing-plans", {
    body: { name: "Plan", routes: [{ action: "route-to-target", target_id: target.id, priority: 1 }] },
  }),
);
const publisher = unwrap(await client.POST("/api/v1/publishers", { body: { name: "Media", payout: 20 } }));
const dialed = "+18005590142";
const number = unwrap(await client.POST("/api/v1/numbers", { body: { number: dialed, provider: "simulator" } }));
const hook = unwrap(
  await client.POST("/api/v1/outgoing-webhooks", {
    body: { name: "Calls", event_type_id: "call.completed", url: receiverUrl, body: { call: "[CALL_ID]" } },
  }),
);
const hookParams = { path: { webhook_id: hook.id } };
const signing = await client.POST("/api/v1/outgoing-webhooks/{webhook_id}/signing-secret", { params: hookParams });
webhook = new Webhook(unwrap(signing).signing_secret);
const campaign: Schemas["Campaign"] = unwrap(
  await client.POST("/api/v1/campaigns", {
    body: {
      name: "Campaign",
      routing_plan_id: plan.id,
      payout: 20,
      number_group_items: [{ number_id: number.id, publisher_id: publisher.id }],
      outgoing_webhooks: [hook.id],
    },
  }),
);
const campaignParams = { path: { campaign_id: campaign.id } };
unwrap(
  await client.PATCH("/api/v1/campaigns/{campaign_id}", { params: campaignParams, body: { name: "Campaign again" } }),
);
const changed = unwrap(await client.GET("/api/v1/campaigns/{campaign_id}", { params: campaignParams }));
equal(changed.name, "Campaign again");
equal(changed.number_group_items?.[0]?.number_id, number.id);

// A call on the simulator, its view, its timeline.
const from = "+12125550142";
const call = unwrap(
  await client.POST("/telephony/simulator/calls", { body: { from, to: dialed, tags: { utm_source: "radio" } } }),
);
if (call.action !== "dial") throw new Error(`The caller is answered ${call.action}.`);
equal(call.destination.number, "+18885550142");
equal(call.terms.buyer_terms.revenue, 30);
const path = { call_id: call.call_id };
for (const type of ["answer", "hangup"] as const)
  unwrap(await client.POST("/telephony/simulator/calls/{call_id}/events", { params: { path }, body: { type } }));
const view: Schemas["Call"] = await until(async () => {
  const { data } = await client.GET("/api/v1/reports/calls/{call_id}", { params: { path } });
  return data?.status === "completed" ? data : undefined;
});
equal(view.revenue, 30);
equal(view.tags["utm_source"], "radio");
const timeline = unwrap(await client.GET("/api/v1/reports/calls/{call_id}/timeline", { params: { path } }));
ok(timeline.data.some(({ event }) => event === "call.converted"));
const details = unwrap(await client.GET("/api/v1/reports/calls/{call_id}/details", { params: { path } }));
equal(details.call.call_id, call.call_id);

// The history of webhooks has what the receiver took.
const delivery = await until(async () => {
  const query = { call_id: call.call_id };
  const { data } = unwrap(await client.GET("/api/v1/webhooks/outgoing-requests", { params: { query } }));
  return data.find(({ event_type_id }) => event_type_id === "call.completed");
});
equal(delivery.response_status_code, 204);
equal(JSON.stringify(taken), JSON.stringify([{ call: call.call_id }]));
const forged = await fetch(receiverUrl, { method: "POST", body: "{}", headers: { "webhook-id": "msg_1" } });
equal(forged.status, 401);

// Webhooks in: what is known of a caller, and what the call was worth.
const leads = unwrap(await client.POST("/api/v1/incoming-webhooks", { body: { name: "Leads", type: "call_data" } }));
const crm = createTrunkline({ baseUrl, webhookKey: leads.auth_key });
const lead = { transaction_id: `lead-${call.call_id}`, caller_id: from, lead_type: "solar" };
const told = unwrap(await crm.POST("/call-data", { body: lead }));
equal(told.call_id, call.call_id);
const repeat = await crm.POST("/call-data", { body: lead });
equal(repeat.response.headers.get("idempotent-replayed"), "true");
const sales = unwrap(
  await client.POST("/api/v1/incoming-webhooks", { body: { name: "Sales", type: "update_revenue" } }),
);
const { after } = unwrap(
  await createTrunkline({ baseUrl, webhookKey: sales.auth_key }).POST("/update-revenue", {
    body: { transaction_id: `sale-${call.call_id}`, call_id: call.call_id, revenue: 45.5 },
  }),
);
equal(after?.revenue, 45.5);
await until(async () => {
  const query = { call_id: call.call_id };
  const { data } = unwrap(await client.GET("/api/v1/webhooks/incoming-requests", { params: { query } }));
  return data.find(({ transaction_id }) => transaction_id === lead.transaction_id);
});

// Questions in words and in SQL, and a publisher's ping.
const answer = unwrap(await client.POST("/reporting_ai/query", { body: { query: "calls by campaign today" } }));
ok(answer.sql);
equal(answer.data.columns[1]?.unit, "count");
const sql = "SELECT count(*) AS calls FROM calls WHERE caller_id = '+12125550142'";
const { rows } = unwrap(await client.POST("/reporting_ai/sql", { body: { sql } }));
ok(Number(rows[0]?.["calls"]) >= 1);
const ping = unwrap(
  await client.GET("/inbound_rtb/{rtb_id}", {
    params: { path: { rtb_id: organization.inbound_rtb_id }, query: { caller_id: "2125550123", zip: "33101" } },
  }),
);
const pingPath = { request_id: ping.request_id };
const pinged = await until(
  async () => (await client.GET("/api/v1/inbound-rtb/requests/{request_id}", { params: { path: pingPath } })).data,
);
equal(pinged.zip_code, "33101");

// Lists, row by row over pages.
const monthAgo = new Date(Date.now() - 30 * 86_400_000).toISOString();
const listed: Schemas["Call"][] = [];
for await (const row of rowsOf(client, "/api/v1/reports/calls", { query: { limit: 10, start_date: monthAgo } }))
  listed.push(row);
ok(listed.length > 20);
equal(new Set(listed.map(({ call_id }) => call_id)).size, listed.length);

// Answers that say no.
try {
  unwrap(await client.GET("/api/v1/targets/{target_id}", { params: { path: { target_id: "nobody's" } } }));
  throw new Error("There is such a target.");
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  equal(error.code, "not_found");
  ok(error.requestId);
}
const { error: refused } = await client.POST("/api/v1/buyers", { body: { name: "" } });
const detail = refused?.detail;
equal(Array.isArray(detail) && detail[0]?.ctx?.["min_length"], 1);

receiver.close();
receiver.closeAllConnections();
process.stdout.write("integrated\n");
