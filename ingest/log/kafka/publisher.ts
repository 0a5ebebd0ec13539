import { createBatcher } from "../../concurrency/batcher.ts";
import { partitionOf } from "../key-partition.ts";
import { LogError, type NewMessage, type Position } from "../log.ts";
import { logClosed, toLogError } from "./errors.ts";
import { countOfRound, cutPublish, type Outgoing, type Publish, type RoundLimits } from "./rounds.ts";
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

/** Bytes that the protocol adds to a message, approximately. */
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
  const rounds = createBatcher<Publish, Position[] | LogError>({
    work: (round) => sendRound(sender.send, round),
    countNext: (waiting) => countOfRound(waiting, limits),
  });
  /** Bytes of publishes that wait or are being sent. */
  let unsentBytes = 0;
  let isClosed = false;
  const running = new Set<Promise<unknown>>();

  async function enter(publish: Publish): Promise<Position[]> {
    const bytes = publish.messages.reduce((sum, message) => sum + message.bytes, 0);
    unsentBytes += bytes;
    const outcome = await rounds.add(publish).finally(() => {
      unsentBytes -= bytes;
    });
    if (outcome instanceof LogError) throw outcome;
    return outcome;
  }

  /** Publishes in sequence: if the first were refused and the second not, a partition's order would be lost. */
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
      if (unsentBytes > maxWaitingBytes) throw tooMuchWaiting();
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

/**
 * Sends what is published while one round is on its way as the next one; one at a time keeps the order of each partition,
 * whatever has to be sent again. Resolves with the positions of each publish, or with why it was refused.
 */
async function sendRound(
  send: (outgoing: readonly Outgoing[]) => Promise<Position[]>,
  round: readonly Publish[],
): Promise<(Position[] | LogError)[]> {
  try {
    const positions = await send(round.flatMap(({ messages }) => messages));
    let at = 0;
    return round.map(({ messages }) => {
      at += messages.length;
      return positions.slice(at - messages.length, at);
    });
  } catch (error) {
    const known = toLogError(error);
    if (known.code !== "message_too_large" || round.length === 1) return round.map(() => known);
    // Together they may be too large for a topic that others have made, though each alone is not.
    const outcomes: (Position[] | LogError)[] = [];
    for (const publish of round) outcomes.push(...(await sendRound(send, [publish])));
    return outcomes;
  }
}
