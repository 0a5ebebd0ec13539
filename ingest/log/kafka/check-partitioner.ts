import type { Cluster } from "kafkajs";
import pLimit from "p-limit";
import { partitionOf } from "../key-partition.ts";
import { LogError } from "../log.ts";
import { readEnds, readUpTo } from "./read.ts";

/** Messages looked at from the end of each partition back. */
const sampledMessages = 50;
/** In two partitions a different hash puts half of the keys elsewhere; a stray message is no reason to refuse. */
const maxStrayShare = 0.25;

/**
 * Throws `log_unavailable` where the keys of a topic that only the platform writes are spread by another hash: its
 * open calls would not be found again. `topic` is its name on the brokers.
 */
export async function requirePlacement(cluster: Cluster, topic: string, partitions: number): Promise<void> {
  if (partitions === 1) return;
  const places = new Map<string, number>();
  for (const [partition, end] of (await readEnds(cluster, topic, partitions)).entries()) {
    const from = Math.max(0, end - sampledMessages);
    for await (const { key } of readUpTo(cluster, pLimit(1), { topic, partition, from })) places.set(key, partition);
  }
  const strays = [...places].filter(([key, partition]) => partitionOf(key, partitions) !== partition);
  const [stray] = strays;
  if (stray === undefined || strays.length < places.size * maxStrayShare) return;
  throw new LogError(
    "log_unavailable",
    `Of the last ${places.size} keys in "${topic}", ${strays.length} stand in another partition than murmur2 gives them, such as "${stray[0]}" in ${stray[1]}: an earlier version made the topic. Begin with another REDPANDA_TOPIC_PREFIX and an empty warehouse.`,
  );
}
