import type { Cluster } from "kafkajs";
import { type Clock, systemClock } from "../../clock.ts";
import { createNotifier, type Notifier } from "../../notifier.ts";
import { onAbort } from "../../on-abort.ts";
import type { Batch, BatchLimits, Message, PartitionFollower, Topic } from "../log.ts";
import { createBuffer, type PartitionBuffer } from "./buffer.ts";
import { keepFetching, maxWaitMs } from "./fetcher.ts";

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
  const notifier = createNotifier(systemClock);
  const buffers = [...from].map(([partition, offset]) => createBuffer(partition, offset));
  const failures: unknown[] = [];
  const fail = (error: unknown) => {
    failures.push(error);
    stopping.abort();
  };
  const works = buffers.map(async (buffer) => {
    const next: PartitionFollower["next"] = (limits) => gather({ buffer, notifier, clock, signal }, limits);
    await work({ topic, partition: buffer.partition, signal, next }, buffer);
  });
  const fetching = new AbortController();
  const stopFetching = () => fetching.abort();
  signal.addEventListener("abort", stopFetching, { once: true });
  const fetched = keepFetching({ cluster, topic: name, buffers, notifier, signal: fetching.signal, onTrouble }).catch(
    fail,
  );
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

/** Returns the result of the work, or undefined if the signal aborts first; no listener is left behind. */
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

/** An answer older than this may miss what was published since: a broker that is there gives four a second. */
const freshMs = 4 * maxWaitMs;

interface GatherParts {
  readonly buffer: PartitionBuffer;
  readonly notifier: Notifier;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * The next batch, as the port's `next` has it. That nothing had come is said of a fresh answer only; while brokers are
 * gone there is none, and the batch tells that by `caughtUp`, a moment after `waitMs`.
 */
async function gather({ buffer, notifier, clock, signal }: GatherParts, limits: BatchLimits): Promise<Batch> {
  const messages: Message[] = [];
  let bytes = 0;
  let deadline = clock.now() + limits.waitMs;
  const begun = Date.now();
  while (!signal.aborted) {
    const isFirst = messages.length === 0;
    const wanted = buffer.wants();
    const room = { maxMessages: limits.maxMessages, maxBytes: limits.maxBytes - bytes };
    const drained = buffer.drainInto(messages, room);
    bytes += drained.bytes;
    if (wanted === null && buffer.wants() !== null) notifier.notify();
    if (isFirst && messages.length > 0) deadline = limits.gatherUntil ?? 0;
    if (drained.full) return { messages, caughtUp: buffer.caughtUp() };
    const waitMs = deadline - clock.now();
    if (waitMs <= 0 && (messages.length > 0 || isSettled(buffer, begun))) {
      return { messages, caughtUp: buffer.caughtUp() && isFresh(buffer) };
    }
    await notifier.wait(Math.min(waitMs > 0 ? waitMs : maxWaitMs, maxWaitMs), { signal });
  }
  return { messages: [], caughtUp: false };
}

const isFresh = (buffer: PartitionBuffer): boolean => Date.now() - (buffer.heardAt() ?? 0) < freshMs;

/** Returns true if there is nothing to read, or no broker to ask. */
const isSettled = (buffer: PartitionBuffer, begun: number): boolean =>
  (isFresh(buffer) && buffer.caughtUp()) || Date.now() - begun > freshMs;
