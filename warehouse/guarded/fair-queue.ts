import { onAbort } from "../../ingest/on-abort.ts";

interface Waiting {
  readonly key: string;
  begin(): void;
}

export interface FairQueueOptions {
  /** Pieces of work that run together. */
  readonly atOnce: number;
  /** The limit for each key. */
  readonly each: number;
  /** Milliseconds of any steady clock. */
  now?(): number;
}

/** Half-life of a key's past usage. */
const halfLifeMs = 30_000;

/**
 * A queue that is fair between keys: of the work that waits the next is that of the key which has used the least time, and
 * of one key in order. A key that had nothing to do for a while is not behind for what it used before.
 */
export function createFairQueue({ atOnce, each, now = () => performance.now() }: FairQueueOptions) {
  const waiting = new Set<Waiting>();
  const running = new Map<string, number>();
  const used = new Map<string, { ms: number; at: number }>();
  let free = atOnce;

  function usedBy(key: string): number {
    const known = used.get(key);
    return known === undefined ? 0 : known.ms * 0.5 ** ((now() - known.at) / halfLifeMs);
  }
  function next(): Waiting | undefined {
    let chosen: Waiting | undefined;
    for (const entry of waiting) {
      if ((running.get(entry.key) ?? 0) >= each) continue;
      if (chosen === undefined || usedBy(entry.key) < usedBy(chosen.key)) chosen = entry;
    }
    return chosen;
  }
  function beginNext(): void {
    while (free > 0) {
      const chosen = next();
      if (chosen === undefined) return;
      waiting.delete(chosen);
      free -= 1;
      running.set(chosen.key, (running.get(chosen.key) ?? 0) + 1);
      chosen.begin();
    }
  }
  function end(key: string, began: number): void {
    free += 1;
    const others = (running.get(key) ?? 1) - 1;
    if (others === 0) running.delete(key);
    else running.set(key, others);
    used.set(key, { ms: usedBy(key) + now() - began, at: now() });
    // Nobody's any more: what is left of it would change no order.
    for (const known of used.keys()) if (usedBy(known) < 1) used.delete(known);
    beginNext();
  }
  function turn(key: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry: Waiting = {
        key,
        begin() {
          forget();
          resolve();
        },
      };
      waiting.add(entry);
      const forget = onAbort(signal, () => {
        waiting.delete(entry);
        reject(signal.reason);
      });
      beginNext();
    });
  }

  /** Rejects with the signal's reason when it aborts before the work's turn has come. */
  return async <T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    await turn(key, signal);
    const began = now();
    try {
      return await work();
    } finally {
      end(key, began);
    }
  };
}

/** Lets so many pieces of work run together; the others wait, in order. */
export function createSemaphore(atOnce: number) {
  const queue = createFairQueue({ atOnce, each: atOnce });
  return <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => queue("", signal, work);
}
