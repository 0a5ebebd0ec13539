import type { Clock } from "./clock.ts";
import { onAbort } from "./on-abort.ts";

interface Waiting {
  /** Ends the wait, too. */
  readonly signal?: AbortSignal;
  /** The `count` at the last check: the wait ends at once if there was a notification since. */
  readonly since?: number;
}

/** Wakes what waits in this process for something to come, such as readers for a message. */
export interface Notifier {
  notify(): void;
  /** Returns the number of notifications so far. */
  count(): number;
  /** Resolves at the next notification, or after `ms`. */
  wait(ms: number, until?: Waiting): Promise<void>;
}

/** A reason, without which each abort makes an exception with its stack. */
const woken = "woken";

export function createNotifier(clock: Clock): Notifier {
  const sleepers = new Set<AbortController>();
  let count = 0;
  return {
    notify() {
      count += 1;
      for (const sleeper of sleepers) sleeper.abort(woken);
    },
    count: () => count,
    async wait(ms, { signal, since = count } = {}) {
      if (signal?.aborted || since !== count) return;
      const sleeper = new AbortController();
      sleepers.add(sleeper);
      const forget = signal === undefined ? undefined : onAbort(signal, () => sleeper.abort(woken));
      await clock.sleep(ms, sleeper.signal);
      forget?.();
      sleepers.delete(sleeper);
    },
  };
}
