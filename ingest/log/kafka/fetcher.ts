import type { Cluster } from "kafkajs";
import { systemClock } from "../../clock.ts";
import type { Notifier } from "../../notifier.ts";
import type { PartitionBuffer } from "./buffer.ts";
import { toLogError } from "./errors.ts";
import { byLeader, fetchFrom, type Place } from "./fetch.ts";

/** Time that the brokers hold a response without messages back: when idle, 4 requests a second to each broker. */
export const maxWaitMs = 250;
const retryMs = { first: 100, longest: 2_000 };

export interface FetcherParts {
  readonly cluster: Cluster;
  readonly topic: string;
  readonly buffers: readonly PartitionBuffer[];
  /** Notifies of a buffer that has room again, and of one that has got something. */
  readonly notifier: Notifier;
  readonly signal: AbortSignal;
  onTrouble(error: unknown): void;
}

/**
 * Keeps the buffers filled until the signal aborts: each broker is asked for all its partitions at once, except for
 * those that have enough. Rejects with `bad_position`; with brokers that are gone it goes on trying.
 */
export async function keepFetching(parts: FetcherParts): Promise<void> {
  const { cluster, topic, buffers, notifier, signal } = parts;
  const asking = new Map<string, Promise<void>>();
  const busy = new Set<number>();
  const failures: unknown[] = [];
  let pauseMs = 0;

  const ask = async (node: string, places: readonly Place[]): Promise<void> => {
    for (const { partition } of places) busy.add(partition);
    try {
      await fetchInto(parts, node, places);
      pauseMs = 0;
    } catch (error) {
      pauseMs = Math.min(Math.max(pauseMs * 2, retryMs.first), retryMs.longest);
      await recover(parts, error).catch((fatal: unknown) => failures.push(fatal));
    } finally {
      for (const { partition } of places) busy.delete(partition);
      asking.delete(node);
    }
  };

  while (!signal.aborted && failures.length === 0) {
    for (const [node, places] of leadersOf(parts, hungry(buffers, busy))) {
      if (!asking.has(node)) asking.set(node, ask(node, places));
    }
    const woken = notifier.wait(maxWaitMs, { signal });
    await (pauseMs > 0 ? systemClock.sleep(pauseMs, signal) : Promise.race([woken, ...asking.values()]));
  }
  await Promise.all(asking.values());
  if (failures.length > 0) throw failures[0];

  function leadersOf({ onTrouble }: FetcherParts, places: readonly Place[]): Map<string, Place[]> {
    try {
      return byLeader(cluster, topic, places);
    } catch (error) {
      onTrouble(toLogError(error));
      return new Map();
    }
  }
}

function hungry(buffers: readonly PartitionBuffer[], busy: ReadonlySet<number>): Place[] {
  return buffers.flatMap((buffer) => {
    const from = buffer.wants();
    return from === null || busy.has(buffer.partition) ? [] : [{ partition: buffer.partition, from }];
  });
}

async function fetchInto({ cluster, topic, buffers, notifier }: FetcherParts, node: string, places: readonly Place[]) {
  const answers = await fetchFrom(cluster, node, { topic, maxWaitMs, places });
  for (const { partition, from } of places) {
    const answer = answers.get(partition);
    if (answer !== undefined) buffers.find((each) => each.partition === partition)?.put(from, answer, Date.now());
  }
  notifier.notify();
}

/** Throws what will not pass by itself. */
async function recover({ cluster, signal, onTrouble }: FetcherParts, error: unknown): Promise<void> {
  if (signal.aborted) return;
  const known = toLogError(error);
  if (known.code !== "log_unavailable") throw known;
  onTrouble(known);
  await cluster.refreshMetadata().catch(() => undefined);
}
