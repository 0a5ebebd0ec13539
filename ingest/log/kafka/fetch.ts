import type { Cluster } from "kafkajs";
import { LogError } from "../log.ts";
import { kafkaTypeOf } from "./errors.ts";
import { type Answer, type FetchedPartition, toAnswer, toOffset } from "./fetch-response.ts";

/** The offset to fetch from in one partition of a topic. */
export interface Place {
  readonly partition: number;
  readonly from: number;
}

export interface FetchRequest {
  /** The topic's name on the brokers. */
  readonly topic: string;
  readonly places: readonly Place[];
  /** Time that the brokers wait for a first message. */
  readonly maxWaitMs: number;
}

/** Bytes of one partition in one response, but at least a whole batch. */
const maxBytesPerPartition = 1024 * 1024;
const maxBytesPerFetch = 16 * 1024 * 1024;

/** kafkajs tells earlier from later by these. */
const latest = { fromTimestamp: -1 } as const;
const earliest = { fromTimestamp: -2 } as const;

/** Groups partitions by their leaders. Throws kafkajs' errors. */
export function byLeader(cluster: Cluster, topic: string, places: readonly Place[]): Map<string, Place[]> {
  const leaders = cluster.findLeaderForPartitions(
    topic,
    places.map(({ partition }) => partition),
  );
  return new Map(
    Object.entries(leaders).map(([node, led]) => [node, places.filter(({ partition }) => led.includes(partition))]),
  );
}

/**
 * Fetches messages of committed transactions from one broker; only partitions with a response are in the result.
 * Offsets that retention has removed are skipped. Throws kafkajs' errors, and `bad_position` for an offset beyond the
 * end.
 */
export async function fetchFrom(cluster: Cluster, node: string, request: FetchRequest): Promise<Map<number, Answer>> {
  const { topic, places } = request;
  try {
    const answers = await ask(cluster, node, request);
    for (const place of places) {
      const answer = answers.get(place.partition);
      if (answer === undefined || answer.next > place.from || answer.end <= place.from) continue;
      for (const [partition, next] of await passOver(cluster, node, request, { place, answer })) {
        answers.set(partition, next);
      }
    }
    return answers;
  } catch (error) {
    if (kafkaTypeOf(error) !== "OFFSET_OUT_OF_RANGE") throw error;
    const answers = await skipRemoved(cluster, topic, places);
    if (answers.size === 0) throw error;
    return answers;
  }
}

async function ask(cluster: Cluster, node: string, { topic, maxWaitMs, places }: FetchRequest) {
  const broker = await cluster.findBroker({ nodeId: node });
  const partitions = places.map(({ partition, from }) => ({
    partition,
    fetchOffset: String(from),
    maxBytes: maxBytesPerPartition,
  }));
  const { responses }: FetchResponse = await broker.fetch({
    replicaId: -1,
    isolationLevel: readCommitted,
    maxWaitTime: maxWaitMs,
    minBytes: 1,
    maxBytes: maxBytesPerFetch,
    topics: [{ topic, partitions }],
  });
  const fetched = responses.flatMap((response) => response.partitions);
  return new Map(fetched.map((each) => [each.partition, toAnswer(each, fromOf(places, each.partition))]));
}

/**
 * Nothing came though there is more. Beside others, the answer may have had no room left: asked alone, a partition gets
 * a whole batch at least. If that is nothing too, compaction has left a batch without messages: one offset is passed
 * over at a time, as the protocol does not tell where it ends.
 */
async function passOver(
  cluster: Cluster,
  node: string,
  request: FetchRequest,
  { place, answer }: { place: Place; answer: Answer },
): Promise<Map<number, Answer>> {
  if (request.places.length === 1) return new Map([[place.partition, { ...answer, next: place.from + 1 }]]);
  return fetchFrom(cluster, node, { ...request, maxWaitMs: 0, places: [place] });
}

/** The protocol's number for it. */
const readCommitted = 1;

interface FetchResponse {
  readonly responses: readonly { readonly topicName: string; readonly partitions: readonly FetchedPartition[] }[];
}

const fromOf = (places: readonly Place[], partition: number): number =>
  places.find((place) => place.partition === partition)?.from ?? 0;

/** Answers without messages, that lead on to the first message that is still there. */
async function skipRemoved(cluster: Cluster, topic: string, places: readonly Place[]): Promise<Map<number, Answer>> {
  const partitions = places.map(({ partition }) => partition);
  const starts = await offsetsOf(cluster, topic, { partitions, ...earliest });
  const ends = await offsetsOf(cluster, topic, { partitions, ...latest });
  const answers = new Map<number, Answer>();
  for (const { partition, from } of places) {
    const start = starts.get(partition) ?? 0;
    const end = ends.get(partition) ?? 0;
    if (from > end) throw beyondEnd(`${topic}:${partition}`, from, end);
    if (from < start) answers.set(partition, { messages: [], next: start, end });
  }
  return answers;
}

/** Returns, for each partition, the offset of its next message; open transactions lie behind it. */
export const endsOf = (
  cluster: Cluster,
  topic: string,
  partitions: readonly number[],
): Promise<ReadonlyMap<number, number>> => offsetsOf(cluster, topic, { partitions, ...latest });

async function offsetsOf(
  cluster: Cluster,
  topic: string,
  { partitions, fromTimestamp }: { partitions: readonly number[]; fromTimestamp: number },
): Promise<ReadonlyMap<number, number>> {
  const wanted = partitions.map((partition) => ({ partition }));
  const [found] = await cluster.fetchTopicsOffset([{ topic, partitions: wanted, fromTimestamp }]);
  return new Map((found?.partitions ?? []).map(({ partition, offset }) => [partition, toOffset(offset)]));
}

export const beyondEnd = (place: string, offset: number, end: number) =>
  new LogError(
    "bad_position",
    `${offset} is not an offset of ${place}: give a whole number from 0 to ${end}. If a group has committed it, the log is another one, or has lost its end: set the group's offsets anew.`,
  );
