import { pino } from "pino";
import { startPlatform } from "../../api/compose.ts";
import type { ConfigInput } from "../../api/config/registry.ts";
import { readSettings } from "../../api/settings/settings.ts";
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
