import TinyQueue from "tinyqueue";
import type { PoolMembers } from "../../config/org-config-indexes.ts";

export interface Pool {
  readonly id: string;
  readonly members: PoolMembers;
  /** How long a released number rests. */
  readonly holdMs: number;
}

/** A number, by when it was released. */
export interface Turn {
  readonly number: string;
  readonly releasedAt: number;
}

const byRelease = (one: Turn, other: Turn): number => one.releasedAt - other.releasedAt;
/** Neither released nor allocated: picked, and not yet known whether it could be had. */
const picked = Number.POSITIVE_INFINITY;

/**
 * When each number of an organization's pools was released, or will be, as far as this process knows: whoever picks by
 * it must ask the database. Times are milliseconds since 1970; a number that nobody ever had was released at 0.
 */
export function createReleases() {
  const released = new Map<string, number>();
  /** Its numbers by when they were released; a turn whose time is no longer the number's is passed over. */
  const queues = new Map<string, { members: PoolMembers; queue: TinyQueue<Turn> }>();

  const releasedAt = (number: string): number => released.get(number) ?? 0;

  function queueOf({ id, members }: Pool): TinyQueue<Turn> {
    const known = queues.get(id);
    if (known?.members.version === members.version) return known.queue;
    const turns = [...members.numbers].map((number) => ({ number, releasedAt: releasedAt(number) }));
    const queue = new TinyQueue(turns, byRelease);
    queues.set(id, { members, queue });
    return queue;
  }

  return {
    learn(number: string, at: number): void {
      if (releasedAt(number) === at) return;
      released.set(number, at);
      for (const { members, queue } of queues.values()) {
        if (members.numbers.has(number)) queue.push({ number, releasedAt: at });
      }
    },

    /** Up to `count` numbers that have rested enough, the one that was released first first; each must be learned anew. */
    pick(pool: Pool, count: number, now: number): readonly Turn[] {
      const queue = queueOf(pool);
      const turns: Turn[] = [];
      for (let next = queue.peek(); next !== undefined && turns.length < count; next = queue.peek()) {
        if (next.releasedAt > now - pool.holdMs) break;
        queue.pop();
        if (releasedAt(next.number) !== next.releasedAt) continue;
        released.set(next.number, picked);
        turns.push(next);
      }
      return turns;
    },
  };
}
export type Releases = ReturnType<typeof createReleases>;
