import type { Clock } from "../../../ingest/clock.ts";
import type { NewMessage } from "../../../ingest/log/log.ts";
import { untilDone } from "../../../ingest/log/until-done.ts";

export interface RecordBufferDeps {
  publish(messages: readonly NewMessage[]): Promise<unknown>;
  readonly clock: Clock;
  /** Told of each failed attempt, and of records that there was no room for. */
  onTrouble(error: unknown): void;
  /** Characters that wait at most. */
  readonly maxWaiting?: number;
}

const usualMaxWaiting = 64 * 1024 * 1024;
const messagesAtOnce = 500;
/** What is left at the end is given up after this. */
const closeWithinMs = 5_000;

/**
 * Records on their way to the log after their ping was answered. They wait in memory: a process that dies loses those of
 * its last moments, and while the log takes none, the newest that there is no room for.
 */
export function createRecordBuffer({ publish, clock, onTrouble, maxWaiting = usualMaxWaiting }: RecordBufferDeps) {
  const giveUp = new AbortController();
  let waiting: NewMessage[] = [];
  let size = 0;
  let dropped = 0;
  let working: Promise<void> | null = null;

  async function work(): Promise<void> {
    while (waiting.length > 0 && !giveUp.signal.aborted) {
      const batch = waiting.slice(0, messagesAtOnce);
      const retry = { clock, signal: giveUp.signal, onTrouble };
      if ((await untilDone(retry, async () => [await publish(batch)])) === null) break;
      waiting = waiting.slice(batch.length);
      size -= sizeOf(batch);
      if (dropped > 0) onTrouble(new Error(`${dropped} RTB records were dropped: the log did not take them in time`));
      dropped = 0;
    }
    working = null;
  }

  return {
    add(messages: readonly NewMessage[]): void {
      const more = sizeOf(messages);
      if (size + more > maxWaiting) {
        dropped += messages.length;
        return;
      }
      waiting.push(...messages);
      size += more;
      working ??= work();
    },

    /** Resolves when all records are in the log, or were given up. */
    async close(): Promise<void> {
      const [done, late] = [new AbortController(), () => giveUp.abort()];
      const deadline = clock.sleep(closeWithinMs, done.signal).then(() => done.signal.aborted || late());
      await working;
      done.abort();
      await deadline;
      if (waiting.length > 0) onTrouble(new Error(`${waiting.length} RTB records were given up at the end`));
    },
  };
}
export type RecordBuffer = ReturnType<typeof createRecordBuffer>;

const sizeOf = (messages: readonly NewMessage[]): number => messages.reduce((sum, { value }) => sum + value.length, 0);
