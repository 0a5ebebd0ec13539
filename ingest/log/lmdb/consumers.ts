import { createKeyedMutex } from "../../concurrency/fair-queue.ts";
import type { ConsumeOptions, Consumer, FollowOptions } from "../log.ts";
import { toConsumer } from "../to-consumer.ts";
import { createFollower, createReader, type ReaderParts } from "./reader.ts";
import { committedOffset, putCommittedOffset, type Shard, type Store, shardsOf } from "./store.ts";
import type { Writer } from "./writer.ts";

export interface Consumers {
  consume(options: ConsumeOptions): Consumer;
  follow(options: FollowOptions): Consumer;
  /** Stops them all, and resolves when all work has returned. */
  stop(): Promise<void>;
}

/**
 * A consumer has all partitions of its topic. A second one of the same group and topic waits until the first has
 * finished, as it would for a partition in Kafka.
 */
export function createConsumers(parts: ReaderParts): Consumers {
  const running = new Set<Consumer>();
  /** Keyed by group and topic. */
  const mutex = createKeyedMutex();

  return {
    consume(options) {
      const stopping = new AbortController();
      const { signal } = stopping;
      const key = JSON.stringify([options.group, options.topic]);
      const finished = mutex(key, () => run(parts, options, stopping), signal).catch((error: unknown) => {
        // Stopped while it waited.
        if (error !== signal.reason) throw error;
      });
      const { consumer, settled } = toConsumer(finished, stopping);
      running.add(consumer);
      void settled.then(() => running.delete(consumer));
      return consumer;
    },
    follow({ topic, from, work }) {
      const stopping = new AbortController();
      const { signal } = stopping;
      const follow = (shard: Shard) => work(createFollower(parts, { shard, signal, from: from[shard.partition] ?? 0 }));
      const { consumer, settled } = toConsumer(onEach(shardsOf(parts.store, topic), stopping, follow), stopping);
      running.add(consumer);
      void settled.then(() => running.delete(consumer));
      return consumer;
    },
    async stop() {
      await Promise.all([...running].map((consumer) => consumer.stop()));
    },
  };
}

async function run(
  parts: ReaderParts,
  { group, topic, work }: ConsumeOptions,
  stopping: AbortController,
): Promise<void> {
  const { signal } = stopping;
  if (signal.aborted) return;
  const shards = shardsOf(parts.store, topic);
  await register(parts.store, parts.writer, { group, shards });
  await onEach(shards, stopping, (shard) => work(createReader(parts, { shard, group, signal })));
}

/** Works on all partitions; the first failure stops the others, and is thrown when they have returned. */
async function onEach(
  shards: readonly Shard[],
  stopping: AbortController,
  work: (shard: Shard) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  const workOn = async (shard: Shard) => {
    try {
      await work(shard);
    } catch (error) {
      failures.push(error);
      stopping.abort();
    }
  };
  await Promise.all(shards.map(workOn));
  if (failures.length > 0) throw failures[0];
}

/** Registers the group, so that retention keeps messages that it has not committed. */
async function register(store: Store, writer: Writer, { group, shards }: { group: string; shards: readonly Shard[] }) {
  const unknown = () => shards.filter((shard) => committedOffset(store, shard, group) === undefined);
  if (unknown().length === 0) return;
  await writer.write(0, () => {
    for (const shard of unknown()) putCommittedOffset(store, shard, group, 0);
  });
}
