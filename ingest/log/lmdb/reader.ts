import { setImmediate as giveWay } from "node:timers/promises";
import type { Clock } from "../../clock.ts";
import type { Notifier } from "../../notifier.ts";
import {
  type Batch,
  type BatchLimits,
  LogError,
  type Message,
  type PartitionFollower,
  type PartitionReader,
  type Topic,
} from "../log.ts";
import { readChunk } from "./chunk.ts";
import { committedOffset, putCommittedOffset, type Shard, type Store, shardAt, shardState } from "./store.ts";
import type { Writer } from "./writer.ts";

/** Polling interval for messages of other processes; messages of this process wake the reader at once. */
const pollMs = 50;

export interface ReaderParts {
  readonly store: Store;
  readonly writer: Writer;
  readonly notifier: Notifier;
  readonly clock: Clock;
}

export function createReader(
  parts: ReaderParts,
  at: { shard: Shard; group: string; signal: AbortSignal },
): PartitionReader {
  const { store, writer } = parts;
  const { shard, group, signal } = at;
  const shardOf = (topic: Topic = shard.topic) => shardAt(store, topic, shard.partition);
  const { follower, moveTo } = createCursor(parts, { shard, signal, from: committedOffset(store, shard, group) ?? 0 });
  return {
    ...follower,
    async commit(offset, topic) {
      const target = shardOf(topic);
      await writer.write(0, () => {
        const refused = checkOffset(offset, shardState(store, target).end);
        if (!refused) putCommittedOffset(store, target, group, offset);
        return refused;
      });
    },
    async committed(topic) {
      return committedOffset(store, shardOf(topic), group) ?? 0;
    },
    seek(offset) {
      let refused = checkOffset(offset, shardState(store, shard).end);
      if (refused) {
        // One turn of the event loop keeps one view of the log: another thread may have read what came since.
        store.root.resetReadTxn();
        refused = checkOffset(offset, shardState(store, shard).end);
      }
      if (refused) throw refused;
      moveTo(offset);
    },
  };
}

interface Place {
  readonly shard: Shard;
  readonly signal: AbortSignal;
  readonly from: number;
}

/** Throws `bad_position`. */
export function createFollower(parts: ReaderParts, place: Place): PartitionFollower {
  const refused = checkOffset(place.from, shardState(parts.store, place.shard).end);
  if (refused) throw refused;
  return createCursor(parts, place).follower;
}

/** A cursor that reads a partition forward and can seek. */
export function createCursor(parts: Omit<ReaderParts, "writer">, { shard, signal, from }: Place) {
  let position = from;
  const follower: PartitionFollower = {
    topic: shard.topic,
    partition: shard.partition,
    signal,
    async next(limits) {
      const { batch, next } = await gather(parts, { shard, signal, from: position }, limits);
      position = next;
      return batch;
    },
  };
  return {
    follower,
    moveTo(offset: number): void {
      position = offset;
    },
  };
}

function checkOffset(offset: number, end: number): LogError | undefined {
  if (Number.isSafeInteger(offset) && offset >= 0 && offset <= end) return undefined;
  return new LogError(
    "bad_position",
    `${offset} is not an offset of this partition; give a whole number from 0 to ${end}.`,
  );
}

/** Nothing is taken from the partition until the batch is returned: an abort on the way loses nothing. */
async function gather(
  { store, notifier, clock }: Omit<ReaderParts, "writer">,
  at: { shard: Shard; signal: AbortSignal; from: number },
  limits: BatchLimits,
): Promise<{ batch: Batch; next: number }> {
  const messages: Message[] = [];
  let bytes = 0;
  let next = at.from;
  let deadline = clock.now() + limits.waitMs;
  while (!at.signal.aborted) {
    const chunk = readChunk(store, at.shard, next, {
      maxMessages: limits.maxMessages - messages.length,
      maxBytes: limits.maxBytes - bytes,
      atLeastOne: messages.length === 0,
    });
    if (messages.length === 0 && chunk.messages.length > 0) deadline = limits.gatherUntil ?? 0;
    for (const message of chunk.messages) messages.push(message);
    bytes += chunk.bytes;
    next = chunk.next;
    const caughtUp = next >= chunk.end;
    const waitMs = deadline - clock.now();
    if (chunk.full || (caughtUp && waitMs <= 0)) return { batch: { messages, caughtUp }, next };
    if (caughtUp) await notifier.wait(Math.min(pollMs, waitMs), { signal: at.signal });
    else await giveWay();
  }
  return { batch: { messages: [], caughtUp: false }, next: at.from };
}

/** Gives way between chunks, and holds no transaction meanwhile, so that a slow reader does not keep pages from reuse. */
export async function* readUpTo(
  store: Store,
  shard: Shard,
  { from, end }: { from: number; end: number },
): AsyncGenerator<Message> {
  let next = from;
  while (next < end) {
    const limits = { maxMessages: end - next, maxBytes: Number.POSITIVE_INFINITY, atLeastOne: true };
    const chunk = readChunk(store, shard, next, limits);
    for (const message of chunk.messages) {
      if (message.offset >= end) return;
      yield message;
    }
    next = chunk.next;
    await giveWay();
  }
}
