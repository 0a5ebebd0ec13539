import { pino } from "pino";
import { startPlatform } from "../../api/compose.ts";
import type { ConfigInput } from "../../api/config/registry.ts";
import { readSettings } from "../../api/settings/settings.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import { openDuckdbWarehouse } from "../../warehouse/warehouse-duckdb.ts";
import { aCall } from "../assistant/example-data.ts";
import { unlimited } from "../compiled-service.ts";
import { storing } from "../warehouse/storing.ts";

const [victim, ...attackers] = ["victim", "attacker_one", "attacker_two"] as const;
export const trackingNumber = "+18005550100";
const routesOfPlan = 20;

/** An installation with one organization that takes calls and pings, and two with a history to ask about. */
export async function seedAttack(dataDir: string, calls: number) {
  const settings = readSettings({ DATA_DIR: dataDir, PORT: "0", ROLES: "api,lifecycle,deliver,load", ...unlimited });
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
