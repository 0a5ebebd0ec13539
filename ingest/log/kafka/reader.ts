import type { Clock } from "../../clock.ts";
import type { Bell } from "../bell.ts";
import type { Batch, BatchLimits, Message } from "../log.ts";
import type { PartitionBuffer } from "./buffer.ts";
import { maxWaitMs } from "./fetcher.ts";

/** An answer older than this may miss what was published since: a broker that is there gives four a second. */
const freshMs = 4 * maxWaitMs;

export interface GatherParts {
  readonly buffer: PartitionBuffer;
  readonly bell: Bell;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * The next batch, as the port's `next` has it. That nothing had come is said of a fresh answer only; while brokers are
 * gone there is none, and the batch tells that by `caughtUp`, a moment after `waitMs`.
 */
export async function gather({ buffer, bell, clock, signal }: GatherParts, limits: BatchLimits): Promise<Batch> {
  const messages: Message[] = [];
  let bytes = 0;
  let deadline = clock.now() + limits.waitMs;
  const begun = Date.now();
  while (!signal.aborted) {
    const isFirst = messages.length === 0;
    const wanted = buffer.wants();
    const room = { maxMessages: limits.maxMessages, maxBytes: limits.maxBytes - bytes };
    const drained = buffer.drainInto(messages, room);
    bytes += drained.bytes;
    if (wanted === null && buffer.wants() !== null) bell.ring();
    if (isFirst && messages.length > 0) deadline = clock.now() + (limits.lingerMs ?? 0);
    if (drained.full) return { messages, caughtUp: buffer.caughtUp() };
    const waitMs = deadline - clock.now();
    if (waitMs <= 0 && (messages.length > 0 || isSettled(buffer, begun))) {
      return { messages, caughtUp: buffer.caughtUp() && isFresh(buffer) };
    }
    await bell.wait(Math.min(waitMs > 0 ? waitMs : maxWaitMs, maxWaitMs), signal);
  }
  return { messages: [], caughtUp: false };
}

const isFresh = (buffer: PartitionBuffer): boolean => Date.now() - (buffer.heardAt() ?? 0) < freshMs;

/** There is nothing, or nobody who could tell. */
const isSettled = (buffer: PartitionBuffer, begun: number): boolean =>
  (isFresh(buffer) && buffer.caughtUp()) || Date.now() - begun > freshMs;
