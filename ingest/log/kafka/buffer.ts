import type { Message } from "../log.ts";
import type { Answer, SizedMessage } from "./answer.ts";

/** What may wait here for a reader; it is fetched on when half of it is gone, and a fetch adds about 1 MiB. */
const fullBytes = 4 * 1024 * 1024;

/** What was fetched of one partition and not read yet. */
export interface PartitionBuffer {
  readonly partition: number;
  /** Where reading goes on. */
  position(): number;
  /** Where fetching goes on; null while enough waits here. */
  wants(): number | null;
  /** Takes what came for a fetch from `from` on; nothing if reading was moved meanwhile. */
  put(from: number, answer: Answer, at: number): void;
  /** Moves reading. */
  seek(offset: number): void;
  /** Puts the next messages into the batch, as far as they fit. `full`: the next one does not. */
  drainInto(batch: Message[], limits: DrainLimits): { readonly bytes: number; readonly full: boolean };
  /** All that had been published when the brokers answered last has been read. */
  caughtUp(): boolean;
  /** When the brokers answered last; null before they have. */
  heardAt(): number | null;
}

export interface DrainLimits {
  readonly maxMessages: number;
  /** What still fits into the batch. */
  readonly maxBytes: number;
}

export function createBuffer(partition: number, from: number): PartitionBuffer {
  let waiting: SizedMessage[] = [];
  let first = 0;
  let waitingBytes = 0;
  let isFull = false;
  let position = from;
  let fetchFrom = from;
  let end = Number.POSITIVE_INFINITY;
  let heardAt: number | null = null;

  const pass = (upTo: number, bytes: number): void => {
    first = upTo;
    waitingBytes -= bytes;
    if (waitingBytes < fullBytes / 2) isFull = false;
    if (first < waiting.length) return;
    waiting = [];
    first = 0;
    // Behind what was passed over, too: gaps are read as soon as all before them is.
    position = fetchFrom;
  };

  return {
    partition,
    position: () => position,
    wants: () => (isFull ? null : fetchFrom),
    put(askedFrom, answer, at) {
      if (askedFrom !== fetchFrom) return;
      for (const message of answer.messages) {
        waiting.push(message);
        waitingBytes += message.bytes;
      }
      isFull = waitingBytes >= fullBytes;
      fetchFrom = answer.next;
      end = answer.end;
      heardAt = at;
      if (first === waiting.length) position = fetchFrom;
    },
    seek(offset) {
      if (offset === position) return;
      waiting = [];
      first = 0;
      waitingBytes = 0;
      isFull = false;
      position = offset;
      fetchFrom = offset;
    },
    drainInto(batch, { maxMessages, maxBytes }) {
      const isEmpty = batch.length === 0;
      let bytes = 0;
      let at = first;
      for (; at < waiting.length; at++) {
        const next = waiting[at];
        const fits = next !== undefined && (bytes + next.bytes <= maxBytes || (isEmpty && at === first));
        if (!fits || batch.length >= maxMessages) break;
        batch.push(next.message);
        bytes += next.bytes;
        position = next.message.offset + 1;
      }
      const full = at < waiting.length || batch.length >= maxMessages;
      pass(at, bytes);
      return { bytes, full };
    },
    caughtUp: () => first === waiting.length && position >= end,
    heardAt: () => heardAt,
  };
}
