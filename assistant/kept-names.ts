import type { TagReach } from "./names-statement.ts";
import type { Lexicon } from "./planner/link/lexicon.ts";
import { createNameIndex, type NameIndex, type Names, type OwnName } from "./planner/link/name-index.ts";

/** Of one organization, read at once. */
export const mostNames = 10_000;
const mostOrganizations = 500;

export interface Kept {
  readonly readAt: number;
  /** When the tags of all calls were asked for, and whether they came. */
  readonly wholeAt: number;
  readonly isWhole: boolean;
  readonly index: NameIndex;
  readonly names: Names;
}

/** Names as they were read. */
interface Read {
  readonly own: readonly OwnName[];
  readonly reach: TagReach;
  readonly readAt: number;
  /** Whether there are more than were read. */
  readonly truncated: boolean;
}

/** The names of the organizations that were read last, each reading added to those before. */
export function createKeptNames(lexicon: Lexicon) {
  const cache = new Map<string, Kept>();

  function keep(orgId: string, kept: Kept): Kept {
    cache.delete(orgId);
    cache.set(orgId, kept);
    const [oldest] = cache.keys();
    if (cache.size > mostOrganizations && oldest !== undefined) cache.delete(oldest);
    return kept;
  }

  return {
    get: (orgId: string): Kept | undefined => cache.get(orgId),

    learn(orgId: string, { own, reach, readAt, truncated }: Read): Kept {
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

    /** Should reading all fail, as of too many calls, it is not tried again with every question. */
    askedWhole(orgId: string, at: number): void {
      const known = cache.get(orgId);
      if (known !== undefined) cache.set(orgId, { ...known, wholeAt: at });
    },
  };
}
