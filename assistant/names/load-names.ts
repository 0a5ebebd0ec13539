import type { Clock } from "../../ingest/clock.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import type { Dialect } from "../compile/dialect.ts";
import type { Lexicon } from "../planner/link/lexicon.ts";
import type { Names, OwnName } from "../planner/link/name-index.ts";
import { type CachedNames, createNameCache, mostNames } from "./name-cache.ts";
import { ownNamesStatement, type TagReach } from "./names-statement.ts";

/** A question with words that these names do not explain waits for newer ones, unless they are at most this old. */
const freshMs = 5_000;
/** The age from which on names are read again in the background. */
const keepMs = 60_000;
/** The age from which on questions wait for newer names, and the interval of reading the tags of all calls. */
const mostAgeMs = 15 * 60_000;

export interface KnownNames {
  readonly names: Names;
  /** Reads names that these may lack; undefined when there can be none. */
  readonly newest: (() => Promise<Names>) | undefined;
}

export interface NameLoader {
  known(orgId: string): Promise<KnownNames>;
  /**
   * Reads the tags of all calls where that is due; called when a question has its answer. Together with its own
   * statement, the two would share the engine's cores until both are done (more than a second of a core for a million
   * calls).
   */
  readRest(orgId: string): void;
}

/**
 * Loads an organization's names, at most once a minute, and once for concurrent questions. Only the first question, or
 * one after a long pause, waits for them, and rejects when they cannot be read; it waits for the tags of the latest
 * calls only. Those of all calls are read once it is answered, or at once where it has words that these do not explain.
 */
export function createNameLoader(given: {
  readonly warehouse: Pick<Warehouse, "query">;
  readonly clock: Clock;
  readonly dialect: Dialect;
  readonly lexicon: Lexicon;
}): NameLoader {
  const { warehouse, clock, dialect, lexicon } = given;
  const cache = createNameCache(lexicon);
  const loading = new Map<string, Promise<CachedNames>>();

  // Not aborted with the question that began it: others may wait for the same names.
  async function load(orgId: string, reach: TagReach): Promise<CachedNames> {
    const readAt = clock.now();
    const { rows, truncated } = await warehouse.query(ownNamesStatement(orgId, dialect, reach), { maxRows: mostNames });
    const own = rows.map(({ field, value }): OwnName => ({ field: String(field), value: String(value) }));
    return cache.learn(orgId, { own, reach, readAt, truncated });
  }

  function loadOnce(orgId: string, reach: TagReach): Promise<CachedNames> {
    const key = `${reach} ${orgId}`;
    const begun = loading.get(key) ?? load(orgId, reach).finally(() => loading.delete(key));
    loading.set(key, begun);
    return begun;
  }

  /** Ignores a failure: the cached names are used, and a later question tries again. */
  const loadBehind = (orgId: string, reach: TagReach): void => void loadOnce(orgId, reach).catch(() => undefined);

  const isRestDue = ({ wholeAt }: CachedNames): boolean => clock.now() - wholeAt >= mostAgeMs;

  function loadRest(orgId: string): Promise<CachedNames> {
    const begun = loadOnce(orgId, "all");
    cache.askedWhole(orgId, clock.now());
    return begun;
  }

  function newestOf(orgId: string, used: CachedNames): KnownNames["newest"] {
    const mayFollow = isRestDue(used) || loading.has(`all ${orgId}`);
    if (!used.isWhole && mayFollow) return async () => (await loadRest(orgId)).names;
    if (clock.now() - used.readAt < freshMs) return undefined;
    return async () => (await loadOnce(orgId, "latest")).names;
  }

  return {
    async known(orgId) {
      const known = cache.get(orgId);
      const ageMs = known === undefined ? mostAgeMs : clock.now() - known.readAt;
      const waits = known === undefined || ageMs >= mostAgeMs;
      const used = waits ? await loadOnce(orgId, "latest") : known;
      if (!waits && ageMs >= keepMs) loadBehind(orgId, "latest");
      return { names: used.names, newest: newestOf(orgId, used) };
    },
    readRest(orgId) {
      const known = cache.get(orgId);
      if (known !== undefined && isRestDue(known)) loadRest(orgId).catch(() => undefined);
    },
  };
}
