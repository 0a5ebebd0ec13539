import { type CampaignNumber, createCampaignNumbers } from "./campaign-numbers.ts";
import { createPoolMembers, type PoolMembers } from "./pool-members.ts";
import type { ConfigDocument, Resource, ResourceType } from "./registry.ts";
import type { Organization } from "./store.ts";

/** One organization's config, held in memory for decisions that may not wait for a database. */
export interface OrgConfig {
  readonly organization: Organization;
  get<T extends ResourceType>(type: T, id: string | undefined): Resource<T> | undefined;
  all<T extends ResourceType>(type: T): readonly Resource<T>[];
  /** The tracking number of this E.164 form. */
  number(e164: string): Resource<"number"> | undefined;
  /** Whether the organization takes no calls from this number, in E.164. */
  isBlocked(e164: string): boolean;
  /** The campaign that a tracking number belongs to, the first that was made of several, and its row there. */
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

/** An organization's documents with what is looked up in them, kept up to date one document at a time. */
export function createOrgConfig(first: Organization): OrgConfigEditor {
  let organization = first;
  const byType = new Map<string, Map<string, AnyDocument>>();
  const numbers = new Map<string, Resource<"number">>();
  const campaigns = createCampaignNumbers();
  /** Ids by number. */
  const blocked = new Map<string, string>();

  const inboundRtbs = new Map<string, Resource<"inbound_rtb">>();
  const pools = createPoolMembers();

  const ofType = (type: string): Map<string, AnyDocument> => {
    const known = byType.get(type) ?? new Map<string, AnyDocument>();
    byType.set(type, known);
    return known;
  };

  function unlink(type: string, id: string): void {
    const old = ofType(type).get(id);
    if (old === undefined) return;
    pools.remove(type, id);
    // What was this document's may be another's by now: changes come in any order.
    if (type === "number") {
      const { number } = old as Resource<"number">;
      if (numbers.get(number)?.id === id) numbers.delete(number);
    }
    if (type === "inbound_rtb") {
      const { inbound_rtb_id = "" } = old as Resource<"inbound_rtb">;
      if (inboundRtbs.get(inbound_rtb_id)?.id === id) inboundRtbs.delete(inbound_rtb_id);
    }
    if (type === "blocked_caller") {
      const { number } = old as Resource<"blocked_caller">;
      if (blocked.get(number) === id) blocked.delete(number);
    }
    if (type === "campaign") campaigns.remove(old as Resource<"campaign">);
  }

  const get = <T extends ResourceType>(type: T, id: string | undefined) =>
    (id === undefined ? undefined : byType.get(type)?.get(id)) as Resource<T> | undefined;

  return {
    config: {
      get organization() {
        return organization;
      },
      get,
      all: <T extends ResourceType>(type: T) => [...(byType.get(type)?.values() ?? [])] as unknown as Resource<T>[],
      number: (e164) => numbers.get(e164),
      isBlocked: (e164) => blocked.has(e164),
      campaignOfNumber: campaigns.of,
      inboundRtb: (publicId) => inboundRtbs.get(publicId),
      poolMembers: pools.of,
      isReceiver: pools.isReceiver,
    },
    put(document) {
      const { type, doc } = document;
      unlink(type, doc.id);
      ofType(type).set(doc.id, doc);
      pools.put(document);
      if (type === "inbound_rtb") inboundRtbs.set(doc.inbound_rtb_id ?? "", doc);
      if (type === "number") numbers.set(doc.number, doc);
      if (type === "blocked_caller") blocked.set(doc.number, doc.id);
      if (type === "campaign") campaigns.put(doc);
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
