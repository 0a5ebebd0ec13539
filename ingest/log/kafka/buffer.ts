import type { Message } from "../log.ts";
import type { Answer } from "./answer.ts";
import { createWaiting, type DrainLimits } from "./waiting-messages.ts";

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
