/** Runs the work of one key one after the other, in the order in which it is given; that of others beside it. */
export function createInOrder() {
  const last = new Map<string, Promise<unknown>>();

  return function inOrder<T>(key: string, work: () => Promise<T>): Promise<T> {
    // Work that failed has told whoever gave it; the next one goes on.
    const result = (last.get(key) ?? Promise.resolve()).then(work);
    const ended = result
      .catch(() => undefined)
      .then(() => {
        if (last.get(key) === ended) last.delete(key);
      });
    last.set(key, ended);
    return result;
  };
}
export type InOrder = ReturnType<typeof createInOrder>;
