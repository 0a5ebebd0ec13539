/**
 * Gathers items while a batch of them is worked on, so that the busier it is, the less each one costs. An item's promise
 * settles as its batch does.
 */
export function createBatches<T>(most: number, work: (items: readonly T[]) => Promise<void>) {
  const waiting: { readonly item: T; resolve(): void; reject(error: unknown): void }[] = [];
  let working: Promise<void> | null = null;

  async function workAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, most);
      await work(batch.map(({ item }) => item)).then(
        () => batch.forEach(({ resolve }) => void resolve()),
        (error: unknown) => batch.forEach(({ reject }) => void reject(error)),
      );
    }
    working = null;
  }

  return {
    add(item: T): Promise<void> {
      return new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        // A moment later, so that what comes together is together.
        working ??= Promise.resolve().then(workAll);
      });
    },
    /** Resolves when nothing waits. */
    async settled(): Promise<void> {
      await working;
    },
  };
}
