/** The highest limit for which each event is counted at its own instant. */
const maxExact = 1000;

export interface SlidingWindow {
  /** Returns the count of the window that ends now. */
  count(now: number): number;
  /** Counts one more, towards a limit of so many. */
  add(now: number, limit: number): void;
  /** Returns when the count will next fall, if nothing is added; null while it is 0. */
  nextLeavesAt(): number | null;
}

/**
 * Counts what happens in the last `windowMs`, which no calendar divides. Towards a limit above a thousand, those within
 * a thousandth of the time leave it together with the last of them: memory is bounded, and no time ever holds more than
 * the limit.
 */
export function createSlidingWindow(windowMs: number): SlidingWindow & {
  /** In order, with the instant of the first of those that are counted together. */
  entries(): readonly { readonly first: number; readonly count: number }[];
} {
  /** In order; `first` and `last` are the instants of those that were counted together. */
  let entries: { readonly first: number; last: number; count: number }[] = [];
  let total = 0;

  function leave(now: number): void {
    const stays = entries.findIndex(({ last }) => last > now - windowMs);
    const left = stays < 0 ? entries : entries.slice(0, stays);
    if (left.length === 0) return;
    for (const { count } of left) total -= count;
    entries = entries.slice(left.length);
  }

  return {
    count(now) {
      leave(now);
      return total;
    },
    add(now, limit) {
      total += 1;
      const newest = entries.at(-1);
      const together = limit > maxExact && newest !== undefined && now - newest.first < windowMs / maxExact;
      if (!together) entries.push({ first: now, last: now, count: 1 });
      else {
        newest.last = now;
        newest.count += 1;
      }
    },
    nextLeavesAt() {
      const [first] = entries;
      return first === undefined ? null : first.last + windowMs;
    },
    entries: () => entries,
  };
}
