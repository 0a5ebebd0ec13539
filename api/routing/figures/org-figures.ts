import type { EarlierCall, Holder } from "../facts.ts";
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

/**
 * One organization's calls: each of the recent ones, and of all what they add up to. A call counts from its first event
 * and by its last; the same or an older event changes nothing, whatever the order in which they come.
 */
export function createOrgFigures() {
  const calls = createCallTable();
  const tallies = createTallies();
  let callsFrom = Number.NEGATIVE_INFINITY;
  let hoursFrom = Number.NEGATIVE_INFINITY;
  let isCut = false;

  function count(call: CallRecord, sign: 1 | -1 = 1): void {
    const figures = figuresOf(call);
    for (const holder of holdersOf(call)) tallies.add(holder, call.at, { figures, sign });
  }

  function replace(known: CallRecord, call: CallRecord): void {
    count(known, -1);
    count(call);
    calls.put(call);
  }

  function begin(call: CallRecord): void {
    // Its sums have it already, or will when they are read again.
    if (call.at < callsFrom) return;
    calls.put(call);
    count(call);
  }

  function shorten(reach: Reach): void {
    callsFrom = Math.max(callsFrom, reach.callsFrom);
    hoursFrom = Math.max(hoursFrom, reach.hoursFrom);
    tallies.forgetHours(hoursFrom);
  }

  return {
    size: calls.size,
    isCut: () => isCut,
    callsFrom: () => callsFrom,

    /** What an event tells. */
    apply(call: CallRecord): void {
      const known = calls.find(call.call_id);
      if (known === undefined) begin(call);
      else if (call.version > known.version) {
        replace(known, keepDestination(known, { ...call, at: known.at, caller: known.caller }));
      }
    },

    /** What telephony tells ahead of the events: that the call came in, or where it is being dialed now. */
    note({ target_id, rtb_id, buyer_id, ...call }: CallRecord): void {
      const known = calls.find(call.call_id);
      if (known === undefined) begin({ ...call, target_id, rtb_id, buyer_id });
      else if (isRinging(known)) replace(known, { ...known, target_id, rtb_id, buyer_id });
    },

    /** Calls that are neither answered nor over; of the last hours, as no call rings for longer. */
    ringing: (): CallRecord[] =>
      calls
        .hours()
        .slice(-2)
        .flatMap((hour) => calls.ofHour(hour).filter(isRinging)),

    earlierCalls: (caller: number): readonly EarlierCall[] => calls.ofCaller(caller),

    /** To the millisecond where the calls are known one by one; else since the beginning of the hour or the day. */
    sumSince(holder: Holder, figure: Figure, since: number): number {
      const hour = hourOf(since);
      if (hour === since || hour < Math.max(callsFrom, hoursFrom)) return tallies.sumFrom(holder, figure, hour);
      const part = calls.ofHolder(holder, since).reduce((sum, call) => sum + figuresOf(call)[figure], 0);
      return part + tallies.sumFrom(holder, figure, hour + hourMs);
    },

    /** A call as it was stored; one that is known by an event stays as it is. It counts only once `loaded` is called. */
    load(call: CallRecord): void {
      if (calls.find(call.call_id) === undefined) calls.put(call);
    },

    /** All that `reach` asks for have been given to `load`, and these are the sums of those before. */
    loaded(reach: Reach, older: Iterable<OlderFigures>): void {
      shorten(reach);
      for (const hour of calls.hours()) for (const call of calls.ofHour(hour)) count(call);
      for (const { holder, at, figures } of older) tallies.add(holder, at, { figures });
    },

    /** More of the older calls have been given to `load`, whose sums had them already. */
    reachesBackTo(start: number): void {
      if (!isCut) callsFrom = Math.min(callsFrom, start);
    },

    /** Forgets calls, and sums of hours, that are older than asked for; the sums of their days stay. */
    forget(reach: Reach): void {
      for (const hour of calls.hours()) if (hour < reach.callsFrom) calls.removeHour(hour);
      shorten(reach);
    },

    /** Forgets the oldest hours until so many calls have gone; the newest hour stays, for its calls are under way. */
    cut(count: number): void {
      const wanted = calls.size() - count;
      for (const hour of calls.hours().slice(0, -1)) {
        if (calls.size() <= wanted) return;
        calls.removeHour(hour);
        callsFrom = Math.max(callsFrom, hour + hourMs);
        isCut = true;
      }
    },
  };
}
export type OrgFigures = ReturnType<typeof createOrgFigures>;

/** Neither answered nor over: where it is dialed, telephony knows before any event tells it. */
const isRinging = ({ status, whole_seconds }: CallRecord): boolean => status === "incoming" && whole_seconds === null;

/** An event of a ringing call that names no destination comes behind the dial that was noted. */
function keepDestination(known: CallRecord, call: CallRecord): CallRecord {
  if (!isRinging(call) || call.target_id !== null || call.rtb_id !== null) return call;
  const { target_id, rtb_id, buyer_id } = known;
  return { ...call, target_id, rtb_id, buyer_id };
}
