import { toLocal } from "../../../ingest/time-zone.ts";
import type { Conversation } from "../wire.ts";

export type Spell = { readonly title: string; readonly sessions: readonly Conversation[] };

/** When it is, and where. */
export type Here = { readonly now: number; readonly zone: string };

const dayMs = 86_400_000;
const titles = ["Today", "Yesterday", "Last 7 days", "Earlier"] as const;

const titleOf = (updatedAt: string, { now, zone }: Here): (typeof titles)[number] => {
  const dayOf = (instant: number): number => Math.floor(toLocal(instant, zone) / dayMs);
  const days = dayOf(now) - dayOf(Date.parse(updatedAt));
  if (days <= 0) return "Today";
  if (days === 1) return "Yesterday";
  return days < 7 ? "Last 7 days" : "Earlier";
};

/** Conversations by when they last went on, in the zone's days; a spell without any is left out. */
export const toSpells = (sessions: readonly Conversation[], here: Here): readonly Spell[] =>
  titles
    .map((title) => ({ title, sessions: sessions.filter(({ updated_at }) => titleOf(updated_at, here) === title) }))
    .filter((spell) => spell.sessions.length > 0);

/** Titles that several conversations have: these are told apart by their times. */
export const repeatedTitles = (sessions: readonly Conversation[]): ReadonlySet<string> => {
  const seen = new Set<string>();
  return new Set(sessions.map(({ title }) => title).filter((title) => seen.has(title) || !seen.add(title)));
};
