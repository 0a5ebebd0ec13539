import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { request } from "undici";
import type { ConfigInput } from "../../api/config/registry.ts";
import { startService } from "../compiled-service.ts";
import type { Bench } from "./bench.ts";
import { openBaseline } from "./processes/processes.ts";
import { about, pingedCampaign, seedService } from "./seed-service.ts";

const bidders = 20;
const answerMs = 20;

/** An auction, beside a program that asks the same bidders the same and waits for all; all in processes of their own. */
export async function openAuctionBench(): Promise<Bench> {
  const dataDir = mkdtempSync(join(tmpdir(), "trunkline-bench-"));
  const bid = JSON.stringify({ bid: 12.5, duration: 60, phone: "+18885550101" });
  const bidder = await openBaseline({ kind: "bidder", bytes: bid, afterMs: answerMs });
  await seedService(dataDir, documents(`${bidder.url}/bid`));
  const service = await startService(dataDir, { ALLOW_PRIVATE_DESTINATIONS: "true" });
  const url = `${service.url}/inbound_rtb/any?cid={caller}`;
  const { body } = await request(url.replace("{caller}", "3102000000"));
  const bytes = await body.text();
  if (JSON.parse(bytes).success !== true) throw new Error(`An auction was answered ${bytes.slice(0, 300)}`);
  const fanOut = await openBaseline({ kind: "fan-out", bytes, bidder: `${bidder.url}/bid`, times: bidders });
  const load = { url, connections: 16, seconds: 5 };
  const best = "16 at once";
  return {
    comparisons: [],
    loads: [
      {
        title: `An auction of ${bidders} bidders that answer after ${answerMs} ms`,
        baseline: { name: "a program that asks and waits", load: { ...load, url: `${fanOut.url}/?cid={caller}` } },
        subjects: [
          { name: best, load, atLeast: 0.6 },
          { name: "80 a second", load: { ...load, connections: 200, rate: 80 } },
          { name: "twice the best rate", load: { ...load, connections: 500 }, twice: best, atLeast: 0.8 },
        ],
      },
    ],
    async close() {
      await service.stop();
      for (const each of [fanOut, bidder]) each.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function documents(url: string): ConfigInput[] {
  const ids = Array.from({ length: bidders }, (_, index) => `bidder-${index}`);
  return [
    { type: "buyer", doc: { ...about, id: "buyer", name: "Buyer" } },
    { type: "publisher", doc: { ...about, id: "publisher", name: "Publisher" } },
    ...ids.map((id): ConfigInput => {
      const step = {
        url,
        method: "POST" as const,
        body_type: "json" as const,
        body_params: [{ key: "caller", value: "{{caller_id}}" }],
        api_response: { bid: 12.5, duration: 60, phone: "+18885550101" },
      };
      const mapped_response = { bid: "$.bid", duration: "$.duration", phone_number: "$.phone" };
      return {
        type: "rtb_formula",
        doc: { ...about, id, rtb_name: id, buyer_id: "buyer", steps: [step], mapped_response },
      };
    }),
    {
      type: "rtb_group",
      doc: {
        ...about,
        id: "group",
        name: "Group",
        rtb_formulas: ids.map((id) => ({ id: `link-${id}`, rtb_formula_id: id })),
      },
    },
    {
      type: "routing_plan",
      doc: {
        ...about,
        id: "plan",
        name: "Plan",
        routes: [{ id: "route", action: "route-to-rtb-group", rtb_group_id: "group" }],
      },
    },
    ...pingedCampaign,
  ];
}
