import type { Clock } from "../clock.ts";
import { onAbort } from "../on-abort.ts";

/** Wakes the readers of this process as soon as it has published something. */
export interface Bell {
  ring(): void;
  /** Resolves at the next ring, after `ms`, or when `signal` aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

export function createBell(clock: Clock): Bell {
  const sleepers = new Set<AbortController>();
  return {
    ring() {
      for (const sleeper of sleepers) sleeper.abort();
    },
    async wait(ms, signal) {
      if (signal.aborted) return;
      const sleeper = new AbortController();
      sleepers.add(sleeper);
      const forget = onAbort(signal, () => sleeper.abort());
      await clock.sleep(ms, sleeper.signal);
      forget();
      sleepers.delete(sleeper);
    },
  };
}
