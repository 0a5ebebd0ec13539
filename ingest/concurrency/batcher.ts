import { AsyncLocalStorage } from "node:async_hooks";

export interface BatcherOptions<T, R> {
  /** Processes a batch; resolves with the result of each item, in order. */
  work(items: readonly T[]): Promise<readonly R[]>;
  /** Returns how many of the waiting items, from the first one on, make the next batch; it has at least one. */
  countNext(waiting: readonly T[]): number;
  /** Runs after each batch and before the next, with whether items wait; must not reject. */
  afterBatch?(isIdle: boolean): Promise<void>;
}

/**
 * Gathers items while a batch of them is processed, so that the cost of each falls as the load rises. One batch at a time,
 * in the order in which items come. An item's promise settles with its batch.
 */
export function createBatcher<T, R>({ work, countNext, afterBatch }: BatcherOptions<T, R>) {
  const waiting: T[] = [];
  /** Indexed like `waiting`. */
  const waiters: { resolve(result: R): void; reject(error: unknown): void }[] = [];
  let working: Promise<void> | null = null;
  // Not in the context of whoever added the first item: a batch is no part of that one's trace.
  const inOwnContext = AsyncLocalStorage.snapshot();

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const count = Math.max(1, countNext(waiting));
      const [items, settle] = [waiting.splice(0, count), waiters.splice(0, count)];
      try {
        const results = await work(items);
        for (const [index, { resolve }] of settle.entries()) resolve(results[index] as R);
      } catch (error) {
        for (const { reject } of settle) reject(error);
      }
      await afterBatch?.(waiting.length === 0);
    }
    working = null;
  }

  return {
    add(item: T): Promise<R> {
      return new Promise((resolve, reject) => {
        waiting.push(item);
        waiters.push({ resolve, reject });
        // A microtask later, so that items of one turn of the event loop share a batch.
        working ??= inOwnContext(() => Promise.resolve().then(drain));
      });
    },
    waiting: (): number => waiting.length,
    /** Resolves when nothing waits. */
    async idle(): Promise<void> {
      await working;
    },
  };
}

/** Counts waiting items up to a total weight. */
export const upToWeight =
  <T>(most: number, weightOf: (item: T) => number) =>
  (waiting: readonly T[]): number => {
    let weight = 0;
    const next = waiting.findIndex((item) => {
      weight += weightOf(item);
      return weight > most;
    });
    return next < 0 ? waiting.length : next;
  };
