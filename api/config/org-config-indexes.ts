import type { PauseState } from "./pause.ts";
import type { ConfigDocument, Resource } from "./registry.ts";

// In-memory indexes of one organization's documents, updated one document at a time.

/** Creates an index of documents of one type by a unique key; of several with the same key the last one put wins. */
export function createUniqueIndex<D extends { readonly id: string }>(keyOf: (doc: D) => string) {
  const byKey = new Map<string, D>();
  return {
    get: (key: string): D | undefined => byKey.get(key),
    put(doc: D): void {
      byKey.set(keyOf(doc), doc);
    },
    /** Changes come in any order: the key may be another document's by now. */
    remove(doc: D): void {
      if (byKey.get(keyOf(doc))?.id === doc.id) byKey.delete(keyOf(doc));
    },
  };
}

/** A campaign and its row of one number. */
export interface CampaignNumber {
  readonly campaign: Resource<"campaign">;
  readonly item: Resource<"campaign">["number_group_items"][number] & { readonly pause?: PauseState | null };
}

/**
 * Creates an index of campaigns by number: the active campaign that lists it, with its first row of it. Of several, as
 * inactive ones may be, the oldest. `findNaming` does the same for stored documents.
 */
export function createCampaignNumberIndex() {
  const byNumber = new Map<string, Map<string, CampaignNumber>>();

  return {
    get(numberId: string): CampaignNumber | undefined {
      const [first, ...others] = byNumber.get(numberId)?.values() ?? [];
      return others.reduce((owner, each) => (owner && isBefore(each.campaign, owner.campaign) ? each : owner), first);
    },
    put(campaign: Resource<"campaign">): void {
      for (const item of campaign.number_group_items) {
        const owners = byNumber.get(item.number_id) ?? new Map<string, CampaignNumber>();
        byNumber.set(item.number_id, owners);
        if (!owners.has(campaign.id)) owners.set(campaign.id, { campaign, item });
      }
    },
    remove({ id, number_group_items }: Resource<"campaign">): void {
      for (const { number_id } of number_group_items) {
        byNumber.get(number_id)?.delete(id);
        if (byNumber.get(number_id)?.size === 0) byNumber.delete(number_id);
      }
    },
  };
}

type CampaignAge = Pick<Resource<"campaign">, "id" | "created_at" | "is_active">;

function isBefore(one: CampaignAge, other: CampaignAge): boolean {
  if (one.is_active !== other.is_active) return one.is_active;
  return one.created_at === other.created_at ? one.id < other.id : one.created_at < other.created_at;
}

/** The E.164 numbers of a pool; `version` changes when they may have changed. */
export interface PoolMembers {
  readonly version: number;
  readonly numbers: ReadonlySet<string>;
}

const empty: ReadonlySet<string> = new Set();

/**
 * Creates an index of the numbers that each pool can hand out: those the organization holds and on which no inbound RTB
 * receives calls. Built on the first read after a number or an inbound RTB has changed.
 */
export function createPoolIndex() {
  const numbers = new Map<string, Resource<"number">>();
  const receivers = new Map<string, string>();
  let version = 0;
  let built: { readonly version: number; readonly byPool: ReadonlyMap<string, ReadonlySet<string>> } | null = null;

  function build(): ReadonlyMap<string, ReadonlySet<string>> {
    const received = new Set(receivers.values());
    const byPool = new Map<string, Set<string>>();
    for (const { id, number, number_pool_id, is_held } of numbers.values()) {
      if (number_pool_id === null || !is_held || received.has(id)) continue;
      const members = byPool.get(number_pool_id) ?? new Set<string>();
      byPool.set(number_pool_id, members.add(number));
    }
    return byPool;
  }

  return {
    get(poolId: string): PoolMembers {
      if (built?.version !== version) built = { version, byPool: build() };
      return { version, numbers: built.byPool.get(poolId) ?? empty };
    },
    put({ type, doc }: ConfigDocument): void {
      if (type !== "number" && type !== "inbound_rtb") return;
      this.remove(type, doc.id);
      if (type === "number") numbers.set(doc.id, doc);
      else if (doc.receive_mode !== "dynamic" && doc.receive_number_id) receivers.set(doc.id, doc.receive_number_id);
    },
    remove(type: string, id: string): void {
      if (type !== "number" && type !== "inbound_rtb") return;
      (type === "number" ? numbers : receivers).delete(id);
      version += 1;
    },
    /** Returns true when an inbound RTB receives calls on the number. */
    isReceiver: (numberId: string): boolean => [...receivers.values()].includes(numberId),
  };
}
