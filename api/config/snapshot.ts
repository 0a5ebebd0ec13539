import type { Clock } from "../../ingest/clock.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import type { ConfigChange, Database } from "../database/database.ts";
import type { KeyOwner } from "./api-key-rows.ts";
import type { ApiKeyStore } from "./api-keys.ts";
import { createOrgConfigs, type Prepare } from "./org-configs.ts";
import { createRefresher } from "./refresher.ts";
import { definitions } from "./registry.ts";
import type { ConfigStore } from "./store.ts";

export interface SnapshotDeps {
  readonly database: Database;
  readonly store: ConfigStore;
  readonly apiKeys: ApiKeyStore;
  readonly clock: Clock;
  readonly prepare?: Prepare | undefined;
  /** Told when a refresh failed; it is tried again. */
  onTrouble(error: unknown): void;
}

/** The config of all organizations in memory, each announced change read again by itself. */
export async function openSnapshot({ database, store, apiKeys, clock, prepare, onTrouble }: SnapshotDeps) {
  const configs = createOrgConfigs(store, prepare);
  let keys = new Map<string, KeyOwner>();

  async function readKeys(): Promise<void> {
    keys = new Map((await apiKeys.valid()).map((key) => [key.hash, key]));
  }
  async function readAll(): Promise<void> {
    await configs.readAll();
    await readKeys();
  }
  async function apply(changes: readonly ConfigChange[]): Promise<void> {
    if (changes.some(({ type }) => type === "organization")) await configs.readOrganizations();
    if (changes.some(({ type }) => type === "api_key")) await readKeys();
    await configs.readChanged(changes.filter(({ type }) => definitions.has(type)));
  }

  const refresher = createRefresher({ clock, readAll, onTrouble });
  const stop = database.onAnnounced((changes) => {
    void refresher.run(() => (changes === null ? readAll() : apply(changes)));
  });
  await refresher.begin().catch(async (error: unknown) => {
    stop();
    await refresher.close();
    throw error;
  });

  return {
    /** The config of every organization. */
    configs: configs.all,
    config: configs.of,
    /** The organization that has the number of this E.164 form. */
    holderOf: (e164: string): OrgId | undefined =>
      configs.all().find((config) => config.number(e164) !== undefined)?.organization.id,
    inboundRtb: configs.inboundRtb,
    incomingWebhook: configs.incomingWebhook,
    /** Whose key has this hash, if it has not been revoked. */
    keyOwner: (hash: string): KeyOwner | undefined => keys.get(hash),
    /** Resolves when all that was announced before is seen, or could not be read yet. */
    settled: refresher.settled,
    async close(): Promise<void> {
      stop();
      await refresher.close();
    },
  };
}
export type Snapshot = Awaited<ReturnType<typeof openSnapshot>>;
