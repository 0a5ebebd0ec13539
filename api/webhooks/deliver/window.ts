/**
 * Messages taken from a partition and not yet committed. Work on them ends in any order; what may be committed is
 * only the contiguous run of ended ones at the front, so that a commit never passes one still in hand.
 */
export function createWindow(limit: number) {
  const entries: { readonly offset: number; readonly recordsFrom: number; ended: boolean }[] = [];
  let wake: (() => void) | null = null;

  return {
    /**
     * Takes the next message in; the function returned says that its work has ended. `recordsFrom` is an offset which
     * all records of that work will lie behind.
     */
    enter(offset: number, recordsFrom = 0): () => void {
      const entry = { offset, recordsFrom, ended: false };
      entries.push(entry);
      return () => {
        entry.ended = true;
        wake?.();
      };
    },

    /** Removes the ended front and returns the offset behind it; null when the first message is still in hand. */
    takeEnded(): number | null {
      const open = entries.findIndex(({ ended }) => !ended);
      const ended = entries.splice(0, open === -1 ? entries.length : open);
      return ended.length === 0 ? null : (ended.at(-1)?.offset ?? 0) + 1;
    },

    /** Behind which all records of what is in hand lie; null when nothing is. */
    recordsFrom: (): number | null => entries[0]?.recordsFrom ?? null,

    room: (): number => Math.max(0, limit - entries.length),

    /** Resolves when some work ends; at once when none is in hand. */
    async change(): Promise<void> {
      if (entries.every(({ ended }) => ended)) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    },
  };
}
