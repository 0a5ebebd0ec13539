import type { Cluster } from "kafkajs";
import type { LimitFunction } from "p-limit";
import { systemClock } from "../../clock.ts";
import type { FollowOptions, Message } from "../log.ts";
import { untilDone } from "../until-done.ts";
import { withFreshLeaders } from "./connections.ts";
import { type ConsumerHandle, type ConsumerParts, toConsumerHandle } from "./consumer-handle.ts";
import { toLogError } from "./errors.ts";
import { beyondEnd, byLeader, endsOf, fetchFrom, type Place } from "./fetch.ts";
import { workOnAll } from "./partition-workers.ts";

/** Existing messages arrive at once: this is for responses that wait for a leader. */
const maxWaitMs = 100;
/** Attempts at each fetch of a read, which would otherwise start over: the pauses add up to 6 s. */
const fetchAttempts = 7;

/** Returns, for each partition, the offset of its next message. Throws LogErrors. */
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
  while (next < end) {
    const place = { partition, from: next };
    const fetch = () => inTurn(() => fetchOne(cluster, topic, place));
    const answer = await withFreshLeaders(cluster, fetch, fetchAttempts);
    if (answer === undefined) continue;
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

/** Reads all partitions, in no group. */
export function startFollower(parts: ConsumerParts, { topic, from, work }: FollowOptions): ConsumerHandle {
  const stopping = new AbortController();
  const { clock, onTrouble, partitions } = parts;
  const retry = { clock: systemClock, signal: stopping.signal, onTrouble };
  const opened: { cluster?: Cluster } = {};
  const name = parts.nameOf(topic);

  const run = async () => {
    const cluster = await untilDone(retry, parts.connect);
    if (cluster === null) return;
    opened.cluster = cluster;
    const ends = await untilDone(retry, () => readEnds(cluster, name, partitions));
    if (ends === null) return;
    const begin = new Map(ends.map((_, partition) => [partition, from[partition] ?? 0]));
    for (const [partition, offset] of begin) {
      const end = ends[partition] ?? 0;
      const isOffset = Number.isSafeInteger(offset) && offset >= 0 && offset <= end;
      if (!isOffset) throw beyondEnd(`${name}:${partition}`, offset, end);
    }
    await workOnAll({ cluster, topic, name, clock, onTrouble }, { from: begin, stopping }, work);
  };

  return toConsumerHandle(run(), { stopping, cleanUp: async () => opened.cluster?.disconnect().catch(onTrouble) });
}
