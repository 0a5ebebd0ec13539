import type { Clock } from "../../../ingest/clock.ts";
import type { FairQueue } from "../../../ingest/concurrency/fair-queue.ts";

/** While more first attempts wait, and get on, no more is read: what is soon made need not go to the database. */
const fewWaiting = 500;
/** Waiting deliveries count as moving if all would begin within this time at the speed of the last `sampleMs`. */
const soonMs = 5000;
const sampleMs = 1000;
const lookEveryMs = 10;
/** Others' events, behind those of a few endpoints, are held up no longer than this. */
const holdUpMs = 10_000;

interface PaceDeps {
  readonly queue: Pick<FairQueue, "waiting">;
  readonly clock: Clock;
}

/** Makes the reading of events wait for first attempts that get on. */
export function createReadingPace({ queue, clock }: PaceDeps, signal: AbortSignal) {
  let ended = 0;
  let heldUpSince: number | null = null;
  const isFull = (): boolean => queue.waiting([]) > fewWaiting;

  return {
    /** Notes that an event has been delivered, or waits in the database. */
    noteEnd(): void {
      ended += 1;
    },
    /** Resolves when few wait, or when waiting for that would take too long. */
    async untilRoom(): Promise<void> {
      if (!isFull()) heldUpSince = null;
      let sample = { at: clock.now(), ended };
      while (isFull() && !signal.aborted) {
        const now = clock.now();
        heldUpSince ??= now;
        if (now - heldUpSince >= holdUpMs) return;
        if (now - sample.at >= sampleMs) {
          const beginWithinMs = (queue.waiting([]) * (now - sample.at)) / (ended - sample.ended);
          if (beginWithinMs > soonMs) return;
          sample = { at: now, ended };
        }
        await clock.sleep(lookEveryMs, signal);
      }
    },
  };
}
