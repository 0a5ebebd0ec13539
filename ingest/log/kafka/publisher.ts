import {
  CompressionTypes,
  type Kafka,
  type Message as OutgoingMessage,
  type Producer,
  type RecordMetadata,
} from "kafkajs";
import type { Clock } from "../../clock.ts";
import { partitionOf } from "../key-partition.ts";
import { LogError, type NewMessage, type Position } from "../log.ts";
import { toOffset } from "./answer.ts";
import { logClosed, toLogError } from "./errors.ts";
import { countOfRound, cutPublish, type Outgoing, type Publish, type RoundLimits } from "./rounds.ts";
import type { NameTopic } from "./topics.ts";

export interface PublisherOptions {
  readonly kafka: Kafka;
  readonly nameOf: NameTopic;
  readonly partitions: number;
  readonly maxMessageBytes: number;
  readonly clock: Clock;
}

export interface Publisher {
  publish(messages: readonly NewMessage[]): Promise<Position[]>;
  /** Refuses further messages, and resolves when those accepted are stored. Twice safely. */
  close(): Promise<void>;
}

/** What the protocol adds to a message, about. */
const overheadBytes = 32;
/** kafkajs copies a batch once for each of its messages: with more of them that costs more than the brokers do. */
const maxBatchMessages = 1000;
const maxRoundBytes = 8 * 1024 * 1024;
/** What may wait in memory for the brokers. */
const maxWaitingBytes = 256 * 1024 * 1024;

/** Together 6 s, and as much for the steps between: in which a partition whose broker has gone gets another leader. */
const retry = { retries: 7, initialRetryTime: 100, maxRetryTime: 1500 };

interface Job extends Publish {
  readonly bytes: number;
  resolve(positions: Position[]): void;
  reject(error: LogError): void;
}

/**
 * All that is published while one round is on its way shares the next one. One at a time keeps the order of each
 * partition, whatever has to be sent again; the brokers know a batch that they have stored already by its number.
 */
export function createPublisher(options: PublisherOptions): Publisher {
  const { maxMessageBytes } = options;
  const limits: RoundLimits = { maxBatchBytes: maxMessageBytes, maxBatchMessages, maxBytes: maxRoundBytes };
  const sender = createSender(options);
  let queue: Job[] = [];
  let waitingBytes = 0;
  let isDraining = false;
  let isClosed = false;
  const running = new Set<Promise<unknown>>();

  async function drain(): Promise<void> {
    isDraining = true;
    // What is published in the same turn goes into the same round.
    await Promise.resolve();
    while (queue.length > 0) {
      const count = countOfRound(queue, limits);
      const round = queue.slice(0, count);
      queue = queue.slice(count);
      await sendRound(round);
      for (const job of round) waitingBytes -= job.bytes;
    }
    isDraining = false;
  }

  async function sendRound(round: readonly Job[]): Promise<void> {
    try {
      const positions = await sender.send(round.flatMap(({ messages }) => messages));
      let at = 0;
      for (const { messages, resolve } of round) {
        resolve(positions.slice(at, at + messages.length));
        at += messages.length;
      }
    } catch (error) {
      const known = toLogError(error);
      // Together they may be too large for a topic that others have made, though each alone is not.
      if (known.code === "message_too_large" && round.length > 1) for (const job of round) await sendRound([job]);
      else for (const { reject } of round) reject(known);
    }
  }

  function enter({ messages }: Publish): Promise<Position[]> {
    const bytes = messages.reduce((sum, message) => sum + message.bytes, 0);
    return new Promise((resolve, reject) => {
      queue.push({ messages, bytes, resolve, reject });
      waitingBytes += bytes;
      if (!isDraining) void drain();
    });
  }

  /** One after the other: were the first refused and the second not, a partition's order would be lost. */
  async function enterAll(pieces: readonly Publish[]): Promise<Position[]> {
    const positions: Position[] = [];
    for (const piece of pieces) for (const position of await enter(piece)) positions.push(position);
    return positions;
  }

  return {
    async publish(messages) {
      if (isClosed) throw logClosed();
      const outgoing = messages.map((message) => toOutgoing(message, options));
      if (outgoing.length === 0) return [];
      if (waitingBytes > maxWaitingBytes) throw tooMuchWaiting();
      const publishing = enterAll(cutPublish(outgoing, limits));
      const settled: Promise<unknown> = publishing.catch(() => undefined).finally(() => running.delete(settled));
      running.add(settled);
      return publishing;
    },
    async close() {
      isClosed = true;
      await Promise.all(running);
      await sender.close();
    },
  };
}

/** Throws `message_too_large`. */
function toOutgoing(message: NewMessage, { partitions, maxMessageBytes }: PublisherOptions): Outgoing {
  const bytes = Buffer.byteLength(message.key) + Buffer.byteLength(message.value);
  if (bytes > maxMessageBytes) throw tooLarge(message, bytes, maxMessageBytes);
  return { message, partition: partitionOf(message.key, partitions), bytes: bytes + overheadBytes };
}

function createSender({ kafka, nameOf, clock }: PublisherOptions) {
  let producer: Promise<Producer> | null = null;

  const open = async (): Promise<Producer> => {
    const opened = kafka.producer({
      ...{ idempotent: true, allowAutoTopicCreation: false, retry },
      createPartitioner:
        () =>
        ({ message }) =>
          message.partition ?? 0,
    });
    await opened.connect();
    return opened;
  };

  /**
   * After a failure the numbers of batches are as they were before it, though a broker may have stored the batch: the
   * next one would be taken for that, acknowledged and dropped. So a producer that has failed is never used again.
   */
  const discard = (): void => {
    const old = producer;
    producer = null;
    old?.then((opened) => opened.disconnect()).catch(() => undefined);
  };

  return {
    async send(outgoing: readonly Outgoing[]): Promise<Position[]> {
      producer ??= open();
      try {
        const stored = await (await producer).sendBatch({
          ...{ acks: -1, compression: CompressionTypes.GZIP },
          topicMessages: toTopicMessages(outgoing, { nameOf, now: clock.now() }),
        });
        return toPositions(outgoing, stored, nameOf);
      } catch (error) {
        discard();
        throw error;
      }
    },
    async close() {
      const opened = await producer?.catch(() => null);
      await opened?.disconnect();
    },
  };
}

function toTopicMessages(outgoing: readonly Outgoing[], { nameOf, now }: { nameOf: NameTopic; now: number }) {
  const byTopic = new Map<string, OutgoingMessage[]>();
  for (const { message, partition } of outgoing) {
    const { key, value } = message;
    const topic = nameOf(message.topic);
    const messages = byTopic.get(topic) ?? [];
    byTopic.set(topic, messages);
    messages.push({ key, value, partition, timestamp: String(now) });
  }
  return [...byTopic].map(([topic, messages]) => ({ topic, messages }));
}

/** A batch stands in its partition in one piece, from its base on. */
function toPositions(outgoing: readonly Outgoing[], stored: readonly RecordMetadata[], nameOf: NameTopic): Position[] {
  const next = new Map(
    stored.map((each) => [`${each.topicName}:${each.partition}`, toOffset(each.baseOffset ?? "-1")]),
  );
  return outgoing.map(({ message: { topic }, partition }) => {
    const place = `${nameOf(topic)}:${partition}`;
    const offset = next.get(place) ?? -1;
    if (offset < 0) throw new LogError("log_unavailable", `The brokers do not tell where ${place} has its messages.`);
    next.set(place, offset + 1);
    return { topic, partition, offset };
  });
}

const tooLarge = ({ topic }: NewMessage, bytes: number, most: number) =>
  new LogError(
    "message_too_large",
    `A message for "${topic}" has ${bytes} bytes, but the log takes at most ${most}. Shorten it, or raise the limit.`,
  );

const tooMuchWaiting = () =>
  new LogError(
    "log_unavailable",
    `More than ${maxWaitingBytes / 1024 / 1024} MiB wait for the brokers. Wait for earlier publishes before publishing more.`,
  );
