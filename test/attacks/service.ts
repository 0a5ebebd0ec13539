import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { startPlatform } from "../../api/compose.ts";
import type { ConfigInput } from "../../api/config/registry.ts";
import { readSettings } from "../../api/settings/settings.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import { openDuckdbWarehouse } from "../../warehouse/warehouse-duckdb.ts";
import { aCall } from "../assistant/example-data.ts";
import { storing } from "../warehouse/storing.ts";

export const root = fileURLToPath(new URL("../..", import.meta.url));
const [victim, ...attackers] = ["victim", "attacker_one", "attacker_two"] as const;
export const trackingNumber = "+18005550100";
const routesOfPlan = 20;
const limits = {
  API_RATE_LIMIT_PER_MIN: "1000000",
  RTB_RATE_LIMIT_PER_MIN: "1000000",
  ASSISTANT_RATE_LIMIT_PER_MIN: "1000000",
};

/** An installation with one organization that takes calls and pings, and two with a history to ask about. */
export async function seedAttack(dataDir: string, calls: number) {
  const settings = readSettings({ DATA_DIR: dataDir, PORT: "0", ROLES: "api,lifecycle,deliver,load", ...limits });
  const platform = await startPlatform(settings, { logger: pino({ level: "silent" }) });
  const members = [];
  for (const id of [victim, ...attackers] as readonly string[] as readonly OrgId[]) {
    await platform.config.saveOrganization({ id, name: id, timezone: "UTC" });
    const { key } = await platform.apiKeys.issue(id, "attack");
    const token = (await platform.issueToken?.({ userId: "analyst", orgId: id }, 3600)) ?? "";
    members.push({ id, key, token });
  }
  await platform.config.save(victim as OrgId, documents());
  await platform.settled();
  await platform.stop();
  const warehouse = await openDuckdbWarehouse({ path: `${dataDir}/warehouse.duckdb` });
  // A topic's partition that the platform does not have: its own places stay as they are.
  const store = storing({ store: (range) => warehouse.store({ ...range, partition: 999 }) }, "call-events");
  for (const id of attackers as readonly string[] as readonly OrgId[]) {
    for (let first = 0; first < calls; first += 5000) {
      const count = Math.min(5000, calls - first);
      await store(Array.from({ length: count }, (_, index) => aCall(first + index, id)));
    }
  }
  await warehouse.close();
  const [one, ...others] = members;
  if (one === undefined) throw new Error("There is no victim.");
  return { victim: one, attackers: others };
}

function documents(): ConfigInput[] {
  const about = {
    org_id: victim as OrgId,
    created_at: "2026-01-01T00:00:00.000Z",
    updated_at: "2026-01-01T00:00:00.000Z",
  };
  const ids = Array.from({ length: routesOfPlan }, (_, index) => `victim-t${index}`);
  const endpoint = { campaign_id: "victim-campaign", publisher_id: "victim-publisher", rate_limit: 10_000_000 };
  const receives = { receive_mode: "static_multi_bid", receive_number_id: "victim-receiver" } as const;
  return [
    { type: "buyer", doc: { ...about, id: "victim-buyer", name: "victim-buyer" } },
    { type: "publisher", doc: { ...about, id: "victim-publisher", name: "victim-publisher" } },
    ...ids.map(
      (id, index): ConfigInput => ({
        type: "target",
        doc: {
          ...about,
          id,
          name: id,
          revenue: 10 + index,
          buyer_id: "victim-buyer",
          type: "number",
          number: "+18885550101",
        },
      }),
    ),
    {
      type: "routing_plan",
      doc: {
        ...about,
        id: "victim-plan",
        name: "victim-plan",
        routes: ids.map((id) => ({ id: `r-${id}`, action: "route-to-target", target_id: id })),
      },
    },
    { type: "number", doc: { ...about, id: "victim-number", number: trackingNumber } },
    { type: "number", doc: { ...about, id: "victim-receiver", number: "+18005550101" } },
    {
      type: "campaign",
      doc: {
        ...about,
        id: "victim-campaign",
        name: "victim-campaign",
        routing_plan_id: "victim-plan",
        number_group_items: [{ id: "n1", number_id: "victim-number", publisher_id: "victim-publisher" }],
      },
    },
    { type: "inbound_rtb", doc: { ...about, id: "1", inbound_rtb_id: "victim", ...endpoint, ...receives } },
  ];
}

/** The service as npm start runs it, in a process of its own. */
export async function startService(dataDir: string) {
  execFileSync(process.execPath, ["build.mjs"], { cwd: root, stdio: "inherit" });
  const args = [
    "--enable-source-maps",
    "--require",
    "./dist/api/commands/thread-pool.cjs",
    "dist/api/commands/start.js",
  ];
  const env = { PATH: process.env["PATH"], HOME: process.env["HOME"], PORT: "0", DATA_DIR: dataDir, ...limits };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "ignore", "pipe"] });
  const url = await new Promise<string>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`The service ended with ${code}.`)));
    createInterface({ input: child.stderr }).on("line", (line) => {
      const { msg = "", url: serves } = parse(line);
      if (msg.startsWith("Trunkline serves")) resolve(String(serves));
    });
  });
  let most = 0;
  const looking = setInterval(() => {
    most = Math.max(most, residentMiB(child));
  }, 200);
  return {
    url,
    /** What the service itself came to hold. */
    mostMemoryMiB: () => Math.round(most),
    async stop(): Promise<void> {
      clearInterval(looking);
      const early = child.exitCode ?? child.signalCode;
      if (early !== null) throw new Error(`The service ended with ${early}.`);
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function parse(line: string): { msg?: string; url?: string } {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}

/** Linux tells; elsewhere it is 0. */
function residentMiB({ pid }: ChildProcess): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
