import type { Notice } from "./notices.ts";

const keyOf = ({ kind, orgId, id, slot }: Notice): string => `${kind} ${orgId} ${id} ${slot}`;

/** What a process has not told the others yet: of each slot the newest. Never more than `most`, the oldest goes first. */
export function createPendingNotices(most: number) {
  const pending = new Map<string, Notice>();
  return {
    add(notice: Notice): void {
      const key = keyOf(notice);
      if (pending.size >= most && !pending.has(key)) pending.delete(pending.keys().next().value ?? key);
      pending.set(key, notice);
    },

    /** Those that still stand, in order; what has expired is forgotten. They wait until they are {@link said}. */
    standing(now: number): Notice[] {
      for (const [key, { expiresAt }] of pending) if (expiresAt <= now) pending.delete(key);
      return [...pending.values()];
    },

    /** Forgets these, except where the same slot was told anew meanwhile. */
    said(notices: readonly Notice[]): void {
      for (const notice of notices) {
        const key = keyOf(notice);
        if (pending.get(key) === notice) pending.delete(key);
      }
    },
  };
}
