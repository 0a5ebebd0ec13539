import type { ApiKeyStore, KeyOwner } from "../auth/api-keys.ts";
import type { ConfigChange, Database } from "./database.ts";
import { createOrgConfig, type OrgConfig, type OrgConfigEditor } from "./org-config.ts";
import { definitions } from "./registry.ts";
import type { ConfigStore, Organization } from "./store.ts";

export interface SnapshotDeps {
  readonly database: Database;
  readonly store: ConfigStore;
  readonly apiKeys: ApiKeyStore;
  /** Told when a refresh failed; the next announcement tries again. */
  onTrouble(error: unknown): void;
}

/** The config of all organizations in memory, each announced change read again by itself. */
export async function openSnapshot({ database, store, apiKeys, onTrouble }: SnapshotDeps) {
  let organizations = new Map<string, OrgConfigEditor>();
  let keys = new Map<string, KeyOwner>();
  let refreshing: Promise<void> = Promise.resolve();

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
    for (const { orgId, type, id } of changes) {
      if (!definitions.has(type)) continue;
      const document = await store.document(type, id);
      if (document === null) organizations.get(orgId)?.remove(type, id);
      else organizations.get(document.doc.org_id)?.put(document);
    }
  }

  /** One after the other, so that a newer reading of a document is never overwritten by an older one. */
  const onAnnounced = (changes: readonly ConfigChange[] | null): void => {
    refreshing = refreshing.then(() => (changes === null ? loadAll() : apply(changes))).catch(onTrouble);
  };
  const stop = database.onAnnounced(onAnnounced);
  await loadAll();

  return {
    config: (orgId: string): OrgConfig | undefined => organizations.get(orgId)?.config,
    /** Whose key has this hash, if it has not been revoked. */
    keyOwner: (hash: string): KeyOwner | undefined => keys.get(hash),
    /** Resolves when all that was announced before is seen. */
    settled: (): Promise<void> => refreshing,
    close: stop,
  };
}
export type Snapshot = Awaited<ReturnType<typeof openSnapshot>>;
