import { setImmediate as yieldToOthers } from "node:timers/promises";
import type { Clock } from "../../ingest/clock.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import type { ConfigChange, Database } from "../database/database.ts";
import type { ApiKeyStore, KeyOwner } from "./api-keys.ts";
import { createEndpointIndex } from "./endpoint-index.ts";
import { readRevokedTokens } from "./issued-tokens.ts";
import { createOrgConfig, type OrgConfig, type OrgConfigEditor } from "./org-config.ts";
import { createRefreshQueue } from "./refresh-queue.ts";
import { type ConfigDocument, definitions } from "./registry.ts";
import type { ConfigStore, Organization } from "./store.ts";

/** Prepares a document for decisions, such as by compiling its filters, before they can use it. */
export type Prepare = (document: ConfigDocument) => void;

export interface SnapshotDeps {
  readonly database: Database;
  readonly store: ConfigStore;
  readonly apiKeys: ApiKeyStore;
  readonly clock: Clock;
  readonly prepare?: Prepare | undefined;
  /** Called with the error of a refresh that failed and is retried. */
  onTrouble(error: unknown): void;
}

/** Opens an in-memory snapshot of the config of all organizations, refreshed by the database's change notifications. */
export async function openSnapshot({ database, store, apiKeys, clock, prepare, onTrouble }: SnapshotDeps) {
  const cache = createConfigCache(store, prepare);
  let keys = new Map<string, KeyOwner>();
  let revokedTokens: Awaited<ReturnType<typeof readRevokedTokens>> = new Map();

  async function readKeys(): Promise<void> {
    keys = new Map((await apiKeys.valid()).map((key) => [key.hash, key]));
  }
  async function readTokens(): Promise<void> {
    revokedTokens = await readRevokedTokens(database, clock.now());
  }
  async function readAll(): Promise<void> {
    await cache.readAll();
    await readKeys();
    await readTokens();
  }
  async function apply(changes: readonly ConfigChange[]): Promise<void> {
    if (changes.some(({ type }) => type === "organization")) await cache.readOrganizations();
    if (changes.some(({ type }) => type === "api_key")) await readKeys();
    if (changes.some(({ type }) => type === "access_token")) await readTokens();
    await cache.readChanged(changes.filter(({ type }) => definitions.has(type)));
  }

  const refreshes = createRefreshQueue({ clock, readAll, onTrouble });
  const unsubscribe = database.onNotification((changes) => {
    void refreshes.enqueue(() => (changes === null ? readAll() : apply(changes)));
  });
  await refreshes.start().catch(async (error: unknown) => {
    unsubscribe();
    await refreshes.close();
    throw error;
  });

  return {
    /** Returns the config of every organization. */
    configs: cache.all,
    config: cache.of,
    /** Returns the organization that holds the number of this E.164 form. */
    holderOf: (e164: string): OrgId | undefined =>
      cache.all().find((config) => config.number(e164) !== undefined)?.organization.id,
    inboundRtb: cache.endpoints.inboundRtb,
    incomingWebhook: cache.endpoints.incomingWebhook,
    /** Returns the owner of the unrevoked API key with this hash. */
    keyOwner: (hash: string): KeyOwner | undefined => keys.get(hash),
    isRevokedToken: (orgId: OrgId, id: string): boolean => revokedTokens.get(orgId)?.has(id) ?? false,
    /** Resolves when each change notified before is visible, or could not be read yet. */
    settled: refreshes.settled,
    async close(): Promise<void> {
      unsubscribe();
      await refreshes.close();
    },
  };
}
export type Snapshot = Awaited<ReturnType<typeof openSnapshot>>;

/** Documents prepared and put before other work of the event loop gets its turn. */
const documentsPerTick = 20;

/** Cache of every organization's config as it was last read. Readings must not overlap. */
function createConfigCache(store: ConfigStore, prepare: Prepare = () => undefined) {
  let editors = new Map<string, OrgConfigEditor>();
  const of = (orgId: string): OrgConfig | undefined => editors.get(orgId)?.config;
  const endpoints = createEndpointIndex(of);

  function put(editor: OrgConfigEditor | undefined, document: ConfigDocument): void {
    prepare(document);
    editor?.put(document);
    endpoints.put(document);
  }

  async function readOne(organization: Organization): Promise<OrgConfigEditor> {
    const editor = createOrgConfig(organization);
    for (const [index, document] of (await store.documents(organization.id)).entries()) {
      put(editor, document);
      if (index % documentsPerTick === documentsPerTick - 1) await yieldToOthers();
    }
    return editor;
  }

  return {
    of,
    all: (): readonly OrgConfig[] => [...editors.values()].map(({ config }) => config),
    endpoints,

    /** Reads all config and replaces the old one at once. */
    async readAll(): Promise<void> {
      const read = (await store.organizations()).map(async (each) => [each.id, await readOne(each)] as const);
      editors = new Map(await Promise.all(read));
    },

    /** Reads new organizations with all their config, and the names of the others. */
    async readOrganizations(): Promise<void> {
      for (const organization of await store.organizations()) {
        const known = editors.get(organization.id);
        if (known === undefined) editors.set(organization.id, await readOne(organization));
        else known.rename(organization);
      }
    },

    /** Reads changed documents again, and removes those that were deleted. */
    async readChanged(changes: readonly ConfigChange[]): Promise<void> {
      const changed = new Map(changes.map(({ type, id, orgId }) => [`${type} ${id}`, { type, id, orgId }]));
      const documents = await store.find([...changed.values()]);
      const found = new Map(documents.map((document) => [`${document.type} ${document.doc.id}`, document]));
      for (const [name, { type, id, orgId }] of changed) {
        const document = found.get(name);
        if (document === undefined) editors.get(orgId)?.remove(type, id);
        else put(editors.get(document.doc.org_id), document);
      }
    },
  };
}
