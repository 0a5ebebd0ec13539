import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll } from "vitest";
import { type Platform, startPlatform } from "../../api/compose.ts";
import type { ConfigInput } from "../../api/config/registry.ts";
import { readSettings } from "../../api/settings/settings.ts";
import type { Clock } from "../../ingest/clock.ts";
import type { EventLog } from "../../ingest/log/log.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import { copyMigrated, skipLastCheckpoint } from "../migrated-files.ts";
import { createClient } from "../platform.ts";
import { openStores, type PlatformStores } from "../platform-stores.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: whatever JSON the platform answers; tests assert on it.
  readonly body: any;
}

/** An organization with a key, as its developers see the API. */
export interface Member {
  readonly id: OrgId;
  readonly key: string;
  readonly keyId: string;
  readonly token: string;
  /** Writes documents past the API, all at once. */
  save(documents: readonly ConfigInput[]): Promise<void>;
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown): Promise<Answer>;
  patch(path: string, body: unknown): Promise<Answer>;
  delete(path: string): Promise<Answer>;
  send(method: string, path: string, given?: { headers?: Record<string, string>; body?: unknown }): Promise<Answer>;
}

/** Of limits that no test of something else meets. */
const many = "10000000";

interface PlatformGiven {
  readonly clock?: Clock;
  readonly settings?: Record<string, string>;
  /** The event log as the platform has it. */
  readonly through?: (log: EventLog) => EventLog;
}

/**
 * One platform for a test file, on the services that the tests are given, or else embedded. Each test joins with organizations of its own, so none sees another's, and
 * their order does not matter.
 */
export function usePlatform({ clock, through, settings = {} }: PlatformGiven = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), "trunkline-"));
  let stores: PlatformStores | undefined;
  let running: { platform: Platform; url: string } | undefined;
  beforeAll(async () => {
    stores = await openStores();
    const given = { ...stores.settings, ...settings };
    await copyMigrated(dataDir, given);
    const environment = {
      DATA_DIR: dataDir,
      PORT: "0",
      FAILED_SIGN_INS_PER_MIN: many,
      API_RATE_LIMIT_PER_MIN: many,
      ...given,
    };
    const options = { logger: pino({ level: "silent" }), ...(clock ? { clock } : {}), ...(through ? { through } : {}) };
    const platform = await startPlatform(readSettings(environment), options);
    await skipLastCheckpoint(platform.warehouse);
    running = { platform, url: await platform.listen() };
  });
  afterAll(async () => {
    await running?.platform.stop();
    await stores?.remove();
    rmSync(dataDir, { recursive: true, force: true });
  });
  let joined = 0;

  const rig = () => {
    if (running === undefined) throw new Error("the platform runs only while tests do");
    return running;
  };
  return {
    rig,
    /** A new organization with a key that may do what an administrator may, unless told otherwise. */
    async join({ admin = true }: { admin?: boolean } = {}): Promise<Member> {
      const { platform, url } = rig();
      const id = `org_${++joined}_of_this_file` as OrgId;
      await platform.config.saveOrganization({ id, name: `Organization ${joined}`, timezone: "UTC" });
      const { id: keyId, key } = await platform.apiKeys.issue(id, "test", { isAdmin: admin });
      await platform.settled();
      const token = (await platform.issueToken?.({ userId: "analyst", orgId: id }, 600)) ?? "";
      return {
        id,
        keyId,
        token,
        ...memberClient(url, key),
        async save(documents) {
          await platform.config.save(id, documents);
          await platform.settled();
        },
      };
    },
  };
}

/** The API as the holder of a key calls it. */
export function memberClient(url: string, key: string): Omit<Member, "id" | "keyId" | "token" | "save"> {
  const { call } = createClient(url);
  const send: Member["send"] = (method, path, { headers = {}, body } = {}) =>
    call(method, path, { "X-API-Key": key, ...headers }, body);
  return {
    key,
    send,
    get: (path) => send("GET", path),
    post: (path, body) => send("POST", path, { body }),
    patch: (path, body) => send("PATCH", path, { body }),
    delete: (path) => send("DELETE", path),
  };
}

/** The body of a success; anything else fails the test with what was answered. */
export async function done(answer: Promise<Answer>): Promise<Answer["body"]> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
  return body;
}
