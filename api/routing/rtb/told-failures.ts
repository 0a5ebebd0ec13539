import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { Notices } from "../notices/notices.ts";
import type { BackoffTerms } from "./backoff.ts";
import type { Formula } from "./request.ts";

/** How often in a row one process has seen a formula's buyer fail, by the terms that it had then. */
const toldSchema = z.object({
  /** Of the last failure; or of an answer, where there are none. */
  at: z.number(),
  failures: z.number().int().min(0),
  threshold: z.number(),
  seconds: z.number(),
});
export type ToldFailure = z.infer<typeof toldSchema>;

/** What others have told of one formula. */
interface Heard {
  wellAt: number;
  /** A process that was started anew is another one. */
  readonly newest: LRUCache<string, ToldFailure>;
}

const mostFormulas = 20_000;
const mostProcesses = 100;
/** Who hears later begins to count anew. */
const standsForMs = 60_000;

const keyOf = (orgId: string, id: string): string => `${orgId} ${id}`;

/** Failures in a row as processes tell each other of them. Who sees no failures and hears of none tells nothing. */
export function createToldFailures(notices: Notices | null) {
  const heard = new LRUCache<string, Heard>({ max: mostFormulas });
  const open = (key: string): Heard => {
    const opened = { wellAt: 0, newest: new LRUCache<string, ToldFailure>({ max: mostProcesses }) };
    heard.set(key, opened);
    return opened;
  };
  notices?.onHeard("failures", ({ process, orgId, id, value }) => {
    const told = toldSchema.parse(JSON.parse(value));
    const key = keyOf(orgId, id);
    const known = heard.get(key) ?? open(key);
    if (told.failures === 0) known.wellAt = Math.max(known.wellAt, told.at);
    if (told.at >= (known.newest.get(process)?.at ?? 0)) known.newest.set(process, told);
  });
  return {
    tell({ org_id: orgId, id }: Formula, told: ToldFailure): void {
      const expiresAt = told.at + standsForMs;
      notices?.tell({ kind: "failures", orgId, id, slot: "", value: JSON.stringify(told), expiresAt });
    },
    /** When another process was answered last, of those that tell; milliseconds since 1970. */
    wellAt: ({ org_id: orgId, id }: Formula): number => heard.get(keyOf(orgId, id))?.wellAt ?? 0,
    /** Failures that others have seen after an instant, by the same terms, and when the last of them was. */
    after({ org_id: orgId, id }: Formula, { threshold, seconds }: BackoffTerms, instant: number) {
      const row = { failures: 0, lastAt: 0 };
      for (const told of heard.get(keyOf(orgId, id))?.newest.values() ?? []) {
        if (told.at <= instant || told.threshold !== threshold || told.seconds !== seconds) continue;
        row.failures += told.failures;
        row.lastAt = Math.max(row.lastAt, told.at);
      }
      return row;
    },
  };
}
export type ToldFailures = ReturnType<typeof createToldFailures>;
