import type { Clock } from "../../../ingest/clock.ts";

/** Wakes one who waits; what rang since it began to listen is not missed. */
export function createBell(clock: Clock) {
  let rung = 0;
  let waiting: AbortController | null = null;
  return {
    ring(): void {
      rung += 1;
      waiting?.abort();
    },
    listen: (): number => rung,
    /** Until the bell rings, or has rung since `heard`, or so long. */
    async wait(heard: number, ms: number): Promise<void> {
      if (rung !== heard) return;
      waiting = new AbortController();
      await clock.sleep(ms, waiting.signal);
      waiting = null;
    },
  };
}
