import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { Peers } from "../peers/peers.ts";
import type { BackoffTerms } from "./backoff.ts";
import type { Formula } from "./request.ts";

/** A change of a formula's backoff in one process, by the terms that it had then. */
const changeSchema = z.object({
  at: z.number(),
  /** Nobody asks before; null: the backoff has closed. */
  until: z.number().nullable(),
  threshold: z.number(),
  seconds: z.number(),
});
type BackoffChange = z.infer<typeof changeSchema>;

const maxFormulas = 20_000;

/** The newest change of each formula's backoff, whichever process made it. */
export function createPeerBackoffs(peers: Peers | null) {
  const newest = new LRUCache<string, BackoffChange>({ max: maxFormulas });
  const keyOf = ({ org_id, id }: Formula): string => `${org_id} ${id}`;

  const send = peers?.join({
    name: "backoff",
    schema: z.object({ key: z.string(), change: changeSchema }),
    receive({ key, change }) {
      if (change.at > (newest.get(key)?.at ?? 0)) newest.set(key, change);
    },
    *current() {
      for (const [key, change] of newest) yield [key, { key, change }];
    },
  });

  return {
    publish(formula: Formula, change: BackoffChange): void {
      const key = keyOf(formula);
      newest.set(key, change);
      send?.(key, { key, change });
    },
    /** Null where the newest was by other terms: a change of them closes every backoff. */
    newestOf(formula: Formula, { threshold, seconds }: BackoffTerms): BackoffChange | null {
      const change = newest.get(keyOf(formula));
      return change?.threshold === threshold && change.seconds === seconds ? change : null;
    },
  };
}
export type PeerBackoffs = ReturnType<typeof createPeerBackoffs>;
