import type { Clock } from "../../../ingest/clock.ts";
import type { Verdict } from "./lookup.ts";

export interface VerdictLimits {
  readonly keepMs: number;
  readonly limit: number;
}

/** What lists have said, for a while: the oldest goes when there is no room. */
export function createVerdicts(clock: Clock, { keepMs, limit }: VerdictLimits) {
  // All are kept equally long, so the order of insertion is that of expiry.
  const known = new Map<string, { readonly verdict: Verdict; readonly until: number }>();
  return {
    get(key: string): Verdict | undefined {
      const found = known.get(key);
      if (found === undefined || clock.now() < found.until) return found?.verdict;
      known.delete(key);
      return undefined;
    },
    set(key: string, verdict: Verdict): void {
      known.delete(key);
      if (known.size >= limit) known.delete(known.keys().next().value as string);
      known.set(key, { verdict, until: clock.now() + keepMs });
    },
  };
}
