import { toLocal } from "../../../ingest/time-zone.ts";
import type { StoredSession } from "../wire.ts";

export type SessionGroup = { readonly title: string; readonly sessions: readonly StoredSession[] };

const dayMs = 86_400_000;
const titles = ["Today", "Yesterday", "Last 7 days", "Earlier"] as const;

type Now = { readonly now: number; readonly zone: string };

const titleOf = (updatedAt: string, { now, zone }: Now): (typeof titles)[number] => {
  const dayOf = (instant: number): number => Math.floor(toLocal(instant, zone) / dayMs);
  const days = dayOf(now) - dayOf(Date.parse(updatedAt));
  if (days <= 0) return "Today";
  if (days === 1) return "Yesterday";
  return days < 7 ? "Last 7 days" : "Earlier";
};

/** Groups conversations by the day of their last question, in the zone's days; empty groups are left out. */
export const groupByDay = (sessions: readonly StoredSession[], now: Now): readonly SessionGroup[] =>
  titles
    .map((title) => ({ title, sessions: sessions.filter(({ updated_at }) => titleOf(updated_at, now) === title) }))
    .filter((group) => group.sessions.length > 0);

/** Titles that several conversations have: their rows show their times too. */
export const repeatedTitles = (sessions: readonly StoredSession[]): ReadonlySet<string> => {
  const seen = new Set<string>();
  return new Set(sessions.map(({ title }) => title).filter((title) => seen.has(title) || !seen.add(title)));
};
