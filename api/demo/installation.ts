import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Platform } from "../compose.ts";
import { hashKey } from "../config/api-keys.ts";
import type { ConfigDocument } from "../config/registry.ts";
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
  /** Where the config has the receiver; without one before it has been told. */
  receiver_url: z.url().optional(),
});
export type DemoHistoryState = z.infer<typeof historySchema>;

export function openHistoryState(dataDir: string, fresh: Pick<DemoHistoryState, "seed" | "calls" | "now">) {
  const path = join(dataDir, "demo-history.json");
  let state: DemoHistoryState = existsSync(path)
    ? historySchema.parse(JSON.parse(readFileSync(path, "utf8")))
    : { ...fresh, published_chunks: 0, complete: false };
  const keep = (changed: Partial<DemoHistoryState>): void => {
    state = { ...state, ...changed };
    writeWhole(path, state);
  };
  return {
    state: () => state,
    published: (published_chunks: number): void => keep({ published_chunks }),
    complete: (): void => keep({ complete: true }),
    receiverIsAt: (receiver_url: string): void => keep({ receiver_url }),
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

/** An organization of the demo as its config stands now. */
export interface Installed {
  /** As the demo's user is told of it. */
  readonly shown: DemoFile["organizations"][number];
  readonly documents: readonly ConfigDocument[];
  /** Whether its config was there before. */
  readonly wasThere: boolean;
}

/**
 * Makes the demo's organizations with their config and keys. What is there stays as its user has changed it: config is
 * written once, and keys that are still good are not made anew.
 */
export async function install(platform: Platform, world: DemoWorld, dataDir: string): Promise<readonly Installed[]> {
  const there = new Set((await platform.config.organizations()).map(({ id }) => id));
  const known = new Map(readDemoFile(dataDir)?.organizations.map((each) => [each.org_id, each]));
  const valid = new Set((await platform.apiKeys.valid()).map(({ hash }) => hash));
  const installed: Installed[] = [];
  for (const { org_id, name, timezone, documents: given } of world.organizations) {
    const wasThere = there.has(org_id);
    // The organization last: where it is, its config is whole.
    if (!wasThere) {
      await platform.config.save(org_id, given);
      await platform.config.saveOrganization({ id: org_id, name, timezone });
    }
    const documents = await platform.config.documents(org_id);
    const old = known.get(org_id)?.api_key;
    const api_key =
      old && valid.has(hashKey(old)) ? old : (await platform.apiKeys.issue(org_id, "Demo", { isAdmin: true })).key;
    const access_token = (await platform.issueToken?.({ userId: "demo-analyst", orgId: org_id }, tokenSeconds)) ?? "";
    const tracking_number = documents.flatMap(({ type, doc }) => (type === "number" ? doc.number : []))[0] ?? "";
    const inbound_rtb_id =
      documents.flatMap(({ type, doc }) => (type === "inbound_rtb" ? (doc.inbound_rtb_id ?? []) : []))[0] ?? "";
    const shown = { org_id, name, api_key, access_token, tracking_number, inbound_rtb_id };
    installed.push({ shown, documents, wasThere });
  }
  return installed;
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
