import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { request } from "undici";
import { z } from "zod";
import { parseJson } from "../../ingest/parse.ts";
import type { Platform } from "../compose.ts";
import { hashKey } from "../config/api-keys.ts";
import { type ConfigDocument, definitionOf } from "../config/registry.ts";
import { DataFileError } from "../data-dir/data-file-error.ts";
import type { UserRole } from "../serve/rights.ts";
import type { DemoOrganization } from "./documents.ts";

/** Progress of a demo's backfill, from which an interrupted run resumes; `DATA_DIR/demo-history.json`. */
const historySchema = z.object({
  seed: z.number(),
  calls: z.number(),
  /** The instant that the history leads up to, ms. */
  now: z.number(),
  published_chunks: z.number(),
  /** All of it has been stored. */
  complete: z.boolean().default(false),
  /** Address of the receiver in config; absent before config is written. */
  receiver_url: z.url().optional(),
});
export type DemoHistoryState = z.infer<typeof historySchema>;

export function openHistoryState(dataDir: string, fresh: Pick<DemoHistoryState, "seed" | "calls" | "now">) {
  const path = join(dataDir, "demo-history.json");
  const known = readWhole(path);
  const parsed = historySchema.safeParse(known);
  if (known !== null && !parsed.success) {
    throw new DataFileError(
      path,
      "does not say how far the demo's history has come. Put it back from a backup, or begin with an empty DATA_DIR.",
    );
  }
  let state: DemoHistoryState = parsed.success ? parsed.data : { ...fresh, published_chunks: 0, complete: false };
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

/** Addresses and keys for the demo's user; `DATA_DIR/demo.json`. */
const demoFileSchema = z.object({
  base_url: z.string(),
  organizations: z.array(
    z.object({
      org_id: z.string(),
      name: z.string(),
      api_key: z.string(),
      /** The token of the admin whom the page signs in. */
      access_token: z.string(),
      /** A token for each role; absent in files of earlier versions. */
      access_tokens: z.object({ viewer: z.string(), analyst: z.string(), admin: z.string() }).optional(),
      tracking_number: z.string(),
      /** Public name of an endpoint where a publisher pings. */
      inbound_rtb_id: z.string(),
    }),
  ),
});
export type DemoFile = z.infer<typeof demoFileSchema>;

const tokenSeconds = 30 * 24 * 60 * 60;

/** An organization of the demo as its config stands now. */
export interface Installed {
  /** Its entry in `demo.json`. */
  readonly shown: DemoFile["organizations"][number];
  readonly documents: readonly ConfigDocument[];
  /** True when an earlier run has written its config. */
  readonly wasThere: boolean;
}

/**
 * Creates the demo's organizations with their config and keys. Config is written once and then stays as its user has
 * changed it; keys that are still valid are kept.
 */
export async function install(
  platform: Platform,
  organizations: readonly Pick<DemoOrganization, "org_id" | "name" | "timezone" | "documents">[],
  dataDir: string,
): Promise<readonly Installed[]> {
  const there = new Set((await platform.config.organizations()).map(({ id }) => id));
  const known = new Map(readDemoFile(dataDir)?.organizations.map((each) => [each.org_id, each]));
  const valid = new Set((await platform.apiKeys.valid()).map(({ hash }) => hash));
  const installed: Installed[] = [];
  for (const { org_id, name, timezone, documents: given } of organizations) {
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
    const tokenOf = async (role: UserRole): Promise<string> =>
      (await platform.issueToken?.({ userId: `demo-${role}`, orgId: org_id, role }, tokenSeconds)) ?? "";
    const access_tokens = {
      viewer: await tokenOf("viewer"),
      analyst: await tokenOf("analyst"),
      admin: await tokenOf("admin"),
    };
    const access_token = access_tokens.admin;
    const tracking_number = firstTrackingNumber(documents);
    const inbound_rtb_id =
      documents.flatMap(({ type, doc }) => (type === "inbound_rtb" ? (doc.inbound_rtb_id ?? []) : []))[0] ?? "";
    const shown = { org_id, name, api_key, access_token, access_tokens, tracking_number, inbound_rtb_id };
    installed.push({ shown, documents, wasThere });
  }
  return installed;
}

/** Returns the first number of an active campaign, or "" without one: a number of a pool takes a call only after a ping. */
function firstTrackingNumber(documents: readonly ConfigDocument[]): string {
  const listed = new Set(
    documents.flatMap(({ type, doc }) =>
      type === "campaign" && doc.is_active ? doc.number_group_items.map(({ number_id }) => number_id) : [],
    ),
  );
  return documents.flatMap(({ type, doc }) => (type === "number" && listed.has(doc.id) ? doc.number : []))[0] ?? "";
}

export interface ReceiverMove {
  readonly baseUrl: string;
  readonly from: string | undefined;
  readonly to: string;
  /** Called with what could not be moved: its requests fail from then on. */
  onTrouble(error: unknown): void;
}

/** Points config that names the receiver's old address to its new one, by the API, and leaves the rest as it is. */
export async function moveReceiver(
  installed: readonly Installed[],
  { baseUrl, from, to, onTrouble }: ReceiverMove,
): Promise<void> {
  if (from === undefined || from === to) return;
  for (const { shown, documents, wasThere } of installed) {
    if (!wasThere) continue;
    for (const document of documents) {
      const fields = renamed(document, `${from}/`, `${to}/`);
      if (Object.keys(fields).length === 0) continue;
      const url = `${baseUrl}/api/v1/${definitionOf(document.type).path}/${document.doc.id}`;
      const headers = { "X-API-Key": shown.api_key, "Content-Type": "application/json" };
      const { statusCode, body } = await request(url, { method: "PATCH", headers, body: JSON.stringify(fields) });
      const answer = await body.text();
      if (statusCode >= 300) onTrouble(new Error(`${url} still names ${from}, not ${to}: ${statusCode} ${answer}`));
    }
  }
}

/** Returns the fields that contain `from`, with `to` in its place. */
function renamed({ type, doc }: ConfigDocument, from: string, to: string): Record<string, unknown> {
  const fields = Object.keys(definitionOf(type).writable.shape).map((name) => [name, Reflect.get(doc, name)] as const);
  return Object.fromEntries(
    fields
      .map(([name, value]) => [name, JSON.stringify(value) ?? ""] as const)
      .filter(([, text]) => text.includes(from))
      .map(([name, text]) => [name, JSON.parse(text.replaceAll(from, to))]),
  );
}

function readDemoFile(dataDir: string): DemoFile | null {
  const parsed = demoFileSchema.safeParse(readWhole(join(dataDir, "demo.json")));
  return parsed.success ? parsed.data : null;
}

/** Reads a JSON file; null when it does not exist. */
function readWhole(path: string): unknown {
  if (!existsSync(path)) return null;
  const json = parseJson(readFileSync(path, "utf8"));
  if (json.ok) return json.value;
  throw new DataFileError(path, "is no JSON. Put it back from a backup, or delete it to have it written anew.");
}

export const writeDemoFile = (dataDir: string, demo: DemoFile): void => writeWhole(join(dataDir, "demo.json"), demo);

/** Writes the file atomically and readable by its owner alone, since it holds keys. */
function writeWhole(path: string, content: unknown): void {
  mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
  writeFileSync(`${path}.new`, JSON.stringify(content, null, 2), { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
}
