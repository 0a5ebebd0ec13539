import { LRUCache } from "lru-cache";
import type { Clock } from "../../../ingest/clock.ts";
import type { Notices } from "../notices/notices.ts";
import type { Formula } from "./request.ts";

/** Whoever has not asked for so long has no share any more. */
const asksForMs = 30_000;
/** As long as it asks, a process says so this often. */
const sayEveryMs = 10_000;
const mostFormulas = 20_000;
/** More processes than an installation has. */
const mostProcesses = 1000;

const keyOf = ({ org_id, id }: { readonly org_id: string; readonly id: string }): string => `${org_id} ${id}`;

/**
 * Which processes ask a formula's buyer: where only so many executions may be under way at once, each has its share of
 * them. How many others have under way at this instant nobody could know in time.
 */
export function createAskers(notices: Notices | null, clock: Clock) {
  const saidAt = new LRUCache<string, number>({ max: mostFormulas });
  const others = new LRUCache<string, Map<string, number>>({ max: mostFormulas });

  notices?.onHeard("asker", ({ process, orgId, id, expiresAt }) => {
    const key = keyOf({ org_id: orgId, id });
    const known = others.get(key) ?? new Map<string, number>();
    others.set(key, known);
    if (known.size < mostProcesses) known.set(process, expiresAt);
  });

  function othersOf(key: string, now: number): number {
    const known = others.get(key);
    if (known === undefined) return 0;
    for (const [process, expiresAt] of known) if (expiresAt <= now) known.delete(process);
    return known.size;
  }

  return {
    /** This process's part of what all may have under way, at least 1; it asks from now on. */
    shareOf(formula: Formula, most: number): number {
      if (notices === null) return most;
      const [key, now] = [keyOf(formula), clock.now()];
      if (now >= (saidAt.get(key) ?? Number.NEGATIVE_INFINITY) + sayEveryMs) {
        saidAt.set(key, now);
        const { org_id: orgId, id } = formula;
        notices.tell({ kind: "asker", orgId, id, slot: "", value: "", expiresAt: now + asksForMs });
      }
      return Math.max(1, Math.floor(most / (1 + othersOf(key, now))));
    },
  };
}
