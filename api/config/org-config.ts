import {
  type CampaignNumber,
  createCampaignNumberIndex,
  createPoolIndex,
  createUniqueIndex,
  type PoolMembers,
} from "./org-config-indexes.ts";
import type { ConfigDocument, Resource, ResourceType } from "./registry.ts";
import type { Organization } from "./store.ts";

/** One organization's config in memory, for decisions that may not wait for a database. */
export interface OrgConfig {
  readonly organization: Organization;
  /** Rises with each change: what is made of the config stands for as long as it stays the same. */
  readonly version: number;
  get<T extends ResourceType>(type: T, id: string | undefined): Resource<T> | undefined;
  all<T extends ResourceType>(type: T): readonly Resource<T>[];
  /** Returns the tracking number of this E.164 form, if the organization holds it. */
  number(e164: string): Resource<"number"> | undefined;
  /** Returns true when the organization blocks calls from this E.164 number. */
  isBlocked(e164: string): boolean;
  /** Returns the campaign that a tracking number belongs to, and its row there. */
  campaignOfNumber(numberId: string): CampaignNumber | undefined;
  /** Returns the inbound RTB of this public id. */
  inboundRtb(publicId: string): Resource<"inbound_rtb"> | undefined;
  /** Returns the numbers that a pool can hand out. */
  poolMembers(poolId: string): PoolMembers;
  /** Returns true when an inbound RTB receives its calls on the number. */
  isReceiver(numberId: string): boolean;
}

export interface OrgConfigEditor {
  readonly config: OrgConfig;
  put(document: ConfigDocument): void;
  remove(type: string, id: string): void;
  rename(organization: Organization): void;
}

type AnyDocument = ConfigDocument["doc"];

/** A secondary index of the documents of one type. */
interface Index {
  put(doc: AnyDocument): void;
  remove(doc: AnyDocument): void;
}

/** Creates an organization's config: its documents by type and id, with indexes that each change updates. */
export function createOrgConfig(first: Organization): OrgConfigEditor {
  let organization = first;
  let version = 0;
  const byType = new Map<string, Map<string, AnyDocument>>();
  const numbers = createUniqueIndex<Resource<"number">>(({ number }) => number);
  const blocked = createUniqueIndex<Resource<"blocked_caller">>(({ number }) => number);
  const inboundRtbs = createUniqueIndex<Resource<"inbound_rtb">>(({ inbound_rtb_id }) => inbound_rtb_id ?? "");
  const campaigns = createCampaignNumberIndex();
  const pools = createPoolIndex();
  const indexes: Partial<Record<string, Index>> = {
    number: { ...numbers, put: (doc: Resource<"number">) => (doc.is_held ? numbers.put(doc) : undefined) },
    blocked_caller: blocked,
    inbound_rtb: inboundRtbs,
    campaign: campaigns,
  };

  const ofType = (type: string): Map<string, AnyDocument> => {
    const known = byType.get(type) ?? new Map<string, AnyDocument>();
    byType.set(type, known);
    return known;
  };

  function unindex(type: string, id: string): void {
    const old = ofType(type).get(id);
    if (old === undefined) return;
    pools.remove(type, id);
    indexes[type]?.remove(old);
  }

  return {
    config: {
      get organization() {
        return organization;
      },
      get version() {
        return version;
      },
      get: <T extends ResourceType>(type: T, id: string | undefined) =>
        (id === undefined ? undefined : byType.get(type)?.get(id)) as Resource<T> | undefined,
      all: <T extends ResourceType>(type: T) => [...(byType.get(type)?.values() ?? [])] as unknown as Resource<T>[],
      number: numbers.get,
      isBlocked: (e164) => blocked.get(e164) !== undefined,
      campaignOfNumber: campaigns.get,
      inboundRtb: inboundRtbs.get,
      poolMembers: pools.get,
      isReceiver: pools.isReceiver,
    },
    put(document) {
      const { type, doc } = document;
      version += 1;
      unindex(type, doc.id);
      ofType(type).set(doc.id, doc);
      pools.put(document);
      indexes[type]?.put(doc);
    },
    remove(type, id) {
      version += 1;
      unindex(type, id);
      ofType(type).delete(id);
    },
    rename(renamed) {
      version += 1;
      organization = renamed;
    },
  };
}
