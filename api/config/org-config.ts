import { type CampaignNumber, createCampaignNumbers } from "./campaign-numbers.ts";
import { createLookup } from "./lookup.ts";
import { createPoolMembers, type PoolMembers } from "./pool-members.ts";
import type { ConfigDocument, Resource, ResourceType } from "./registry.ts";
import type { Organization } from "./store.ts";

/** One organization's config, held in memory for decisions that may not wait for a database. */
export interface OrgConfig {
  readonly organization: Organization;
  get<T extends ResourceType>(type: T, id: string | undefined): Resource<T> | undefined;
  all<T extends ResourceType>(type: T): readonly Resource<T>[];
  /** The tracking number of this E.164 form, where the organization has it. */
  number(e164: string): Resource<"number"> | undefined;
  /** Whether the organization takes no calls from this number, in E.164. */
  isBlocked(e164: string): boolean;
  /** The campaign that a tracking number belongs to, and its row there. */
  campaignOfNumber(numberId: string): CampaignNumber | undefined;
  /** The inbound RTB of this public id. */
  inboundRtb(publicId: string): Resource<"inbound_rtb"> | undefined;
  /** The numbers that a pool can hand out. */
  poolMembers(poolId: string): PoolMembers;
  /** Whether an inbound RTB receives its calls on the number. */
  isReceiver(numberId: string): boolean;
}

export interface OrgConfigEditor {
  readonly config: OrgConfig;
  put(document: ConfigDocument): void;
  remove(type: string, id: string): void;
  rename(organization: Organization): void;
}

type AnyDocument = ConfigDocument["doc"];

/** What is kept beside the documents of a kind. */
interface Beside {
  put(doc: AnyDocument): void;
  remove(doc: AnyDocument): void;
}

/** An organization's documents with what is looked up in them, kept up to date one document at a time. */
export function createOrgConfig(first: Organization): OrgConfigEditor {
  let organization = first;
  const byType = new Map<string, Map<string, AnyDocument>>();
  const numbers = createLookup<Resource<"number">>(({ number }) => number);
  const blocked = createLookup<Resource<"blocked_caller">>(({ number }) => number);
  const inboundRtbs = createLookup<Resource<"inbound_rtb">>(({ inbound_rtb_id }) => inbound_rtb_id ?? "");
  const campaigns = createCampaignNumbers();
  const pools = createPoolMembers();
  const besides: Partial<Record<string, Beside>> = {
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

  function unlink(type: string, id: string): void {
    const old = ofType(type).get(id);
    if (old === undefined) return;
    pools.remove(type, id);
    besides[type]?.remove(old);
  }

  return {
    config: {
      get organization() {
        return organization;
      },
      get: <T extends ResourceType>(type: T, id: string | undefined) =>
        (id === undefined ? undefined : byType.get(type)?.get(id)) as Resource<T> | undefined,
      all: <T extends ResourceType>(type: T) => [...(byType.get(type)?.values() ?? [])] as unknown as Resource<T>[],
      number: numbers.get,
      isBlocked: (e164) => blocked.get(e164) !== undefined,
      campaignOfNumber: campaigns.of,
      inboundRtb: inboundRtbs.get,
      poolMembers: pools.of,
      isReceiver: pools.isReceiver,
    },
    put(document) {
      const { type, doc } = document;
      unlink(type, doc.id);
      ofType(type).set(doc.id, doc);
      pools.put(document);
      besides[type]?.put(doc);
    },
    remove(type, id) {
      unlink(type, id);
      ofType(type).delete(id);
    },
    rename(renamed) {
      organization = renamed;
    },
  };
}
