import type { Clock } from "./clock.ts";
import { onAbort } from "./on-abort.ts";

interface Waiting {
  /** Ends the wait, too. */
  readonly signal?: AbortSignal;
  /** What `count` was before one looked: a notification that came since is not slept through. */
  readonly since?: number;
}

/** Wakes what waits in this process for something to come, such as readers for a message. */
export interface Notifier {
  notify(): void;
  /** How often it has notified. */
  count(): number;
  /** Resolves at the next notification, or after `ms`. */
  wait(ms: number, until?: Waiting): Promise<void>;
}

export function createNotifier(clock: Clock): Notifier {
  const sleepers = new Set<AbortController>();
  let count = 0;
  return {
    notify() {
      count += 1;
      for (const sleeper of sleepers) sleeper.abort();
    },
    count: () => count,
    async wait(ms, { signal, since = count } = {}) {
      if (signal?.aborted || since !== count) return;
      const sleeper = new AbortController();
      sleepers.add(sleeper);
      const forget = signal === undefined ? undefined : onAbort(signal, () => sleeper.abort());
      await clock.sleep(ms, sleeper.signal);
      forget?.();
      sleepers.delete(sleeper);
    },
  };
}
