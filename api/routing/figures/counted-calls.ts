import type { Holder } from "../call-stats.ts";
import { type CallRecord, figuresOf, holdersOf } from "./call-record.ts";
import { createCallTable } from "./call-table.ts";
import { createTallies, type Figure, type Figures, hourMs, hourOf } from "./tallies.ts";

/** What a holder's calls of an hour, or of a day long past, add up to. */
export interface OlderFigures {
  readonly holder: Holder;
  readonly at: number;
  readonly figures: Figures;
}

/** How far back an organization's calls are known: one by one, and their sums by the hour and not only by the day. */
export interface Reach {
  /** The beginning of an hour of UTC. */
  readonly callsFrom: number;
  /** The beginning of a day of UTC. */
  readonly hoursFrom: number;
}

/** Each of the recent calls, and what all add up to: one that changes takes its old figures with it. */
export function createCountedCalls() {
  const calls = createCallTable();
  const tallies = createTallies();
  let reach: Reach = { callsFrom: Number.NEGATIVE_INFINITY, hoursFrom: Number.NEGATIVE_INFINITY };

  function count(call: CallRecord, sign: 1 | -1 = 1): void {
    const figures = figuresOf(call);
    for (const holder of holdersOf(call)) tallies.add(holder, call.at, { figures, sign });
  }

  /** From then on only; what is known no further back already stays so. */
  function shorten({ callsFrom, hoursFrom }: Reach): void {
    reach = { callsFrom: Math.max(reach.callsFrom, callsFrom), hoursFrom: Math.max(reach.hoursFrom, hoursFrom) };
    tallies.forgetHours(reach.hoursFrom);
  }

  return {
    calls,
    shorten,
    callsFrom: (): number => reach.callsFrom,

    begin(call: CallRecord): void {
      // Its sums have it already, or will when they are read again.
      if (call.at < reach.callsFrom) return;
      calls.put(call);
      count(call);
    },

    replace(known: CallRecord, call: CallRecord): void {
      count(known, -1);
      count(call);
      calls.put(call);
    },

    /** To the millisecond where the calls are known one by one; else since the beginning of the hour or the day. */
    sumSince(holder: Holder, figure: Figure, since: number): number {
      const hour = hourOf(since);
      const isCoarse = hour < Math.max(reach.callsFrom, reach.hoursFrom);
      if (hour === since || isCoarse) return tallies.sumFrom(holder, figure, hour);
      const part = calls.ofHolder(holder, since).reduce((sum, call) => sum + figuresOf(call)[figure], 0);
      return part + tallies.sumFrom(holder, figure, hour + hourMs);
    },

    /** Counts the calls that were put here uncounted, all that `to` asks for; these are the sums of those before. */
    countAll(to: Reach, older: Iterable<OlderFigures>): void {
      shorten(to);
      for (const hour of calls.hours()) for (const call of calls.ofHour(hour)) count(call);
      for (const { holder, at, figures } of older) tallies.add(holder, at, { figures });
    },

    /** More of the older calls are here, whose sums had them already. */
    lengthen(callsFrom: number): void {
      reach = { ...reach, callsFrom: Math.min(reach.callsFrom, callsFrom) };
    },
  };
}
export type CountedCalls = ReturnType<typeof createCountedCalls>;
