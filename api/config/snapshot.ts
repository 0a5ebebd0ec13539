import type { Clock } from "../../ingest/clock.ts";
import type { ApiKeyStore, KeyOwner } from "../auth/api-keys.ts";
import type { ConfigChange, Database } from "./database.ts";
import { createOrgConfig, type OrgConfig, type OrgConfigEditor } from "./org-config.ts";
import { createRefresher } from "./refresher.ts";
import { definitions } from "./registry.ts";
import type { ConfigStore, Organization } from "./store.ts";

export interface SnapshotDeps {
  readonly database: Database;
  readonly store: ConfigStore;
  readonly apiKeys: ApiKeyStore;
  readonly clock: Clock;
  /** Told when a refresh failed; it is tried again. */
  onTrouble(error: unknown): void;
}

/** The config of all organizations in memory, each announced change read again by itself. */
export async function openSnapshot({ database, store, apiKeys, clock, onTrouble }: SnapshotDeps) {
  let organizations = new Map<string, OrgConfigEditor>();
  let keys = new Map<string, KeyOwner>();

  async function loadOrganizations(): Promise<void> {
    for (const organization of await store.organizations()) {
      const known = organizations.get(organization.id);
      if (known === undefined) organizations.set(organization.id, await loadOrganization(organization));
      else known.rename(organization);
    }
  }
  async function loadOrganization(organization: Organization): Promise<OrgConfigEditor> {
    const config = createOrgConfig(organization);
    for (const document of await store.documents(organization.id)) config.put(document);
    return config;
  }
  async function loadKeys(): Promise<void> {
    keys = new Map((await apiKeys.valid()).map((key) => [key.hash, key]));
  }
  async function loadAll(): Promise<void> {
    const loaded = (await store.organizations()).map(async (each) => [each.id, await loadOrganization(each)] as const);
    // Put in place whole: until then the old one answers.
    organizations = new Map(await Promise.all(loaded));
    await loadKeys();
  }

  async function apply(changes: readonly ConfigChange[]): Promise<void> {
    if (changes.some(({ type }) => type === "organization")) await loadOrganizations();
    if (changes.some(({ type }) => type === "api_key")) await loadKeys();
    for (const type of new Set(changes.map((change) => change.type))) {
      if (definitions.has(type))
        await applyTo(
          type,
          changes.filter((change) => change.type === type),
        );
    }
  }

  async function applyTo(type: string, changes: readonly ConfigChange[]): Promise<void> {
    const documents = await store.documentsOf(type, [...new Set(changes.map(({ id }) => id))]);
    const found = new Map(documents.map((document) => [document.doc.id, document]));
    for (const { orgId, id } of changes) {
      const document = found.get(id);
      if (document === undefined) organizations.get(orgId)?.remove(type, id);
      else organizations.get(document.doc.org_id)?.put(document);
    }
  }

  const refresher = createRefresher({ clock, readAll: loadAll, onTrouble });
  const stop = database.onAnnounced((changes) => {
    void refresher.run(() => (changes === null ? loadAll() : apply(changes)));
  });
  await loadAll();

  return {
    config: (orgId: string): OrgConfig | undefined => organizations.get(orgId)?.config,
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
