import type { PauseState } from "./pause.ts";
import type { Resource } from "./registry.ts";

/** A campaign, and its row of one number. */
export interface CampaignNumber {
  readonly campaign: Resource<"campaign">;
  readonly item: Resource<"campaign">["number_group_items"][number] & { readonly pause?: PauseState | null };
}

/**
 * Which campaign each number belongs to: the active one that lists it, and in this one its first row. Of several, as
 * inactive ones may be, it is the one that was made first. `findNaming` says the same of what is stored.
 */
export function createCampaignNumbers() {
  const byNumber = new Map<string, Map<string, CampaignNumber>>();

  return {
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
    of(numberId: string): CampaignNumber | undefined {
      const [first, ...others] = byNumber.get(numberId)?.values() ?? [];
      return others.reduce((owner, each) => (owner && isBefore(each.campaign, owner.campaign) ? each : owner), first);
    },
  };
}

type Made = Pick<Resource<"campaign">, "id" | "created_at" | "is_active">;

function isBefore(one: Made, other: Made): boolean {
  if (one.is_active !== other.is_active) return one.is_active;
  return one.created_at === other.created_at ? one.id < other.id : one.created_at < other.created_at;
}
