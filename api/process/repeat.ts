import type { Clock } from "../../ingest/clock.ts";

export interface Repeated {
  readonly clock: Clock;
  readonly everyMs: number;
  work(): Promise<void>;
  /** Told of a round that failed; the next one comes all the same. */
  onTrouble(error: unknown): void;
}

/** Does the work every so often, one round at a time, until it is closed: a round under way is waited for. */
export function repeat({ clock, everyMs, work, onTrouble }: Repeated) {
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
