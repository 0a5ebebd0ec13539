import type { Cluster } from "kafkajs";
import { LogError, type PartitionFollower, type PartitionReader, type Topic } from "../log.ts";
import type { PartitionBuffer } from "./buffer.ts";
import type { Coordinator } from "./coordinator.ts";
import { beyondEnd } from "./fetch.ts";
import type { Generation } from "./group.ts";
import { commitOffset, committedOffsets } from "./offsets.ts";
import { readEnds } from "./read.ts";
import type { ConsumerParts } from "./started.ts";

interface ReaderParts {
  readonly parts: Pick<ConsumerParts, "nameOf" | "partitions" | "requireOpen">;
  readonly cluster: Cluster;
  readonly coordinator: Coordinator;
  readonly generation: Generation;
}

/** What a member of a group may do beyond following: only as long as its generation lasts, which the brokers watch over. */
export function toPartitionReader(
  { parts, cluster, coordinator, generation }: ReaderParts,
  follower: PartitionFollower,
  buffer: PartitionBuffer,
): PartitionReader {
  const { partition } = follower;
  const name = (topic: Topic = follower.topic) => parts.nameOf(topic);
  return {
    ...follower,
    async commit(offset, topic) {
      parts.requireOpen();
      requireOffset(offset);
      const isOwn = topic === undefined || topic === follower.topic;
      // What has been read is there; only beyond that the brokers must be asked.
      if (isOwn && offset > buffer.position()) {
        const end = (await readEnds(cluster, name(), parts.partitions))[partition] ?? 0;
        if (offset > end) throw beyondEnd(`${name()}:${partition}`, offset, end);
      }
      await commitOffset(coordinator, generation, { topic: name(topic), partition, offset });
    },
    async committed(topic) {
      parts.requireOpen();
      return (await committedOffsets(coordinator, name(topic), [partition])).get(partition) ?? 0;
    },
    // Whether it is beyond the end, the next fetch tells.
    seek(offset) {
      requireOffset(offset);
      buffer.seek(offset);
    },
  };
}

function requireOffset(offset: number): void {
  if (Number.isSafeInteger(offset) && offset >= 0) return;
  throw new LogError("bad_position", `${offset} is not an offset; give a whole number from 0 on.`);
}
