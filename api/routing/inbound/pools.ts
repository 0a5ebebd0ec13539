import type { OrgConfig } from "../../config/org-config.ts";
import type { Resource } from "../../config/registry.ts";
import type { Pool } from "./releases.ts";

/**
 * The pools that an endpoint's numbers come from: those in use for pings that are for its campaign and its publisher, or
 * for any. What is kept for it alone goes first, then the oldest.
 */
export function poolsOf(config: OrgConfig, { campaign_id, publisher_id }: Resource<"inbound_rtb">): readonly Pool[] {
  const isFor = (wanted: string | undefined, id: string) => wanted === undefined || wanted === id;
  return config
    .all("number_pool")
    .filter((pool) => pool.is_active && pool.type === "inbound_rtb")
    .filter((pool) => isFor(pool.campaign_id, campaign_id) && isFor(pool.publisher_id, publisher_id))
    .sort((one, other) => closeness(other) - closeness(one) || (ageOf(one) < ageOf(other) ? -1 : 1))
    .map(({ id, hold_seconds }) => ({ id, holdMs: hold_seconds * 1000, members: config.poolMembers(id) }));
}

const closeness = ({ campaign_id, publisher_id }: Resource<"number_pool">): number =>
  Number(campaign_id !== undefined) * 2 + Number(publisher_id !== undefined);

const ageOf = ({ created_at, id }: Resource<"number_pool">): string => `${created_at} ${id}`;

/** Whether calls to a number come from pings alone: it is of a pool for pings, or one that an inbound RTB receives on. */
export function isAllocated(config: OrgConfig, e164: string): boolean {
  const number = config.number(e164);
  if (number === undefined) return false;
  const pool = config.get("number_pool", number.number_pool_id ?? undefined);
  return pool?.type === "inbound_rtb" || config.isReceiver(number.id);
}
