import { LRUCache } from "lru-cache";

/**
 * Returns a cache of at most `entries` values that forgets the least recently used one. It grows with its contents: given a
 * `max`, the library allocates all entries at once, which took a tenth of a process's start.
 */
export const createBoundedCache = <V extends NonNullable<unknown>>(entries: number): LRUCache<string, V> =>
  new LRUCache({ maxSize: entries, sizeCalculation: () => 1 });
