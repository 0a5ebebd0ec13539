import type { ApiKeyStore, KeyOwner } from "../auth/api-keys.ts";
import type { Database } from "./database.ts";
import type { Resource, ResourceType } from "./resources.ts";
import type { ConfigStore, Organization } from "./store.ts";

/** One organization's config, held in memory for decisions that may not wait for a database. */
export interface OrgConfig {
  readonly organization: Organization;
  get<T extends ResourceType>(type: T, id: string | undefined): Resource<T> | undefined;
  all<T extends ResourceType>(type: T): readonly Resource<T>[];
  /** The tracking number of this E.164 form. */
  number(e164: string): Resource<"number"> | undefined;
  /** The campaign that a tracking number belongs to, and its row there. */
  campaignOfNumber(numberId: string): CampaignNumber | undefined;
}
export interface CampaignNumber {
  readonly campaign: Resource<"campaign">;
  readonly item: Resource<"campaign">["number_group_items"][number];
}

/** The config of all organizations, refreshed whenever a change of one is announced. */
export async function openSnapshot(deps: {
  readonly database: Database;
  readonly store: ConfigStore;
  readonly apiKeys: ApiKeyStore;
  onTrouble(error: unknown): void;
}) {
  const { database, store, apiKeys, onTrouble } = deps;
  let organizations = new Map<string, OrgConfig>();
  let keys = new Map<string, KeyOwner>();
  let refreshing: Promise<void> = Promise.resolve();

  async function load(): Promise<void> {
    const configs = (await store.organizations()).map(async (organization) => {
      return [organization.id, toOrgConfig(organization, await store.documents(organization.id))] as const;
    });
    organizations = new Map(await Promise.all(configs));
    keys = new Map((await apiKeys.valid()).map((key) => [key.hash, key]));
  }

  /** One load at a time; what is announced during one is seen by the next. */
  const refresh = (): Promise<void> => {
    refreshing = refreshing.then(load).catch(onTrouble);
    return refreshing;
  };
  const stop = database.onAnnounced(() => void refresh());
  await load();

  return {
    config: (orgId: string): OrgConfig | undefined => organizations.get(orgId),
    organizations: (): readonly Organization[] => [...organizations.values()].map((each) => each.organization),
    /** Whose key has this hash, if it is valid. */
    keyOwner: (hash: string): KeyOwner | undefined => keys.get(hash),
    /** Resolves when all that was announced before is seen. */
    settled: (): Promise<void> => refreshing,
    close: stop,
  };
}
export type Snapshot = Awaited<ReturnType<typeof openSnapshot>>;

function toOrgConfig(organization: Organization, documents: Awaited<ReturnType<ConfigStore["documents"]>>): OrgConfig {
  const byType = new Map<ResourceType, Map<string, Resource<ResourceType>>>();
  for (const { type, doc } of documents) {
    const ofType = byType.get(type) ?? new Map<string, Resource<ResourceType>>();
    byType.set(type, ofType.set(doc.id, doc));
  }
  const get = <T extends ResourceType>(type: T, id: string | undefined) =>
    (id === undefined ? undefined : byType.get(type)?.get(id)) as Resource<T> | undefined;
  const all = <T extends ResourceType>(type: T) => [...(byType.get(type)?.values() ?? [])] as Resource<T>[];
  const numbers = new Map(all("number").map((number) => [number.number, number]));
  const campaigns = new Map<string, CampaignNumber>();
  for (const campaign of all("campaign")) {
    for (const item of campaign.number_group_items) campaigns.set(item.number_id, { campaign, item });
  }
  return {
    organization,
    get,
    all,
    number: (e164) => numbers.get(e164),
    campaignOfNumber: (numberId) => campaigns.get(numberId),
  };
}
