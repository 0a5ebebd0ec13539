import type { LogError, Position } from "../log.ts";
import { toLogError } from "./errors.ts";
import { countOfRound, type Outgoing, type Publish, type RoundLimits } from "./rounds.ts";

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
export function createRoundQueue({ send, limits }: RoundQueueDeps) {
  let queue: Job[] = [];
  let waitingBytes = 0;
  let isDraining = false;

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
    /** What waits in memory, and what is on its way. */
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
