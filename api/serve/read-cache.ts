import { LRUCache } from "lru-cache";
import type { Clock } from "../../ingest/clock.ts";

const mostKept = 20_000;

/** Reads a part of an organization's figures once for all who ask while it is fresh, for `ttl` milliseconds. */
export type ReadCache = <T extends object>(key: string, ttl: number, read: () => Promise<T>) => Promise<T>;

export function createReadCache(clock: Clock): ReadCache {
  const kept = new LRUCache<string, object, () => Promise<object>>({
    maxSize: mostKept,
    sizeCalculation: () => 1,
    ttlResolution: 0,
    perf: { now: () => clock.now() },
    fetchMethod: (_key, _stale, { context: read }) => read(),
  });
  return async <T extends object>(key: string, ttl: number, read: () => Promise<T>) =>
    (await kept.forceFetch(key, { ttl, context: read })) as T;
}
