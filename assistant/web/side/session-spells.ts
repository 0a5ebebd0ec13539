import type { Conversation } from "../wire.ts";

export type Spell = { readonly title: string; readonly sessions: readonly Conversation[] };

const dayMs = 86_400_000;
const titles = ["Today", "Yesterday", "Last 7 days", "Earlier"] as const;

const startOfDay = (at: Date): number => new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();

/** By the reader's own days; half a day of slack takes in those of 23 and of 25 hours. */
const titleOf = (updatedAt: string, now: Date): (typeof titles)[number] => {
  const days = Math.round((startOfDay(now) - startOfDay(new Date(updatedAt))) / dayMs);
  if (days <= 0) return "Today";
  if (days === 1) return "Yesterday";
  return days < 7 ? "Last 7 days" : "Earlier";
};

/** Conversations by when they last went on; a spell without any is left out. */
export const toSpells = (sessions: readonly Conversation[], now: Date): readonly Spell[] =>
  titles
    .map((title) => ({ title, sessions: sessions.filter(({ updated_at }) => titleOf(updated_at, now) === title) }))
    .filter((spell) => spell.sessions.length > 0);
