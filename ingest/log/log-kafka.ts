import pLimit from "p-limit";
import { type Clock, systemClock } from "../clock.ts";
import type { GroupEvent } from "./group-event.ts";
import { requirePlacement } from "./kafka/check-partitioner.ts";
import { createClient, type KafkaAddress } from "./kafka/client.ts";
import { openConnections } from "./kafka/connections.ts";
import { startConsumer } from "./kafka/consumer.ts";
import type { ConsumerHandle, ConsumerParts } from "./kafka/consumer-handle.ts";
import { logClosed } from "./kafka/errors.ts";
import { within } from "./kafka/partition-workers.ts";
import { createPublisher } from "./kafka/publisher.ts";
import { readEnds, readUpTo, startFollower } from "./kafka/read.ts";
import { defaultSession, type SessionTerms } from "./kafka/session.ts";
import { ensureTopics, type TopicTerms } from "./kafka/topics.ts";
import {
  type ConsumeOptions,
  type Consumer,
  type EventLog,
  type FollowOptions,
  LogError,
  type Topic,
  topics,
} from "./log.ts";

export interface KafkaLogOptions extends KafkaAddress {
  readonly clock?: Clock;
  /** Stands before the names of topics and groups, so that several platforms may share the brokers. */
  readonly prefix?: string;
  /** Partitions of topics that are created; all topics have the same number. */
  readonly partitions?: number;
  /** For topics that are created; default: the cluster's own. */
  readonly replicationFactor?: number;
  /** For topics that are created: retention of each, divided among its partitions, whether consumed or not. */
  readonly retention?: { readonly maxAgeMs?: number; readonly maxBytesPerTopic?: number };
  readonly maxMessageBytes?: number;
  readonly session?: Partial<SessionTerms>;
  /** Time that `close` waits for consumers to finish their work, and then for pending publishes. */
  readonly closeWithinMs?: number;
  /** Receives the brokers' errors; consumers keep trying. */
  onTrouble?(error: unknown): void;
  onGroupEvent?(event: GroupEvent): void;
}

const mebibyte = 1024 * 1024;
const dayMs = 86_400_000;
const troubleEveryMs = 1_000;

/**
 * The log on Redpanda, or on whatever speaks Kafka's protocol. Makes the topics that are missing. Throws
 * `log_unavailable`, also for topics whose keys were spread over partitions by another hash.
 */
export async function openKafkaLog(options: KafkaLogOptions): Promise<EventLog> {
  const { clock = systemClock, prefix = "trunkline.", closeWithinMs = 10_000 } = options;
  const onTrouble = throttleErrors(options.onTrouble ?? (() => undefined));
  const terms = toTerms(options);
  const kafka = createClient(options);
  const nameOf = (topic: Topic): string => `${prefix}${topic}`;
  const partitions = await ensureTopics(kafka, nameOf, terms);
  const connect = () => openConnections(kafka, topics.map(nameOf));
  const shared = await connect();
  await requirePlacement(shared, nameOf("call-events"), partitions).catch(async (error: unknown) => {
    await shared.disconnect();
    throw error;
  });
  const inTurn = pLimit(1);
  const { maxMessageBytes } = terms;
  const publisher = createPublisher({ kafka, nameOf, partitions, maxMessageBytes, clock });
  const session = { ...defaultSession, ...options.session };
  let isOver = false;
  const consumers = createConsumers({
    connect,
    nameOf,
    groupPrefix: prefix,
    partitions,
    session,
    clock,
    onTrouble,
    onGroupEvent: options.onGroupEvent ?? (() => undefined),
    requireOpen() {
      if (isOver) throw logClosed();
    },
  });
  let closed: Promise<void> | undefined;

  const close = async () => {
    await within(closeWithinMs, consumers.stop());
    isOver = true;
    await within(closeWithinMs, publisher.close());
    await within(closeWithinMs, shared.disconnect());
  };
  const requireOpen = () => {
    if (closed !== undefined) throw logClosed();
  };

  return {
    publish: publisher.publish,
    consume(consumeOptions) {
      requireOpen();
      return consumers.consume(consumeOptions);
    },
    follow(followOptions) {
      requireOpen();
      return consumers.follow(followOptions);
    },
    read({ topic, partition, offset }) {
      if (isOver) throw logClosed();
      requirePartition(partition, partitions);
      return readUpTo(shared, inTurn, { topic: nameOf(topic), partition, from: offset });
    },
    async ends(topic) {
      if (isOver) throw logClosed();
      return readEnds(shared, nameOf(topic), partitions);
    },
    close() {
      closed ??= close();
      return closed;
    },
  };
}

function createConsumers(parts: ConsumerParts) {
  const running = new Map<Consumer, Promise<void>>();
  const add = ({ consumer, closed }: ConsumerHandle): Consumer => {
    running.set(consumer, closed);
    void closed.then(() => running.delete(consumer));
    return consumer;
  };
  return {
    consume: (options: ConsumeOptions): Consumer => add(startConsumer(parts, options)),
    follow: (options: FollowOptions): Consumer => add(startFollower(parts, options)),
    /** Stops them all, and resolves when all work has returned and all connections are closed. */
    async stop(): Promise<void> {
      const all = [...running].flatMap(([consumer, closed]) => [consumer.stop(), closed]);
      await Promise.all(all);
    },
  };
}

/** Throttles errors: without brokers each consumer fails several times a second. */
function throttleErrors(report: (error: unknown) => void): (error: unknown) => void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (Date.now() - reportedAt < troubleEveryMs) return;
    reportedAt = Date.now();
    report(error);
  };
}

function toTerms({ partitions = 6, replicationFactor, retention = {}, maxMessageBytes = mebibyte }: KafkaLogOptions) {
  const { maxAgeMs = 7 * dayMs, maxBytesPerTopic } = retention;
  const terms: TopicTerms = {
    partitions,
    maxAgeMs,
    maxMessageBytes,
    maxBytesPerTopic: maxBytesPerTopic ?? null,
    replicationFactor: replicationFactor ?? null,
  };
  return terms;
}

function requirePartition(partition: number, partitions: number): void {
  if (Number.isInteger(partition) && partition >= 0 && partition < partitions) return;
  throw new LogError(
    "bad_position",
    `There is no partition ${partition}; give a whole number from 0 to ${partitions - 1}.`,
  );
}
