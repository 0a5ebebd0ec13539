import { partitionOf } from "../key-partition.ts";
import { LogError, type NewMessage, type Position } from "../log.ts";
import { logClosed, toLogError } from "./errors.ts";
import { countOfRound, cutPublish, type Outgoing, type Publish, type RoundLimits } from "./produce-rounds.ts";
import { createSender, type SenderOptions } from "./sender.ts";

export interface PublisherOptions extends SenderOptions {
  readonly partitions: number;
  readonly maxMessageBytes: number;
}

export interface Publisher {
  publish(messages: readonly NewMessage[]): Promise<Position[]>;
  /** Refuses further messages, and resolves when those accepted are stored. Twice safely. */
  close(): Promise<void>;
}

/** Bytes that the protocol adds to a message, about. */
const overheadBytes = 32;
/** kafkajs copies a batch once for each of its messages: with more of them that costs more than the brokers do. */
const maxBatchMessages = 1000;
const maxRoundBytes = 8 * 1024 * 1024;
/** Bytes that may wait in memory for the brokers. */
const maxWaitingBytes = 256 * 1024 * 1024;

/** Publishes in rounds, and refuses what is too large for one, or comes while too much waits. */
export function createPublisher(options: PublisherOptions): Publisher {
  const { maxMessageBytes } = options;
  const limits: RoundLimits = { maxBatchBytes: maxMessageBytes, maxBatchMessages, maxBytes: maxRoundBytes };
  const sender = createSender(options);
  const rounds = createRoundQueue({ send: sender.send, limits });
  let isClosed = false;
  const running = new Set<Promise<unknown>>();

  /** One after the other: were the first refused and the second not, a partition's order would be lost. */
  async function enterAll(pieces: readonly Publish[]): Promise<Position[]> {
    const positions: Position[] = [];
    for (const piece of pieces) for (const position of await rounds.enter(piece)) positions.push(position);
    return positions;
  }

  return {
    async publish(messages) {
      if (isClosed) throw logClosed();
      const outgoing = messages.map((message) => toOutgoing(message, options));
      if (outgoing.length === 0) return [];
      if (rounds.waitingBytes() > maxWaitingBytes) throw tooMuchWaiting();
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

interface RoundQueueDeps {
  /** Stores a round; where its messages stand, in their order. */
  send(outgoing: readonly Outgoing[]): Promise<Position[]>;
  readonly limits: RoundLimits;
}

interface Job extends Publish {
  readonly bytes: number;
  resolve(positions: Position[]): void;
  reject(error: LogError): void;
}

/**
 * All that is published while one round is on its way shares the next one. One at a time keeps the order of each
 * partition, whatever has to be sent again.
 */
function createRoundQueue({ send, limits }: RoundQueueDeps) {
  let queue: Job[] = [];
  let waitingBytes = 0;
  let isDraining = false;

  async function drain(): Promise<void> {
    isDraining = true;
    // Messages published in the same turn of the event loop go into the same round.
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
      const positions = await send(round.flatMap(({ messages }) => messages));
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

  return {
    /** Bytes that wait in memory or are on their way. */
    waitingBytes: (): number => waitingBytes,

    enter({ messages }: Publish): Promise<Position[]> {
      const bytes = messages.reduce((sum, message) => sum + message.bytes, 0);
      return new Promise((resolve, reject) => {
        queue.push({ messages, bytes, resolve, reject });
        waitingBytes += bytes;
        if (!isDraining) void drain();
      });
    },
  };
}
