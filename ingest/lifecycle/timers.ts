import TinyQueue from "tinyqueue";

interface Timer {
  readonly due: number;
  readonly key: string;
}
/** Queued timers that are set no more cost memory only: so many may wait before the queue is made anew. */
const spareTimers = 1024;

/** At most one timer for each key: the one set last. */
export function createTimers() {
  const dueOf = new Map<string, number>();
  const queueOf = (timers: Timer[]) => new TinyQueue<Timer>(timers, (one, other) => one.due - other.due);
  let queue = queueOf([]);

  return {
    /** Moves the key's timer to `due` (ms); null takes it away. */
    set(key: string, due: number | null): void {
      if (due === null) dueOf.delete(key);
      if (due === null || dueOf.get(key) === due) return;
      dueOf.set(key, due);
      queue.push({ due, key });
      if (queue.length > 2 * dueOf.size + spareTimers) queue = queueOf([...dueOf].map(([key, due]) => ({ due, key })));
    },

    /** Takes the keys that are due by `now`, the earliest first; looks at `limit` timers at most. */
    takeDue(now: number, limit: number): string[] {
      const due: string[] = [];
      for (let looks = 0; looks < limit; looks++) {
        const timer = queue.peek();
        if (timer === undefined || timer.due > now) break;
        queue.pop();
        if (dueOf.get(timer.key) !== timer.due) continue;
        dueOf.delete(timer.key);
        due.push(timer.key);
      }
      return due;
    },

    /** The time at which `takeDue` next has work; null if never. */
    nextDue: (): number | null => queue.peek()?.due ?? null,
  };
}
