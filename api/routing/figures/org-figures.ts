import type { EarlierCall } from "../call-stats.ts";
import type { CallRecord } from "./call-record.ts";
import { createCountedCalls, type Reach } from "./counted-calls.ts";
import { hourMs } from "./tallies.ts";
import { toldCalls } from "./told-calls.ts";

/** One organization's calls: each of the recent ones, and of all what they add up to. */
export function createOrgFigures() {
  const counted = createCountedCalls();
  const { calls } = counted;
  let isCut = false;

  return {
    size: calls.size,
    isCut: () => isCut,
    callsFrom: counted.callsFrom,

    ...toldCalls(counted),
    earlierCalls: (caller: number): readonly EarlierCall[] => calls.ofCaller(caller),
    sumSince: counted.sumSince,

    /** A call as it was stored; one that is known by an event stays as it is. It counts only once `loaded` is called. */
    load(call: CallRecord): void {
      if (calls.find(call.call_id) === undefined) calls.put(call);
    },

    /** All that the reach asks for have been given to `load`, and the others are the sums of those before. */
    loaded: counted.countAll,

    /** More of the older calls have been given to `load`, whose sums had them already. */
    reachesBackTo(start: number): void {
      if (!isCut) counted.lengthen(start);
    },

    /** Forgets calls, and sums of hours, that are older than asked for; the sums of their days stay. */
    forget(reach: Reach): void {
      for (const hour of calls.hours()) if (hour < reach.callsFrom) calls.removeHour(hour);
      counted.shorten(reach);
    },

    /** Forgets the oldest hours until so many calls have gone; the newest hour stays, for its calls are under way. */
    cut(count: number): void {
      const wanted = calls.size() - count;
      for (const hour of calls.hours().slice(0, -1)) {
        if (calls.size() <= wanted) return;
        calls.removeHour(hour);
        counted.shorten({ callsFrom: hour + hourMs, hoursFrom: Number.NEGATIVE_INFINITY });
        isCut = true;
      }
    },
  };
}
export type OrgFigures = ReturnType<typeof createOrgFigures>;
