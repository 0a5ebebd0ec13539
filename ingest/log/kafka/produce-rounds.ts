import type { NewMessage } from "../log.ts";

/** A message on its way. */
export interface Outgoing {
  readonly message: NewMessage;
  readonly partition: number;
  readonly bytes: number;
}

/** The messages of one publish, in order; a large one is cut into several that follow each other. */
export interface Publish {
  readonly messages: readonly Outgoing[];
}

/** Bounds of one send: one batch for each partition, which the brokers store completely or not at all. */
export interface RoundLimits {
  readonly maxBatchBytes: number;
  readonly maxBatchMessages: number;
  readonly maxBytes: number;
}

/**
 * Returns how many publishes from the head of the queue fit into the next round: at least one, even if it is too large
 * alone.
 */
export function countOfRound(queue: readonly Publish[], limits: RoundLimits): number {
  const room = createRoom(limits);
  for (const [index, { messages }] of queue.entries()) {
    for (const message of messages) if (!room.takes(message)) return Math.max(1, index);
  }
  return queue.length;
}

/** Cuts the messages of a publish so that each piece fits into a round. */
export function cutPublish(messages: readonly Outgoing[], limits: RoundLimits): Publish[] {
  const pieces: Outgoing[][] = [];
  let room = createRoom(limits);
  for (const message of messages) {
    const piece = room.takes(message) ? pieces.at(-1) : undefined;
    if (piece !== undefined) piece.push(message);
    else {
      pieces.push([message]);
      room = createRoom(limits);
      room.takes(message);
    }
  }
  return pieces.map((piece) => ({ messages: piece }));
}

function createRoom({ maxBytes, maxBatchBytes, maxBatchMessages }: RoundLimits) {
  const batches = new Map<string, { bytes: number; messages: number }>();
  let total = 0;
  return {
    /** Counts the message in, and tells whether all so far fit. */
    takes({ message: { topic }, partition, bytes }: Outgoing): boolean {
      const name = `${topic}/${partition}`;
      const batch = batches.get(name) ?? { bytes: 0, messages: 0 };
      batches.set(name, batch);
      batch.bytes += bytes;
      batch.messages += 1;
      total += bytes;
      return total <= maxBytes && batch.bytes <= maxBatchBytes && batch.messages <= maxBatchMessages;
    },
  };
}
