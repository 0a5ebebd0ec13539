import type { Holder, HolderKind } from "../call-stats.ts";

/** Numbers of calls, and money in ten-thousandths of a dollar. */
export interface CallCounts {
  calls: number;
  connected: number;
  converted: number;
  receivable: number;
  revenue: number;
  payout: number;
}
export const countNames = ["calls", "connected", "converted", "receivable", "revenue", "payout"] as const;
export type CountName = (typeof countNames)[number];

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
export const hourOf = (at: number): number => Math.floor(at / hourMs) * hourMs;
export const dayOf = (at: number): number => Math.floor(at / dayMs) * dayMs;

/** Keyed by the time at which an hour or a day of UTC begins. */
type Buckets = Map<number, CallCounts>;
interface Counter {
  readonly total: CallCounts;
  readonly days: Buckets;
  readonly hours: Buckets;
}

/**
 * Call counters of each holder, by hour of UTC and, of times long past, by day: a sum since the beginning of a month
 * reads at most 23 hours and 31 days, and a holder's month takes some 80 kB.
 */
export function createCallCounters() {
  const byKind = new Map<HolderKind, Map<string, Counter>>();
  /** Before this there are only days. */
  let hoursFrom = Number.NEGATIVE_INFINITY;

  function counterOf({ kind, id }: Holder): Counter {
    const ofKind = byKind.get(kind) ?? new Map<string, Counter>();
    const counter = ofKind.get(id) ?? { total: noCounts(), days: new Map(), hours: new Map() };
    byKind.set(kind, ofKind.set(id, counter));
    return counter;
  }

  return {
    /** Adds the counts of a call that came in at this time, or with -1 takes them back. */
    add(holder: Holder, at: number, { counts, sign = 1 }: { counts: CallCounts; sign?: 1 | -1 }): void {
      const { total, days, hours } = counterOf(holder);
      addTo(total, counts, sign);
      addTo(bucketAt(days, dayOf(at)), counts, sign);
      if (hourOf(at) >= hoursFrom) addTo(bucketAt(hours, hourOf(at)), counts, sign);
    },

    /** The sum from the beginning of an hour; from 0 of all there is, from an hour long past of its whole day, too. */
    sumFrom({ kind, id }: Holder, name: CountName, hour: number): number {
      const counter = byKind.get(kind)?.get(id);
      if (counter === undefined) return 0;
      if (hour <= 0) return counter.total[name];
      let from = hour < hoursFrom ? dayOf(hour) : hour;
      let sum = 0;
      for (; from % dayMs !== 0; from += hourMs) sum += counter.hours.get(from)?.[name] ?? 0;
      for (const [day, counts] of counter.days) if (day >= from) sum += counts[name];
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

const noCounts = (): CallCounts => ({ calls: 0, connected: 0, converted: 0, receivable: 0, revenue: 0, payout: 0 });

function bucketAt(buckets: Buckets, time: number): CallCounts {
  const known = buckets.get(time);
  if (known !== undefined) return known;
  const made = noCounts();
  buckets.set(time, made);
  return made;
}

function addTo(sum: CallCounts, counts: CallCounts, sign: 1 | -1): void {
  for (const name of countNames) sum[name] += sign * counts[name];
}
