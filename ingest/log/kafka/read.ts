import type { Cluster } from "kafkajs";
import type { LimitFunction } from "p-limit";
import { systemClock } from "../../clock.ts";
import type { Message } from "../log.ts";
import { withFreshLeaders } from "./client.ts";
import { toLogError } from "./errors.ts";
import { byLeader, endsOf, fetchFrom, type Place } from "./fetch.ts";

/** What is there comes at once: this is for answers that have to wait for a leader. */
const maxWaitMs = 100;
/** How often in a row a read goes on after a failed fetch. */
const maxRetries = 5;

/** For each of the partitions the offset that its next message will get. Throws LogErrors. */
export async function readEnds(cluster: Cluster, topic: string, partitions: number): Promise<number[]> {
  const all = Array.from({ length: partitions }, (_, partition) => partition);
  return withFreshLeaders(cluster, async () => {
    const ends = await endsOf(cluster, topic, all);
    return all.map((partition) => ends.get(partition) ?? missingLeader(topic, partition));
  });
}

export interface ReadPlace extends Place {
  /** The topic's name on the brokers. */
  readonly topic: string;
}

/**
 * The messages from `from` on that are there when it begins. `inTurn` lets one fetch after the other go by connections
 * that are shared: brokers answer in that order anyway, and kafkajs would open one for each that finds none open. Throws
 * LogErrors.
 */
export async function* readUpTo(
  cluster: Cluster,
  inTurn: LimitFunction,
  { topic, partition, from }: ReadPlace,
): AsyncGenerator<Message> {
  const ends = await withFreshLeaders(cluster, () => endsOf(cluster, topic, [partition]));
  const end = ends.get(partition) ?? missingLeader(topic, partition);
  let next = from;
  let failures = 0;
  while (next < end) {
    const fetch = () => fetchOne(cluster, topic, { partition, from: next });
    const answer = await inTurn(fetch).catch(async (error: unknown) => {
      if (++failures > maxRetries) throw toLogError(error);
      await systemClock.sleep(100 * 2 ** failures);
      await cluster.refreshMetadata().catch(() => undefined);
      return undefined;
    });
    if (answer === undefined) continue;
    failures = 0;
    for (const { message } of answer.messages) {
      if (message.offset >= end) return;
      yield message;
    }
    next = answer.next;
  }
}

async function fetchOne(cluster: Cluster, topic: string, place: { partition: number; from: number }) {
  const [leader] = byLeader(cluster, topic, [place]);
  if (leader === undefined) return missingLeader(topic, place.partition);
  const [node] = leader;
  return (await fetchFrom(cluster, node, { topic, maxWaitMs, places: [place] })).get(place.partition);
}

function missingLeader(topic: string, partition: number): never {
  throw toLogError(new Error(`${topic}:${partition} has no leader`));
}
