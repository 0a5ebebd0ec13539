import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { Notices } from "../notices/notices.ts";
import type { BackoffTerms } from "./backoff.ts";
import type { Formula } from "./request.ts";

/** What became of a formula's backoff in one process at an instant, by the terms that it had then. */
const toldSchema = z.object({
  at: z.number(),
  /** Nobody asks before; null: the buyer is well. */
  until: z.number().nullable(),
  threshold: z.number(),
  seconds: z.number(),
});
export type ToldBackoff = z.infer<typeof toldSchema>;

const mostFormulas = 20_000;
/** What is over stays so long, for those that hear late. */
const graceMs = 60_000;

const keyOf = (orgId: string, id: string): string => `${orgId} ${id}`;

/** Backoffs as processes tell each other of them: of each formula, the newest that was heard. */
export function createToldBackoffs(notices: Notices | null) {
  const newest = new LRUCache<string, ToldBackoff>({ max: mostFormulas });
  notices?.onHeard("backoff", ({ orgId, id, value }) => {
    const told = toldSchema.parse(JSON.parse(value));
    const key = keyOf(orgId, id);
    if (told.at > (newest.get(key)?.at ?? 0)) newest.set(key, told);
  });
  return {
    tell({ org_id: orgId, id }: Formula, told: ToldBackoff): void {
      const expiresAt = Math.max(told.at, told.until ?? 0) + graceMs;
      notices?.tell({ kind: "backoff", orgId, id, slot: "", value: JSON.stringify(told), expiresAt });
    },
    /** What another process told last, if by the same terms: a change of them closes every backoff. */
    newestOf({ org_id: orgId, id }: Formula, { threshold, seconds }: BackoffTerms): ToldBackoff | null {
      const told = newest.get(keyOf(orgId, id));
      return told?.threshold === threshold && told.seconds === seconds ? told : null;
    },
  };
}
export type ToldBackoffs = ReturnType<typeof createToldBackoffs>;
