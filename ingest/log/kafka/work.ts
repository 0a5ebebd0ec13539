import type { Cluster } from "kafkajs";
import { type Clock, systemClock } from "../../clock.ts";
import { onAbort } from "../../on-abort.ts";
import { createBell } from "../bell.ts";
import type { PartitionFollower, Topic } from "../log.ts";
import { createBuffer, type PartitionBuffer } from "./buffer.ts";
import { keepFetching } from "./fetcher.ts";
import { gather } from "./reader.ts";

export interface WorkParts {
  readonly cluster: Cluster;
  readonly topic: Topic;
  /** Its name on the brokers. */
  readonly name: string;
  readonly clock: Clock;
  onTrouble(error: unknown): void;
}

/**
 * Works on those partitions from there on, each filled by one fetcher, until `stopping` aborts and all work has
 * returned. The first failure stops the others, and is thrown when they have returned.
 */
export async function workOnAll(
  { cluster, topic, name, clock, onTrouble }: WorkParts,
  { from, stopping }: { from: ReadonlyMap<number, number>; stopping: AbortController },
  work: (reader: PartitionFollower, buffer: PartitionBuffer) => Promise<void>,
): Promise<void> {
  const { signal } = stopping;
  // Brokers answer in real time, whatever the clock of the readers says.
  const bell = createBell(systemClock);
  const buffers = [...from].map(([partition, offset]) => createBuffer(partition, offset));
  const failures: unknown[] = [];
  const fail = (error: unknown) => {
    failures.push(error);
    stopping.abort();
  };
  const works = buffers.map(async (buffer) => {
    const next: PartitionFollower["next"] = (limits) => gather({ buffer, bell, clock, signal }, limits);
    await work({ topic, partition: buffer.partition, signal, next }, buffer);
  });
  const fetching = new AbortController();
  const stopFetching = () => fetching.abort();
  signal.addEventListener("abort", stopFetching, { once: true });
  const fetched = keepFetching({ cluster, topic: name, buffers, bell, signal: fetching.signal, onTrouble }).catch(fail);
  await Promise.all(works.map((each) => each.catch(fail)));
  stopFetching();
  signal.removeEventListener("abort", stopFetching);
  if (failures.length > 0) throw failures[0];
  // Left to end by itself: what it asked last may take a moment to be answered.
  void fetched;
}

export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });

/** What the work comes to, or undefined when the signal aborts first; it leaves no listener behind. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T | undefined> {
  if (signal.aborted) return undefined;
  let forget = (): void => undefined;
  const stopped = new Promise<undefined>((resolve) => {
    forget = onAbort(signal, () => resolve(undefined));
  });
  return Promise.race([work, stopped]).finally(forget);
}

/** Resolves when the work has, or after `ms` without it. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const inTime = new AbortController();
  await Promise.race([work, systemClock.sleep(ms, inTime.signal)]);
  inTime.abort();
}
