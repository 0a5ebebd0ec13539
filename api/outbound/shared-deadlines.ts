import type { Clock } from "../../ingest/clock.ts";

/** A deadline that work has now. */
interface Deadline {
  readonly signal: AbortSignal;
  working: number;
  cancel(): void;
}

/** Reasons are made once: without one, each signal would make an exception of its own. */
const isOver = new Error("The time is over.");
const isDone = "all work is done";

/** Signals that abort at an instant, by the clock: requests that are due at the same one share a signal and its timer. */
export function createDeadlines(clock: Clock) {
  const deadlines = new Map<number, Deadline>();

  function open(at: number): Deadline {
    const [late, done] = [new AbortController(), new AbortController()];
    void clock.sleep(at - clock.now(), done.signal).then(() => late.abort(isOver));
    const opened = { signal: late.signal, working: 0, cancel: () => done.abort(isDone) };
    deadlines.set(at, opened);
    return opened;
  }

  return {
    /** Runs work whose signal aborts at the instant `at`, in milliseconds since 1970. */
    async within<T>(at: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const deadline = deadlines.get(at) ?? open(at);
      deadline.working += 1;
      try {
        return await work(deadline.signal);
      } finally {
        deadline.working -= 1;
        if (deadline.working === 0) {
          deadlines.delete(at);
          deadline.cancel();
        }
      }
    },
  };
}
