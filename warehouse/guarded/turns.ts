/** Lets `atOnce` pieces of work run together; the others wait their turn, in order. */
export function createTurns(atOnce: number) {
  let free = atOnce;
  const waiting = new Set<() => void>();

  function turn(signal: AbortSignal): Promise<void> {
    if (free > 0) {
      free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.delete(begin);
        reject(signal.reason);
      };
      const begin = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      waiting.add(begin);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  function next(): void {
    const [begin] = waiting;
    if (begin === undefined) free += 1;
    else {
      waiting.delete(begin);
      begin();
    }
  }

  /** Rejects with the signal's reason when it aborts before the work's turn has come. */
  return async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    await turn(signal);
    try {
      return await work();
    } finally {
      next();
    }
  };
}

/** Likewise, and at most `each` of them for one key: nobody's work keeps everybody else waiting. */
export function createFairTurns({ atOnce, each }: { readonly atOnce: number; readonly each: number }) {
  const shared = createTurns(atOnce);
  const keyed = new Map<string, { readonly turns: ReturnType<typeof createTurns>; users: number }>();

  return async <T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    const own = keyed.get(key) ?? { turns: createTurns(each), users: 0 };
    keyed.set(key, own);
    own.users += 1;
    try {
      return await own.turns(signal, () => shared(signal, work));
    } finally {
      own.users -= 1;
      if (own.users === 0) keyed.delete(key);
    }
  };
}
