import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { request } from "undici";
import type { ConfigInput } from "../../api/config/registry.ts";
import { startService } from "../compiled-service.ts";
import type { Bench } from "./bench.ts";
import { openBaseline } from "./processes/processes.ts";
import { about, seedService } from "./seed-service.ts";

const trackingNumber = "+18005550100";
const authKey = "bench0000000000000000000000000000";
const json = { "content-type": "application/json" };
/** Of so many routes one takes calls from California, where the load's callers are. */
const openEvery = 10;

/** Pings, calls and config over HTTP: the compiled service, its baselines and the load each in a process of its own. */
export async function openRequestBench(): Promise<Bench> {
  const dataDir = mkdtempSync(join(tmpdir(), "trunkline-bench-"));
  const key = await seedService(dataDir, documents());
  const service = await startService(dataDir);
  const { url } = service;
  const headers = { "x-api-key": key };
  const answerTo = async (path: string, init: Parameters<typeof request>[1] = {}) => {
    const { statusCode, body } = await request(url + path, init);
    const bytes = await body.text();
    if (statusCode >= 300) throw new Error(`${path} was answered ${statusCode}: ${bytes.slice(0, 300)}`);
    return bytes;
  };
  const ping = await answerTo("/inbound_rtb/twenty?cid=3102000000");
  const target = await answerTo("/api/v1/targets/t20-0", { headers });
  const placing = JSON.stringify({ from: "+1{caller}", to: trackingNumber });
  const call = await answerTo("/telephony/simulator/calls", {
    method: "POST",
    headers: { ...headers, ...json },
    body: placing.replace("{caller}", "3102000000"),
  });
  const [bare, express, ofCalls, ofTargets] = [
    await openBaseline({ kind: "http", bytes: ping }),
    await openBaseline({ kind: "express", bytes: target }),
    await openBaseline({ kind: "durable", bytes: call }),
    await openBaseline({ kind: "durable", bytes: target }),
  ];
  const pings = { connections: 32, seconds: 5 };
  const calls = { method: "POST", headers, body: placing, connections: 16, seconds: 5 } as const;
  const reads = { headers, connections: 16, seconds: 5 };
  const renaming = JSON.stringify({ name: "Target {caller}" });
  const lead = JSON.stringify({ transaction_id: "crm-{caller}", caller_id: "+1{caller}", lead_type: "solar" });
  return {
    comparisons: [],
    loads: [
      {
        title: "A ping of a new caller, 32 at once; one of ten routes is open to it",
        baseline: { name: "the same bytes by node:http", load: { url: `${bare.url}/?cid={caller}`, ...pings } },
        subjects: [
          { name: "20 routes", load: { url: `${url}/inbound_rtb/twenty?cid={caller}`, ...pings }, atLeast: 0.1 },
          { name: "200 routes", load: { url: `${url}/inbound_rtb/hundreds?cid={caller}`, ...pings }, atLeast: 0.05 },
          { name: "a repeat", load: { url: `${url}/inbound_rtb/twenty?cid=3102000000`, ...pings }, atLeast: 0.35 },
          {
            name: "200 routes, 500 pings a second",
            load: { url: `${url}/inbound_rtb/hundreds?cid={caller}`, ...pings, rate: 500 },
          },
        ],
      },
      {
        title: "A call placed, 16 at once",
        baseline: {
          name: "the same bytes by Express, behind a durable LMDB put",
          load: { ...calls, url: `${ofCalls.url}/calls` },
        },
        subjects: [
          {
            name: "a call with two routes",
            load: { ...calls, url: `${url}/telephony/simulator/calls` },
            atLeast: 0.25,
          },
          { name: "one at a time", load: { ...calls, url: `${url}/telephony/simulator/calls`, connections: 1 } },
        ],
      },
      {
        title: "A target read, 16 at once",
        baseline: { name: "the same bytes by Express", load: { ...reads, url: `${express.url}/target` } },
        subjects: [{ name: "GET one target", load: { ...reads, url: `${url}/api/v1/targets/t20-0` }, atLeast: 0.6 }],
      },
      {
        title: "A change made, 16 at once",
        baseline: {
          name: "the same bytes by Express, behind a durable LMDB put",
          load: { ...reads, method: "PATCH", body: renaming, url: `${ofTargets.url}/target` },
        },
        subjects: [
          {
            name: "PATCH one target",
            load: { ...reads, method: "PATCH", body: renaming, url: `${url}/api/v1/targets/idle` },
            atLeast: 0.25,
          },
          {
            name: "POST /call-data",
            load: {
              method: "POST",
              headers: {},
              body: lead,
              connections: 16,
              seconds: 5,
              url: `${url}/call-data?svc_auth_key=${authKey}`,
            },
            atLeast: 0.25,
          },
        ],
      },
    ],
    async close() {
      for (const each of [bare, express, ofCalls, ofTargets]) each.close();
      await service.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function documents(): ConfigInput[] {
  const line = { buyer_id: "buyer", type: "number", number: "+18885550101" } as const;
  const takesPings = { publisher_id: "publisher", rate_limit: 10_000_000 };
  const receives = { ...takesPings, receive_mode: "static_multi_bid", receive_number_id: "receiver" } as const;
  return [
    { type: "buyer", doc: { ...about, id: "buyer", name: "Buyer" } },
    { type: "publisher", doc: { ...about, id: "publisher", name: "Publisher" } },
    { type: "target", doc: { ...about, ...line, id: "idle", name: "Idle" } },
    { type: "number", doc: { ...about, id: "number", number: trackingNumber } },
    { type: "number", doc: { ...about, id: "receiver", number: "+18005550101" } },
    {
      type: "incoming_webhook",
      doc: {
        ...about,
        id: "call_data",
        name: "Leads",
        type: "call_data",
        auth_key: authKey,
      },
    },
    ...[2, 20, 200].flatMap((count): ConfigInput[] => {
      const ids = Array.from({ length: count }, (_, index) => `t${count}-${index}`);
      return [
        ...ids.map((id, index): ConfigInput => {
          const state = count === 2 || index % openEvery === 0 ? "CA" : "TX";
          return {
            type: "target",
            doc: { ...about, ...line, id, name: id, revenue: 10 + index, filters: fromState(state) },
          };
        }),
        {
          type: "routing_plan",
          doc: {
            ...about,
            id: `plan-${count}`,
            name: `plan-${count}`,
            routes: ids.map((id) => ({ id: `r-${id}`, action: "route-to-target", target_id: id })),
          },
        },
        {
          type: "campaign",
          doc: {
            ...about,
            id: `campaign-${count}`,
            name: `campaign-${count}`,
            routing_plan_id: `plan-${count}`,
            ...(count === 2
              ? {
                  number_group_items: [{ id: "n1", number_id: "number", publisher_id: "publisher" }],
                  incoming_webhooks: ["call_data"],
                }
              : {}),
          },
        },
      ];
    }),
    {
      type: "inbound_rtb",
      doc: { ...about, ...receives, id: "1", inbound_rtb_id: "twenty", campaign_id: "campaign-20" },
    },
    {
      type: "inbound_rtb",
      doc: { ...about, ...receives, id: "2", inbound_rtb_id: "hundreds", campaign_id: "campaign-200" },
    },
  ];
}

const fromState = (state: string) => ({
  enabled: true,
  groups: [{ conditions: [{ field: "state", operator: "equals", values: [state] }] }],
});
