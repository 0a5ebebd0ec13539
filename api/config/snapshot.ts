import { timingSafeEqual } from "node:crypto";
import type { Clock } from "../../ingest/clock.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import type { ConfigChange, Database } from "../database/database.ts";
import { type ApiKeyStore, hashKey, type KeyOwner } from "./api-keys.ts";
import { createOrgConfig, type OrgConfig, type OrgConfigEditor } from "./org-config.ts";
import { createRefresher } from "./refresher.ts";
import { type ConfigDocument, definitions, type Resource } from "./registry.ts";
import type { ConfigStore, Organization } from "./store.ts";

/** Where pings are made, and by whose config they are answered. */
export interface InboundEndpoint {
  readonly config: OrgConfig;
  readonly inboundRtb: Resource<"inbound_rtb">;
}

/** Where customers' systems send data, and whose it is. */
export interface IncomingEndpoint {
  readonly config: OrgConfig;
  readonly webhook: Resource<"incoming_webhook">;
}

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
  /** Whose inbound RTB has, or had, this public id. */
  const inboundRtbOwners = new Map<string, string>();
  /** Which incoming webhook has, or had, the auth key of this hash. */
  const incomingWebhooks = new Map<string, { readonly orgId: string; readonly id: string }>();

  async function loadOrganizations(): Promise<void> {
    for (const organization of await store.organizations()) {
      const known = organizations.get(organization.id);
      if (known === undefined) organizations.set(organization.id, await loadOrganization(organization));
      else known.rename(organization);
    }
  }
  async function loadOrganization(organization: Organization): Promise<OrgConfigEditor> {
    const config = createOrgConfig(organization);
    for (const document of await store.documents(organization.id)) put(config, document);
    return config;
  }
  function put(config: OrgConfigEditor | undefined, document: ConfigDocument): void {
    config?.put(document);
    if (document.type === "inbound_rtb") inboundRtbOwners.set(document.doc.inbound_rtb_id ?? "", document.doc.org_id);
    if (document.type === "incoming_webhook") {
      const { auth_key, org_id: orgId, id } = document.doc;
      incomingWebhooks.set(hashKey(auth_key ?? ""), { orgId, id });
    }
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
    await applyTo(changes.filter(({ type }) => definitions.has(type)));
  }

  async function applyTo(changes: readonly ConfigChange[]): Promise<void> {
    const changed = new Map(changes.map(({ type, id, orgId }) => [`${type} ${id}`, { type, id, orgId }]));
    const documents = await store.find([...changed.values()]);
    const found = new Map(documents.map((document) => [`${document.type} ${document.doc.id}`, document]));
    for (const [name, { type, id, orgId }] of changed) {
      const document = found.get(name);
      if (document === undefined) organizations.get(orgId)?.remove(type, id);
      else put(organizations.get(document.doc.org_id), document);
    }
  }

  const refresher = createRefresher({ clock, readAll: loadAll, onTrouble });
  const stop = database.onAnnounced((changes) => {
    void refresher.run(() => (changes === null ? loadAll() : apply(changes)));
  });
  await refresher.begin().catch(async (error: unknown) => {
    stop();
    await refresher.close();
    throw error;
  });

  return {
    /** The config of every organization. */
    configs: (): readonly OrgConfig[] => [...organizations.values()].map(({ config }) => config),
    config: (orgId: string): OrgConfig | undefined => organizations.get(orgId)?.config,
    /**
     * Organizations that have a number of this E.164 form, who had it first before the others: nobody takes it from
     * them by adding it, too. One that has released it does not count beside another.
     */
    holdersOf(e164: string): readonly OrgId[] {
      const all = [...organizations.values()].flatMap(({ config }) => config.number(e164) ?? []);
      const held = all.filter(({ status }) => status !== "released");
      return (held.length > 0 ? held : all)
        .toSorted((one, other) => (tenureOf(one) < tenureOf(other) ? -1 : 1))
        .map(({ org_id }) => org_id);
    },
    /** The inbound RTB of this public id, whosever it is. */
    inboundRtb(publicId: string): InboundEndpoint | undefined {
      const config = organizations.get(inboundRtbOwners.get(publicId) ?? "")?.config;
      const inboundRtb = config?.inboundRtb(publicId);
      return config && inboundRtb && { config, inboundRtb };
    },
    /** The incoming webhook that has this auth key now; how long the answer takes tells nothing of the key. */
    incomingWebhook(key: string): IncomingEndpoint | undefined {
      const hash = hashKey(key);
      const owner = incomingWebhooks.get(hash);
      const config = organizations.get(owner?.orgId ?? "")?.config;
      const webhook = config?.get("incoming_webhook", owner?.id);
      const isKey = timingSafeEqual(Buffer.from(hash), Buffer.from(hashKey(webhook?.auth_key ?? "")));
      return config && webhook && isKey ? { config, webhook } : undefined;
    },
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

/** Sorts as tenure does, the same in every process; rows from before it was kept have had their number from the first. */
const tenureOf = ({ held_since, created_at, org_id }: Resource<"number">): string =>
  `${held_since ?? created_at} ${org_id}`;
