import { type Clock, systemClock } from "../clock.ts";
import { createNotifier } from "../notifier.ts";
import { append, toAdditions } from "./lmdb/append.ts";
import { createConsumers } from "./lmdb/consumers.ts";
import { readUpTo } from "./lmdb/reader.ts";
import { type Limits, sweep } from "./lmdb/retention.ts";
import { logClosed, maxPartitions, openStore, shardAt, shardState, shardsOf } from "./lmdb/store.ts";
import { createWriter } from "./lmdb/writer.ts";
import type { EventLog } from "./log.ts";

export interface LmdbLogOptions {
  /** A directory of its own, on a local disk; several processes may open it at once. Made if missing. */
  readonly dir: string;
  readonly clock?: Clock;
  /** 1 to 64, for a new log; an existing one keeps its number, since keys would change partitions. */
  readonly partitions?: number;
  /** Retention of each topic, divided among its partitions. */
  readonly retention?: {
    readonly maxAgeMs?: number;
    readonly maxBytesPerTopic?: number;
    /** Unconsumed messages are kept beyond the other two limits, up to this; then publishing throws `log_full`. */
    readonly maxBacklogBytesPerTopic?: number;
  };
  readonly maxMessageBytes?: number;
  /** Time that `close` waits for consumers to finish their work. */
  readonly closeWithinMs?: number;
}

const mebibyte = 1024 * 1024;
const dayMs = 86_400_000;

/** The embedded log: LMDB in a directory. Throws `log_unavailable`. */
export async function openLmdbLog(options: LmdbLogOptions): Promise<EventLog> {
  const { dir, clock = systemClock, maxMessageBytes = mebibyte, closeWithinMs = 10_000 } = options;
  const store = openStore(dir, checkPartitions(options.partitions ?? 1));
  const limits = toLimits(options.retention ?? {}, store.partitions);
  const notifier = createNotifier(clock);
  const writer = createWriter(store, notifier.notify);
  const consumers = createConsumers({ store, writer, notifier, clock });
  const closing = new AbortController();
  const sweeping = sweep(store, writer, { limits, clock, signal: closing.signal });
  let closed: Promise<void> | undefined;

  const close = async () => {
    const inTime = new AbortController();
    await Promise.race([consumers.stop(), clock.sleep(closeWithinMs, inTime.signal)]);
    inTime.abort();
    closing.abort();
    await sweeping;
    await writer.close();
    await store.close();
  };

  return {
    async publish(messages) {
      store.requireOpen();
      const additions = toAdditions(store, messages, { now: clock.now(), maxMessageBytes });
      if (messages.length === 0) return [];
      return writer.write(additions.bytes, () => append(store, additions, { limits, now: clock.now() }));
    },
    consume(consumerOptions) {
      if (closed !== undefined) throw logClosed();
      return consumers.consume(consumerOptions);
    },
    follow(followOptions) {
      if (closed !== undefined) throw logClosed();
      return consumers.follow(followOptions);
    },
    read(at) {
      const shard = shardAt(store, at.topic, at.partition);
      return readUpTo(store, shard, { from: at.offset, end: shardState(store, shard).end });
    },
    async ends(topic) {
      return shardsOf(store, topic).map((shard) => shardState(store, shard).end);
    },
    close() {
      closed ??= close();
      return closed;
    },
  };
}

function checkPartitions(partitions: number): number {
  if (Number.isInteger(partitions) && partitions >= 1 && partitions <= maxPartitions) return partitions;
  throw new RangeError(`A log cannot have ${partitions} partitions; give a whole number from 1 to ${maxPartitions}.`);
}

function toLimits(retention: NonNullable<LmdbLogOptions["retention"]>, partitions: number): Limits {
  const { maxAgeMs = 7 * dayMs, maxBytesPerTopic = 1024 * mebibyte } = retention;
  const { maxBacklogBytesPerTopic = 4 * maxBytesPerTopic } = retention;
  return {
    maxAgeMs,
    maxBytes: maxBytesPerTopic / partitions,
    maxBacklogBytes: Math.max(maxBacklogBytesPerTopic, maxBytesPerTopic) / partitions,
  };
}
