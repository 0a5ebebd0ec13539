import { join } from "node:path";
import { pino } from "pino";
import { startPlatform } from "../../api/compose.ts";
import type { ConfigInput } from "../../api/config/registry.ts";
import { readSettings } from "../../api/settings/settings.ts";
import type { NewMessage } from "../../ingest/log/log.ts";
import { openLmdbLog } from "../../ingest/log/log-lmdb.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import { unlimited } from "../compiled-service.ts";

export const org = "org_bench" as OrgId;
/** What every document of the organization has. */
export const about = {
  org_id: org,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
};

/** Makes an installation with one organization, by a platform in this process, which ends. Resolves to an API key. */
export async function seedService(dataDir: string, documents: readonly ConfigInput[]): Promise<string> {
  const settings = readSettings({ DATA_DIR: dataDir, PORT: "0", ALLOW_PRIVATE_DESTINATIONS: "true", ...unlimited });
  const platform = await startPlatform(settings, { logger: pino({ level: "silent" }) });
  await platform.config.saveOrganization({ id: org, name: "Bench", timezone: "UTC" });
  await platform.config.save(org, documents);
  await platform.settled();
  const { key } = await platform.apiKeys.issue(org, "bench");
  await platform.stop();
  return key;
}

/** A buyer, a publisher, and a plan with one target. */
export const planOfOneTarget: readonly ConfigInput[] = [
  { type: "buyer", doc: { ...about, id: "buyer", name: "Buyer" } },
  { type: "publisher", doc: { ...about, id: "publisher", name: "Publisher" } },
  {
    type: "target",
    doc: { ...about, id: "target", name: "Target", buyer_id: "buyer", type: "number", number: "+18885550101" },
  },
  {
    type: "routing_plan",
    doc: {
      ...about,
      id: "plan",
      name: "Plan",
      routes: [{ id: "route", action: "route-to-target", target_id: "target" }],
    },
  },
];

/** The plan's campaign, and the endpoint where the publisher asks for it: `/inbound_rtb/any`. */
export const pingedCampaign: readonly ConfigInput[] = [
  { type: "number", doc: { ...about, id: "receiver", number: "+18005550101" } },
  { type: "campaign", doc: { ...about, id: "campaign", name: "Campaign", routing_plan_id: "plan" } },
  {
    type: "inbound_rtb",
    doc: {
      ...about,
      id: "1",
      inbound_rtb_id: "any",
      campaign_id: "campaign",
      publisher_id: "publisher",
      rate_limit: 10_000_000,
      receive_mode: "static_multi_bid",
      receive_number_id: "receiver",
    },
  },
];

const publishedAtOnce = 1000;

/** Puts messages into the log of an installation that is not running. */
export async function fillLog(dataDir: string, messages: Iterable<NewMessage>): Promise<void> {
  const log = await openLmdbLog({ dir: join(dataDir, "log") });
  let some: NewMessage[] = [];
  for (const message of messages) {
    if (some.push(message) < publishedAtOnce) continue;
    await log.publish(some);
    some = [];
  }
  await log.publish(some);
  await log.close();
}
