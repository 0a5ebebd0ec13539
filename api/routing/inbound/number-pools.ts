import TinyQueue from "tinyqueue";
import type { OrgConfig } from "../../config/org-config.ts";
import type { PoolMembers } from "../../config/org-config-indexes.ts";
import type { Resource } from "../../config/registry.ts";

/** A pool of numbers that pings are given. */
export interface NumberPool {
  readonly id: string;
  readonly members: PoolMembers;
  /** Time for which a released number rests. */
  readonly holdMs: number;
}

/** A number of a pool, by when it was released. */
export interface PoolNumber {
  readonly number: string;
  readonly releasedAt: number;
}

const byRelease = (one: PoolNumber, other: PoolNumber): number => one.releasedAt - other.releasedAt;
/** Neither released nor allocated: picked, and not yet known whether it could be had. */
const picked = Number.POSITIVE_INFINITY;

/**
 * The numbers of an organization's pools by when each was released, or will be, as far as this process knows: whoever
 * picks by it must ask the database. Times are milliseconds since 1970; a number that nobody ever had was released at 0.
 */
export function createPoolNumbers() {
  const released = new Map<string, number>();
  /** Its numbers by when they were released; an entry whose time is no longer the number's is passed over. */
  const queues = new Map<string, { members: PoolMembers; queue: TinyQueue<PoolNumber> }>();

  const releasedAt = (number: string): number => released.get(number) ?? 0;

  function queueOf({ id, members }: NumberPool): TinyQueue<PoolNumber> {
    const known = queues.get(id);
    if (known?.members.version === members.version) return known.queue;
    const queue = new TinyQueue(
      [...members.numbers].map((number) => ({ number, releasedAt: releasedAt(number) })),
      byRelease,
    );
    queues.set(id, { members, queue });
    return queue;
  }

  return {
    setReleased(number: string, at: number): void {
      if (releasedAt(number) === at) return;
      released.set(number, at);
      for (const { members, queue } of queues.values()) {
        if (members.numbers.has(number)) queue.push({ number, releasedAt: at });
      }
    },

    /** Up to `count` numbers that have rested enough, the one that was released first first; for each `setReleased` must follow. */
    pick(pool: NumberPool, count: number, now: number): readonly PoolNumber[] {
      const queue = queueOf(pool);
      const numbers: PoolNumber[] = [];
      for (let next = queue.peek(); next !== undefined && numbers.length < count; next = queue.peek()) {
        if (next.releasedAt > now - pool.holdMs) break;
        queue.pop();
        if (releasedAt(next.number) !== next.releasedAt) continue;
        released.set(next.number, picked);
        numbers.push(next);
      }
      return numbers;
    },
  };
}
export type PoolNumbers = ReturnType<typeof createPoolNumbers>;

/**
 * The pools that an endpoint's numbers come from: those in use for pings that are for its campaign and its publisher, or
 * for any. What is kept for it alone goes first, then the oldest.
 */
export function poolsOf(
  config: OrgConfig,
  { campaign_id, publisher_id }: Resource<"inbound_rtb">,
): readonly NumberPool[] {
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

/** Returns true if calls to a number come from pings alone: it is of a pool for pings, or one that an inbound RTB receives on. */
export function isAllocated(config: OrgConfig, e164: string): boolean {
  const number = config.number(e164);
  if (number === undefined) return false;
  const pool = config.get("number_pool", number.number_pool_id ?? undefined);
  return pool?.type === "inbound_rtb" || config.isReceiver(number.id);
}
