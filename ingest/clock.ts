import { onAbort } from "./on-abort.ts";

/** Time is passed in, so that tests move it instead of waiting. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** Resolves after `ms`, or at once when `signal` aborts; it never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The longest delay a Node timer takes; a longer one would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: Date.now,
  sleep(ms, signal) {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        forget?.();
        resolve();
      };
      const timer = setTimeout(done, Math.min(Math.max(ms, 0), longestTimerMs));
      const forget = signal && onAbort(signal, done);
    });
  },
};

/** A clock that goes on from a time. */
export function clockFrom(time: number): Clock {
  const ahead = time - systemClock.now();
  return { ...systemClock, now: () => systemClock.now() + ahead };
}

/** The last instant that was written, which is asked for again and again within a millisecond. */
let written = { ms: 0, text: new Date(0).toISOString() };

export function isoTime(ms: number): string {
  if (ms !== written.ms) written = { ms, text: new Date(ms).toISOString() };
  return written.text;
}
