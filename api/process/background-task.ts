import type { Clock } from "../../ingest/clock.ts";

export interface BackgroundTask {
  readonly clock: Clock;
  readonly everyMs: number;
  work(): Promise<void>;
  /** Receives the error of a run that failed; the next run happens all the same. */
  onTrouble(error: unknown): void;
}

/** Runs the work periodically, one run at a time, until it is closed; closing waits for a run in progress. */
export function startBackgroundTask({ clock, everyMs, work, onTrouble }: BackgroundTask) {
  const closing = new AbortController();
  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      await clock.sleep(everyMs, closing.signal);
      if (!closing.signal.aborted) await work().catch(onTrouble);
    }
  }
  const running = run();
  return {
    async close(): Promise<void> {
      closing.abort();
      await running;
    },
  };
}
