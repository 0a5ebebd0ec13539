import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Platform } from "../compose.ts";
import { hashKey } from "../config/api-keys.ts";
import type { DemoWorld } from "./world.ts";

/** How far a demo has got, so that a run that was broken off is gone on with; `DATA_DIR/demo-history.json`. */
const historySchema = z.object({
  seed: z.number(),
  calls: z.number(),
  /** The instant that the history leads up to, ms. */
  now: z.number(),
  published_chunks: z.number(),
  /** All of it has been stored. */
  complete: z.boolean().default(false),
});
export type DemoHistoryState = z.infer<typeof historySchema>;

export function openHistoryState(dataDir: string, fresh: Pick<DemoHistoryState, "seed" | "calls" | "now">) {
  const path = join(dataDir, "demo-history.json");
  const state = existsSync(path)
    ? historySchema.parse(JSON.parse(readFileSync(path, "utf8")))
    : { ...fresh, published_chunks: 0, complete: false };
  return {
    state,
    save: (published_chunks: number): void => writeWhole(path, { ...state, published_chunks }),
    complete: (): void => writeWhole(path, { ...state, complete: true }),
  };
}

/** What the demo tells its user; `DATA_DIR/demo.json`. */
const demoFileSchema = z.object({
  base_url: z.string(),
  organizations: z.array(
    z.object({
      org_id: z.string(),
      name: z.string(),
      api_key: z.string(),
      access_token: z.string(),
      tracking_number: z.string(),
      /** Where a publisher asks by real-time bidding. */
      inbound_rtb_id: z.string(),
    }),
  ),
});
export type DemoFile = z.infer<typeof demoFileSchema>;

const tokenSeconds = 30 * 24 * 60 * 60;

/** Writes the demo's config and its keys; keys that are still good stay as they are. */
export async function install(
  platform: Platform,
  world: DemoWorld,
  dataDir: string,
): Promise<DemoFile["organizations"]> {
  const known = new Map(readDemoFile(dataDir)?.organizations.map((each) => [each.org_id, each]));
  const valid = new Set((await platform.apiKeys.valid()).map(({ hash }) => hash));
  const organizations: DemoFile["organizations"] = [];
  for (const { org_id, name, timezone, documents } of world.organizations) {
    await platform.config.saveOrganization({ id: org_id, name, timezone });
    await platform.config.save(org_id, documents);
    const old = known.get(org_id)?.api_key;
    const api_key =
      old && valid.has(hashKey(old)) ? old : (await platform.apiKeys.issue(org_id, "Demo", { isAdmin: true })).key;
    const access_token = (await platform.issueToken?.({ userId: "demo-analyst", orgId: org_id }, tokenSeconds)) ?? "";
    const tracking_number = documents.flatMap(({ type, doc }) => (type === "number" ? doc.number : []))[0] ?? "";
    const inbound_rtb_id =
      documents.flatMap(({ type, doc }) => (type === "inbound_rtb" ? (doc.inbound_rtb_id ?? []) : []))[0] ?? "";
    organizations.push({ org_id, name, api_key, access_token, tracking_number, inbound_rtb_id });
  }
  return organizations;
}

function readDemoFile(dataDir: string): DemoFile | null {
  const path = join(dataDir, "demo.json");
  if (!existsSync(path)) return null;
  const parsed = demoFileSchema.safeParse(JSON.parse(readFileSync(path, "utf8")));
  return parsed.success ? parsed.data : null;
}

export const writeDemoFile = (dataDir: string, demo: DemoFile): void => writeWhole(join(dataDir, "demo.json"), demo);

/** A reader finds the old file or the new one, never half of one; it holds keys, so nobody else may read it. */
function writeWhole(path: string, content: unknown): void {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(`${path}.new`, JSON.stringify(content, null, 2), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
