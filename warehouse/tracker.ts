import { WarehouseError } from "./warehouse.ts";

/** Knows what work a warehouse has in hand: it closes when all of it is done, and takes no more. */
export function createTracker(toWarehouseError: (error: unknown) => WarehouseError) {
  const running = new Set<Promise<unknown>>();
  let closed: Promise<void> | undefined;

  return {
    async track<T>(work: () => Promise<T>): Promise<T> {
      if (closed !== undefined) throw new WarehouseError("unavailable", "The warehouse is closed.");
      const result = work().catch((error: unknown) => {
        throw toWarehouseError(error);
      });
      const settled = result.catch(() => undefined).finally(() => running.delete(settled));
      running.add(settled);
      return result;
    },
    /** Twice safely. */
    close(end: () => void | Promise<void>): Promise<void> {
      closed ??= Promise.all(running).then(end);
      return closed;
    },
  };
}
