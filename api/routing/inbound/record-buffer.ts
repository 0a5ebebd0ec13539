import type { Clock } from "../../../ingest/clock.ts";
import { LogError, type NewMessage } from "../../../ingest/log/log.ts";
import { untilDone } from "../../../ingest/log/until-done.ts";

export interface RecordBufferDeps {
  publish(messages: readonly NewMessage[]): Promise<unknown>;
  readonly clock: Clock;
  /** Called for each failed attempt, and of records that there was no room for. */
  onTrouble(error: unknown): void;
  /** Characters that wait at most. */
  readonly maxWaiting?: number;
}

const usualMaxWaiting = 64 * 1024 * 1024;
const messagesAtOnce = 500;
/** Records that are left at the end are given up after this. */
const closeWithinMs = 5_000;

/**
 * False where the log would never take them: halving what is published at once finds the one that is too large in some
 * twenty attempts, and each is published once.
 */
async function publishIfFits(publish: RecordBufferDeps["publish"], batch: readonly NewMessage[]): Promise<boolean> {
  try {
    await publish(batch);
    return true;
  } catch (error) {
    if (error instanceof LogError && error.code === "message_too_large") return false;
    throw error;
  }
}

/**
 * Records on their way to the log after their ping was answered. They wait in memory: a process that dies loses those of
 * its last moments, and while the log takes none, the newest that there is no room for. One that is too large for the log
 * is dropped alone.
 */
export function createRecordBuffer({ publish, clock, onTrouble, maxWaiting = usualMaxWaiting }: RecordBufferDeps) {
  const giveUp = new AbortController();
  let waiting: NewMessage[] = [];
  let size = 0;
  let dropped = 0;
  let working: Promise<void> | null = null;

  async function work(): Promise<void> {
    const retry = { clock, signal: giveUp.signal, onTrouble };
    let atOnce = messagesAtOnce;
    while (waiting.length > 0 && !giveUp.signal.aborted) {
      const batch = waiting.slice(0, atOnce);
      const fits = await untilDone(retry, () => publishIfFits(publish, batch));
      if (fits === null) break;
      if (!fits && batch.length > 1) {
        atOnce = Math.ceil(batch.length / 2);
        continue;
      }
      if (!fits) tellTooLarge(batch);
      atOnce = Math.min(atOnce * 2, messagesAtOnce);
      waiting = waiting.slice(batch.length);
      size -= sizeOf(batch);
      if (dropped > 0) onTrouble(new Error(`${dropped} RTB records were dropped: the log did not take them in time`));
      dropped = 0;
    }
    working = null;
  }

  function tellTooLarge(batch: readonly NewMessage[]): void {
    onTrouble(new Error(`An RTB record of ${sizeOf(batch)} characters was dropped: the log takes none so large`));
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

const sizeOf = (messages: readonly NewMessage[]): number => messages.reduce((sum, { value }) => sum + value.length, 0);
