import type { Message } from "../log.ts";
import type { SizedMessage } from "./answer.ts";

export interface DrainLimits {
  readonly maxMessages: number;
  /** What still fits into the batch. */
  readonly maxBytes: number;
}

/** What was put into a batch. */
export interface Drained {
  readonly bytes: number;
  /** Whether the next one does not fit. */
  readonly full: boolean;
  /** The offset of the last; null when there is none. */
  readonly last: number | null;
}

/** Messages of one partition that wait for a reader, in order, and their size. */
export function createWaiting() {
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
