import type { ConfigDocument, Resource } from "./registry.ts";

/** The numbers of a pool, E.164; a new `version` says that they may have changed. */
export interface PoolMembers {
  readonly version: number;
  readonly numbers: ReadonlySet<string>;
}

const empty: ReadonlySet<string> = new Set();

/**
 * Which numbers each pool can hand out: not those that another organization has, nor those on which an inbound RTB receives.
 * Gathered when it is asked for, and again when a number or an inbound RTB has changed since.
 */
export function createPoolMembers() {
  const numbers = new Map<string, Resource<"number">>();
  const receivers = new Map<string, string>();
  let version = 0;
  let gathered: { readonly version: number; readonly byPool: ReadonlyMap<string, ReadonlySet<string>> } | null = null;

  function gather(): ReadonlyMap<string, ReadonlySet<string>> {
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
    of(poolId: string): PoolMembers {
      if (gathered?.version !== version) gathered = { version, byPool: gather() };
      return { version, numbers: gathered.byPool.get(poolId) ?? empty };
    },
    /** Whether an inbound RTB receives on the number. */
    isReceiver: (numberId: string): boolean => [...receivers.values()].includes(numberId),
  };
}
