import type { NewMessage } from "./log.ts";

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

/** What is sent at once: of each partition one batch, which the brokers store whole or not at all. */
export interface RoundLimits {
  readonly maxBatchBytes: number;
  readonly maxBatchMessages: number;
  readonly maxBytes: number;
}

/** How many publishes from the head of the queue share the next round: one at least, even if it alone is too large. */
export function countOfRound(queue: readonly Publish[], limits: RoundLimits): number {
  const batches = new Map<string, { bytes: number; messages: number }>();
  let bytes = 0;
  for (const [index, { messages }] of queue.entries()) {
    for (const message of messages) {
      const batch = add(batches, message);
      bytes += message.bytes;
      const fits =
        bytes <= limits.maxBytes && batch.bytes <= limits.maxBatchBytes && batch.messages <= limits.maxBatchMessages;
      if (!fits) return Math.max(1, index);
    }
  }
  return queue.length;
}

/** Cuts the messages of a publish so that each piece fits into a round. */
export function cutPublish(messages: readonly Outgoing[], limits: RoundLimits): Publish[] {
  const pieces: Outgoing[][] = [[]];
  let batches = new Map<string, { bytes: number; messages: number }>();
  let bytes = 0;
  for (const message of messages) {
    let piece = pieces.at(-1) ?? [];
    const batch = add(batches, message);
    bytes += message.bytes;
    const fits =
      bytes <= limits.maxBytes && batch.bytes <= limits.maxBatchBytes && batch.messages <= limits.maxBatchMessages;
    if (!fits && piece.length > 0) {
      piece = [];
      pieces.push(piece);
      batches = new Map();
      add(batches, message);
      bytes = message.bytes;
    }
    piece.push(message);
  }
  return pieces.map((piece) => ({ messages: piece }));
}

function add(batches: Map<string, { bytes: number; messages: number }>, { message, partition, bytes }: Outgoing) {
  const name = `${message.topic}/${partition}`;
  const batch = batches.get(name) ?? { bytes: 0, messages: 0 };
  batches.set(name, batch);
  batch.bytes += bytes;
  batch.messages += 1;
  return batch;
}
