import { mkdtempSync, rmSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { startPlatform } from "../../api/compose.ts";
import type { ConfigInput } from "../../api/config/registry.ts";
import { readSettings } from "../../api/settings/settings.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import type { Bench } from "./bench.ts";

const routesOfPlan = 20;
const pingsAtOnce = 50;
const about = {
  org_id: "org_bench" as OrgId,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
};

/** What a ping costs beside a server that answers the same bytes and does nothing: 20 static routes, 50 at once. */
export async function openPingBench(): Promise<Bench> {
  const dataDir = mkdtempSync(join(tmpdir(), "trunkline-bench-"));
  const settings = readSettings({ DATA_DIR: dataDir, PORT: "0", RTB_RATE_LIMIT_PER_MIN: "10000000" });
  const platform = await startPlatform(settings, { logger: pino({ level: "silent" }) });
  const url = await platform.listen();
  await platform.config.saveOrganization({ id: about.org_id, name: "Bench", timezone: "UTC" });
  await platform.config.save(about.org_id, documents());
  await platform.settled();
  const agent = new Agent({ keepAlive: true, maxSockets: pingsAtOnce });
  const bytes = await fetchText(`${url}/inbound_rtb/one?cid=2125550000`, agent);
  const bare = createServer((_request, response) => {
    response
      .writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(bytes) })
      .end(bytes);
  });
  await new Promise<void>((resolve) => bare.listen(0, "127.0.0.1", resolve));
  const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}`;

  let caller = 0;
  const round = (to: string) => () =>
    Promise.all(Array.from({ length: pingsAtOnce }, () => fetchText(`${to}?cid=${3_105_550_000 + ++caller}`, agent)));
  const subject = (name: string, to: string) => ({ name, unit: "ping", units: pingsAtOnce, round: round(to) });
  const again = () => fetchText(`${url}/inbound_rtb/one?cid=2125550000`, agent);
  return {
    comparisons: [
      {
        title: `A ping that ${routesOfPlan} static routes are open to, ${pingsAtOnce} at once`,
        baseline: subject("the same bytes by node:http", `${bareUrl}/inbound_rtb/one`),
        subjects: [
          subject("one number for each caller", `${url}/inbound_rtb/one`),
          subject("a pool that is empty", `${url}/inbound_rtb/many`),
          {
            ...subject("a repeat", ""),
            round: () => Promise.all(Array.from({ length: pingsAtOnce }, again)),
          },
        ],
      },
    ],
    async close() {
      agent.destroy();
      bare.close();
      await platform.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function documents(): ConfigInput[] {
  const lines = Array.from({ length: routesOfPlan }, (_, index) => index);
  const line = { buyer_id: "buyer", type: "number", number: "+18885550101" } as const;
  const routes = lines.map((index) => ({ id: `r${index}`, action: "route-to-target", target_id: `t${index}` }));
  const endpoint = { campaign_id: "campaign", publisher_id: "publisher", rate_limit: 10_000_000 };
  const receives = { receive_mode: "static_multi_bid", receive_number_id: "receiver" } as const;
  return [
    { type: "buyer", doc: { ...about, id: "buyer", name: "Buyer" } },
    { type: "publisher", doc: { ...about, id: "publisher", name: "Publisher" } },
    ...lines.map((index): ConfigInput => {
      return {
        type: "target",
        doc: { ...about, id: `t${index}`, name: `Target ${index}`, revenue: 10 + index, ...line },
      };
    }),
    { type: "routing_plan", doc: { ...about, id: "plan", name: "Plan", routes } },
    { type: "campaign", doc: { ...about, id: "campaign", name: "Campaign", routing_plan_id: "plan" } },
    { type: "number", doc: { ...about, id: "receiver", number: "+18005550100" } },
    { type: "inbound_rtb", doc: { ...about, id: "1", inbound_rtb_id: "one", ...endpoint, ...receives } },
    { type: "inbound_rtb", doc: { ...about, id: "2", inbound_rtb_id: "many", ...endpoint } },
  ];
}

function fetchText(url: string, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    request(url, { agent }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => (response.statusCode === 200 ? resolve(text) : reject(new Error(text))));
    })
      .on("error", reject)
      .end();
  });
}
