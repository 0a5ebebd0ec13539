import type { Clock } from "../ingest/clock.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import type { Dialect } from "./compile/dialect.ts";
import { createKeptNames, type Kept, mostNames } from "./kept-names.ts";
import { ownNamesStatement, type TagReach } from "./names-statement.ts";
import type { Lexicon } from "./planner/link/lexicon.ts";
import type { Names, OwnName } from "./planner/link/name-index.ts";

/** A question that these names do not wholly explain waits for newer ones, unless they are as new as this. */
const freshMs = 5_000;
/** From then on names are read again behind the questions that still use them. */
const keepMs = 60_000;
/** Names that were not asked for in so long are waited for; and so often the tags of all calls are read. */
const mostAgeMs = 15 * 60_000;

export interface KnownNames {
  readonly names: Names;
  /** Waits for names that these may lack; undefined when there can be none. */
  readonly newest: (() => Promise<Names>) | undefined;
}

export interface NameLoader {
  known(orgId: string): Promise<KnownNames>;
  /**
   * Reads the tags of all calls where that is due: to be called when a question has its answer. Beside its own statement,
   * the two would take turns on the engine's cores until both are done (of a million calls, more than a second of a core).
   */
  readRest(orgId: string): void;
}

/**
 * The organization's names, read once a minute at most, and once for all who ask meanwhile. Only the first question, or
 * one after a long pause, waits for them and rejects when they cannot be read; it waits for the tags of the latest calls
 * alone. Those of all are read when it is answered, or at once where it bears what these do not explain.
 */
export function createNameLoader(given: {
  readonly warehouse: Pick<Warehouse, "query">;
  readonly clock: Clock;
  readonly dialect: Dialect;
  readonly lexicon: Lexicon;
}): NameLoader {
  const { warehouse, clock, dialect, lexicon } = given;
  const kept = createKeptNames(lexicon);
  const loading = new Map<string, Promise<Kept>>();

  // Not aborted with the question that began it: others may wait for the same names.
  async function load(orgId: string, reach: TagReach): Promise<Kept> {
    const readAt = clock.now();
    const { rows, truncated } = await warehouse.query(ownNamesStatement(orgId, dialect, reach), { maxRows: mostNames });
    const own = rows.map(({ field, value }): OwnName => ({ field: String(field), value: String(value) }));
    return kept.learn(orgId, { own, reach, readAt, truncated });
  }

  function loadOnce(orgId: string, reach: TagReach): Promise<Kept> {
    const key = `${reach} ${orgId}`;
    const begun = loading.get(key) ?? load(orgId, reach).finally(() => loading.delete(key));
    loading.set(key, begun);
    return begun;
  }

  /** The names at hand answer; whoever asks later tries again. */
  const loadBehind = (orgId: string, reach: TagReach): void => void loadOnce(orgId, reach).catch(() => undefined);

  const isRestDue = ({ wholeAt }: Kept): boolean => clock.now() - wholeAt >= mostAgeMs;

  function loadRest(orgId: string): Promise<Kept> {
    const begun = loadOnce(orgId, "all");
    kept.askedWhole(orgId, clock.now());
    return begun;
  }

  function newestOf(orgId: string, used: Kept): KnownNames["newest"] {
    const mayFollow = isRestDue(used) || loading.has(`all ${orgId}`);
    if (!used.isWhole && mayFollow) return async () => (await loadRest(orgId)).names;
    if (clock.now() - used.readAt < freshMs) return undefined;
    return async () => (await loadOnce(orgId, "latest")).names;
  }

  return {
    async known(orgId) {
      const known = kept.get(orgId);
      const ageMs = known === undefined ? mostAgeMs : clock.now() - known.readAt;
      const waits = known === undefined || ageMs >= mostAgeMs;
      const used = waits ? await loadOnce(orgId, "latest") : known;
      if (!waits && ageMs >= keepMs) loadBehind(orgId, "latest");
      return { names: used.names, newest: newestOf(orgId, used) };
    },
    readRest(orgId) {
      const known = kept.get(orgId);
      if (known !== undefined && isRestDue(known)) loadRest(orgId).catch(() => undefined);
    },
  };
}
