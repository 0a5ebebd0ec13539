/**
 * Tracks messages of a partition that were read and not yet committed. Work on them ends in any order; only the contiguous
 * run of ended ones at the front may be committed, so that a commit never passes one that is in flight.
 */
export function createOffsetTracker(limit: number) {
  const entries: { readonly offset: number; readonly recordsFrom: number; ended: boolean }[] = [];
  let wake: (() => void) | null = null;

  return {
    /** Adds the next message; the function returned ends it. All records of its work lie at or behind `recordsFrom`. */
    add(offset: number, recordsFrom = 0): () => void {
      const entry = { offset, recordsFrom, ended: false };
      entries.push(entry);
      return () => {
        entry.ended = true;
        wake?.();
      };
    },

    /** Removes the ended front and returns the offset behind it; null when the first message is still in flight. */
    takeEnded(): number | null {
      const open = entries.findIndex(({ ended }) => !ended);
      const ended = entries.splice(0, open === -1 ? entries.length : open);
      return ended.length === 0 ? null : (ended.at(-1)?.offset ?? 0) + 1;
    },

    /** The offset from which on all records of messages in flight lie; null when none is. */
    recordsFrom: (): number | null => entries[0]?.recordsFrom ?? null,

    room: (): number => Math.max(0, limit - entries.length),

    /** Resolves when some work ends; at once when none is in flight. */
    async change(): Promise<void> {
      if (entries.every(({ ended }) => ended)) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    },
  };
}
export type OffsetTracker = ReturnType<typeof createOffsetTracker>;
