import { defaultTimeoutMs, type QueryOptions, WarehouseError } from "./warehouse.ts";

/** The time counts from the question, so waiting for a turn is part of it. */
export async function withinTime<T>(
  { timeoutMs = defaultTimeoutMs, signal }: QueryOptions = {},
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    return await work(signal === undefined ? timeout : AbortSignal.any([signal, timeout]));
  } catch (error) {
    if (signal?.aborted) throw new WarehouseError("query_cancelled", "The query was cancelled.", { cause: error });
    if (!timeout.aborted) throw error;
    const message = `The query took longer than ${timeoutMs / 1000} s: ask for a shorter period.`;
    throw new WarehouseError("query_timeout", message, { cause: error });
  }
}
