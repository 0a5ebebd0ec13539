import type { Clock } from "../../clock.ts";
import { createNotifier } from "../../notifier.ts";
import type { EventLog, PartitionReader, Topic } from "../log.ts";
import { createCursor } from "./reader.ts";
import { openSharedStore, shardAt, shardState, shardsOf } from "./store.ts";

interface Partition {
  readonly topic: Topic;
  readonly partition: number;
  readonly signal: AbortSignal;
}

/** Reads a log that another thread of this process has open and writes to. New messages are found by polling. */
export interface SharedReader extends Pick<EventLog, "ends"> {
  /** Reads a partition forward, from 0 on unless told otherwise. */
  read(partition: Partition): Pick<PartitionReader, "next" | "seek">;
  close(): Promise<void>;
}

export function openSharedReader({ dir, clock }: { readonly dir: string; readonly clock: Clock }): SharedReader {
  const store = openSharedStore(dir);
  const parts = { store, clock, notifier: createNotifier(clock) };
  return {
    read({ topic, partition, signal }) {
      const { follower, moveTo } = createCursor(parts, { shard: shardAt(store, topic, partition), signal, from: 0 });
      return { next: follower.next, seek: moveTo };
    },
    ends: async (topic) => shardsOf(store, topic).map((shard) => shardState(store, shard).end),
    close: () => store.close(),
  };
}
