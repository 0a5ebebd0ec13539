import type { Message } from "../log.ts";
import type { Answer, SizedMessage } from "./fetch-response.ts";

/** Bytes that may wait for a reader; fetching continues when half of them are read, and a fetch adds about 1 MiB. */
const fullBytes = 4 * 1024 * 1024;

/** The fetched and unread messages of one partition. */
export interface PartitionBuffer {
  readonly partition: number;
  /** The offset at which reading continues. */
  position(): number;
  /** The offset at which fetching continues; null while the buffer is full enough. */
  wants(): number | null;
  /** Takes what came for a fetch from `from` on; nothing if reading was moved meanwhile. */
  put(from: number, answer: Answer, at: number): void;
  /** Moves reading. */
  seek(offset: number): void;
  /** Puts the next messages into the batch, as far as they fit. `full`: the next one does not. */
  drainInto(batch: Message[], limits: DrainLimits): { readonly bytes: number; readonly full: boolean };
  /** All that had been published when the brokers answered last has been read. */
  caughtUp(): boolean;
  /** The time of the brokers' last response; null before the first. */
  heardAt(): number | null;
}

export function createBuffer(partition: number, from: number): PartitionBuffer {
  const waiting = createWaiting();
  let isFull = false;
  let position = from;
  let fetchFrom = from;
  let end = Number.POSITIVE_INFINITY;
  let heardAt: number | null = null;

  return {
    partition,
    position: () => position,
    wants: () => (isFull ? null : fetchFrom),
    put(askedFrom, answer, at) {
      if (askedFrom !== fetchFrom) return;
      waiting.add(answer.messages);
      isFull = waiting.bytes() >= fullBytes;
      fetchFrom = answer.next;
      end = answer.end;
      heardAt = at;
      if (waiting.isEmpty()) position = fetchFrom;
    },
    seek(offset) {
      if (offset === position) return;
      waiting.clear();
      isFull = false;
      position = offset;
      fetchFrom = offset;
    },
    drainInto(batch, limits) {
      const { bytes, full, last } = waiting.drainInto(batch, limits);
      if (waiting.bytes() < fullBytes / 2) isFull = false;
      // Behind what was passed over, too: gaps are read as soon as all before them is.
      if (waiting.isEmpty()) position = fetchFrom;
      else if (last !== null) position = last + 1;
      return { bytes, full };
    },
    caughtUp: () => waiting.isEmpty() && position >= end,
    heardAt: () => heardAt,
  };
}

export interface DrainLimits {
  readonly maxMessages: number;
  /** Bytes that still fit into the batch. */
  readonly maxBytes: number;
}

/** The messages that were moved into a batch. */
export interface Drained {
  readonly bytes: number;
  /** True if the next message does not fit. */
  readonly full: boolean;
  /** The offset of the last; null when there is none. */
  readonly last: number | null;
}

/** Messages of one partition that wait for a reader, in order, and their size. */
function createWaiting() {
  let messages: SizedMessage[] = [];
  let first = 0;
  let bytes = 0;

  function clear(): void {
    messages = [];
    first = 0;
    bytes = 0;
  }

  return {
    clear,
    bytes: (): number => bytes,
    isEmpty: (): boolean => first === messages.length,
    add(added: readonly SizedMessage[]): void {
      for (const message of added) {
        messages.push(message);
        bytes += message.bytes;
      }
    },
    /** Takes out the next messages, as far as they fit; one into an empty batch, however large it is. */
    drainInto(batch: Message[], { maxMessages, maxBytes }: DrainLimits): Drained {
      const isEmpty = batch.length === 0;
      let drained = 0;
      let at = first;
      for (; at < messages.length; at++) {
        const next = messages[at];
        const fits = next !== undefined && (drained + next.bytes <= maxBytes || (isEmpty && at === first));
        if (!fits || batch.length >= maxMessages) break;
        batch.push(next.message);
        drained += next.bytes;
      }
      const full = at < messages.length || batch.length >= maxMessages;
      const last = at === first ? null : (messages[at - 1]?.message.offset ?? null);
      first = at;
      bytes -= drained;
      if (first === messages.length) clear();
      return { bytes: drained, full, last };
    },
  };
}
