import type { Holder, HolderKind } from "../call-stats.ts";

/** Numbers of calls, and money in ten-thousandths of a dollar. */
export interface Figures {
  calls: number;
  connected: number;
  converted: number;
  receivable: number;
  revenue: number;
  payout: number;
}
export type Figure = keyof Figures;
export const figureNames = ["calls", "connected", "converted", "receivable", "revenue", "payout"] as const;

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
export const hourOf = (at: number): number => Math.floor(at / hourMs) * hourMs;
export const dayOf = (at: number): number => Math.floor(at / dayMs) * dayMs;

/** By the time at which an hour or a day of UTC begins. */
type Buckets = Map<number, Figures>;
interface Tally {
  readonly total: Figures;
  readonly days: Buckets;
  readonly hours: Buckets;
}

/**
 * What each holder's calls add up to, by hour of UTC and, of times long past, by day: a sum since the beginning of a
 * month reads at most 23 hours and 31 days, and a holder's month takes some 80 kB.
 */
export function createTallies() {
  const byKind = new Map<HolderKind, Map<string, Tally>>();
  /** Before this there are only days. */
  let hoursFrom = Number.NEGATIVE_INFINITY;

  const find = ({ kind, id }: Holder): Tally | undefined => byKind.get(kind)?.get(id);

  function tallyOf({ kind, id }: Holder): Tally {
    const ofKind = byKind.get(kind) ?? new Map<string, Tally>();
    const tally = ofKind.get(id) ?? { total: nothing(), days: new Map(), hours: new Map() };
    byKind.set(kind, ofKind.set(id, tally));
    return tally;
  }

  return {
    /** Adds the figures of a call that came in at this time, or with -1 takes them back. */
    add(holder: Holder, at: number, { figures, sign = 1 }: { figures: Figures; sign?: 1 | -1 }): void {
      const { total, days, hours } = tallyOf(holder);
      addTo(total, figures, sign);
      addTo(bucketAt(days, dayOf(at)), figures, sign);
      if (hourOf(at) >= hoursFrom) addTo(bucketAt(hours, hourOf(at)), figures, sign);
    },

    /** The sum from the beginning of an hour; from 0 of all there is, from an hour long past of its whole day, too. */
    sumFrom(holder: Holder, figure: Figure, hour: number): number {
      const tally = find(holder);
      if (tally === undefined) return 0;
      if (hour <= 0) return tally.total[figure];
      let from = hour < hoursFrom ? dayOf(hour) : hour;
      let sum = 0;
      for (; from % dayMs !== 0; from += hourMs) sum += tally.hours.get(from)?.[figure] ?? 0;
      for (const [day, figures] of tally.days) if (day >= from) sum += figures[figure];
      return sum;
    },

    /** `before` is the beginning of a day. */
    forgetHours(before: number): void {
      if (before <= hoursFrom) return;
      hoursFrom = before;
      for (const ofKind of byKind.values()) {
        for (const { hours } of ofKind.values()) {
          for (const hour of hours.keys()) if (hour < before) hours.delete(hour);
        }
      }
    },
  };
}

const nothing = (): Figures => ({ calls: 0, connected: 0, converted: 0, receivable: 0, revenue: 0, payout: 0 });

function bucketAt(buckets: Buckets, time: number): Figures {
  const known = buckets.get(time);
  if (known !== undefined) return known;
  const made = nothing();
  buckets.set(time, made);
  return made;
}

function addTo(sum: Figures, figures: Figures, sign: 1 | -1): void {
  for (const name of figureNames) sum[name] += sign * figures[name];
}
