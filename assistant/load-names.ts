import type { Clock } from "../ingest/clock.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import type { Dialect } from "./compile/dialect.ts";
import { ownNamesStatement, type TagReach } from "./names-statement.ts";
import type { Lexicon } from "./planner/link/lexicon.ts";
import { createNameIndex, type NameIndex, type Names, type OwnName } from "./planner/link/name-index.ts";

/** A question that these names do not wholly explain waits for newer ones, unless they are as new as this. */
const freshMs = 5_000;
/** From then on names are read again behind the questions that still use them. */
const keepMs = 60_000;
/** Names that were not asked for in so long are waited for; and so often the tags of all calls are read. */
const mostAgeMs = 15 * 60_000;
const mostNames = 10_000;
const mostOrganizations = 500;

export interface KnownNames {
  readonly names: Names;
  /** Waits for names that these may lack; undefined when there can be none. */
  readonly newest: (() => Promise<Names>) | undefined;
}

interface Kept {
  readonly readAt: number;
  /** When the tags of all calls were asked for, and whether they came. */
  readonly wholeAt: number;
  readonly isWhole: boolean;
  readonly index: NameIndex;
  readonly names: Names;
}

/**
 * The organization's names, read once a minute at most, and once for all who ask meanwhile. Only the first question, or
 * one after a long pause, waits for them and rejects when they cannot be read; it waits for the tags of the latest calls
 * alone, those of all follow behind it.
 */
export function createNameLoader(given: {
  readonly warehouse: Pick<Warehouse, "query">;
  readonly clock: Clock;
  readonly dialect: Dialect;
  readonly lexicon: Lexicon;
}): (orgId: string) => Promise<KnownNames> {
  const { warehouse, clock, dialect, lexicon } = given;
  const cache = new Map<string, Kept>();
  const loading = new Map<string, Promise<Kept>>();

  // Not aborted with the question that began it: others may wait for the same names.
  async function load(orgId: string, reach: TagReach): Promise<Kept> {
    const readAt = clock.now();
    const { rows, truncated } = await warehouse.query(ownNamesStatement(orgId, dialect, reach), { maxRows: mostNames });
    const own = rows.map(({ field, value }): OwnName => ({ field: String(field), value: String(value) }));
    const known = cache.get(orgId);
    const isAll = reach === "all";
    // Names that the data no longer bears are forgotten when there are as many of them as of the others.
    const forgets = known === undefined || (isAll && known.index.size > 2 * mostNames);
    const index = forgets ? createNameIndex(lexicon) : known.index;
    index.learn(own);
    const names = index.names(!truncated && (isAll || known === undefined || known.names.complete));
    const { wholeAt = Number.NEGATIVE_INFINITY, isWhole = false } = known ?? {};
    return keep(orgId, { readAt, wholeAt: isAll ? readAt : wholeAt, isWhole: isWhole || isAll, index, names });
  }

  function keep(orgId: string, kept: Kept): Kept {
    cache.delete(orgId);
    cache.set(orgId, kept);
    const [oldest] = cache.keys();
    if (cache.size > mostOrganizations && oldest !== undefined) cache.delete(oldest);
    return kept;
  }

  function loadOnce(orgId: string, reach: TagReach): Promise<Kept> {
    const key = `${reach} ${orgId}`;
    const begun = loading.get(key) ?? load(orgId, reach).finally(() => loading.delete(key));
    loading.set(key, begun);
    return begun;
  }

  /** The names at hand answer; whoever asks later tries again. */
  const loadBehind = (orgId: string, reach: TagReach): void => void loadOnce(orgId, reach).catch(() => undefined);

  function newestOf(orgId: string, kept: Kept): KnownNames["newest"] {
    const whole = kept.isWhole ? undefined : loading.get(`all ${orgId}`);
    if (whole !== undefined) return async () => (await whole).names;
    if (clock.now() - kept.readAt < freshMs) return undefined;
    return async () => (await loadOnce(orgId, "latest")).names;
  }

  return async (orgId) => {
    const known = cache.get(orgId);
    const ageMs = known === undefined ? mostAgeMs : clock.now() - known.readAt;
    const waits = known === undefined || ageMs >= mostAgeMs;
    const kept = waits ? await loadOnce(orgId, "latest") : known;
    if (!waits && ageMs >= keepMs) loadBehind(orgId, "latest");
    if (clock.now() - kept.wholeAt >= mostAgeMs) {
      loadBehind(orgId, "all");
      // Should that fail, as of too many calls, it is not tried again with every question.
      const now = cache.get(orgId);
      if (now !== undefined) cache.set(orgId, { ...now, wholeAt: clock.now() });
    }
    return { names: kept.names, newest: newestOf(orgId, kept) };
  };
}
