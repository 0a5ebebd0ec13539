import type { Lexicon } from "../planner/link/lexicon.ts";
import { createNameIndex, type NameIndex, type Names, type OwnName } from "../planner/link/name-index.ts";
import type { TagReach } from "./names-statement.ts";

/** The most names that are read of one organization at once. */
export const mostNames = 10_000;
const mostOrganizations = 500;

export interface CachedNames {
  readonly readAt: number;
  /** The time at which the tags of all calls were requested; `isWhole` once they were read. */
  readonly wholeAt: number;
  readonly isWhole: boolean;
  readonly index: NameIndex;
  readonly names: Names;
}

/** The names of one reading. */
interface Read {
  readonly own: readonly OwnName[];
  readonly reach: TagReach;
  readonly readAt: number;
  /** True where there are more than were read. */
  readonly truncated: boolean;
}

/** Caches the names of the most recently read organizations; each reading adds to those before. */
export function createNameCache(lexicon: Lexicon) {
  const cache = new Map<string, CachedNames>();

  function keep(orgId: string, kept: CachedNames): CachedNames {
    cache.delete(orgId);
    cache.set(orgId, kept);
    const [oldest] = cache.keys();
    if (cache.size > mostOrganizations && oldest !== undefined) cache.delete(oldest);
    return kept;
  }

  return {
    get: (orgId: string): CachedNames | undefined => cache.get(orgId),

    learn(orgId: string, { own, reach, readAt, truncated }: Read): CachedNames {
      const known = cache.get(orgId);
      const isAll = reach === "all";
      // Names that the data no longer bears are forgotten when there are as many of them as of the others.
      const forgets = known === undefined || (isAll && known.index.size > 2 * mostNames);
      const index = forgets ? createNameIndex(lexicon) : known.index;
      index.learn(own);
      const names = index.names(!truncated && (isAll || known === undefined || known.names.complete));
      const { wholeAt = Number.NEGATIVE_INFINITY, isWhole = false } = known ?? {};
      return keep(orgId, { readAt, wholeAt: isAll ? readAt : wholeAt, isWhole: isWhole || isAll, index, names });
    },

    /**
     * Notes that all were requested: where reading them fails, such as for too many calls, not every question tries
     * again.
     */
    askedWhole(orgId: string, at: number): void {
      const known = cache.get(orgId);
      if (known !== undefined) cache.set(orgId, { ...known, wholeAt: at });
    },
  };
}
