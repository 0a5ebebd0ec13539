import type { EarlierCall, Holder } from "../call-stats.ts";
import { type CallRecord, countsOf, holdersOf } from "./call-record.ts";
import { createCallTable } from "./call-table.ts";
import { type CallCounts, type CountName, createCallCounters, hourMs, hourOf } from "./counters.ts";

/** The counts of a holder's calls of an hour, or of a day long past. */
export interface OlderCounts {
  readonly holder: Holder;
  readonly at: number;
  readonly counts: CallCounts;
}

/** The times from which on an organization's calls are kept one by one, and their counts by the hour and not only by the day. */
export interface Retention {
  /** The beginning of an hour of UTC. */
  readonly callsFrom: number;
  /** The beginning of a day of UTC. */
  readonly hoursFrom: number;
}

/** The calls of one organization: each of the recent ones, and the counters of all. */
export function createOrgCalls() {
  const calls = createCallTable();
  const counters = createCallCounters();
  let kept: Retention = { callsFrom: Number.NEGATIVE_INFINITY, hoursFrom: Number.NEGATIVE_INFINITY };
  let isTruncated = false;

  function count(call: CallRecord, sign: 1 | -1 = 1): void {
    const counts = countsOf(call);
    for (const holder of holdersOf(call)) counters.add(holder, call.at, { counts, sign });
  }

  function begin(call: CallRecord): void {
    // The counts of older calls have it already, or will when they are read again.
    if (call.at < kept.callsFrom) return;
    calls.put(call);
    count(call);
  }

  function replace(known: CallRecord, call: CallRecord): void {
    count(known, -1);
    count(call);
    calls.put(call);
  }

  /** Moves the bounds forward only. */
  function shorten({ callsFrom, hoursFrom }: Retention): void {
    kept = { callsFrom: Math.max(kept.callsFrom, callsFrom), hoursFrom: Math.max(kept.hoursFrom, hoursFrom) };
    counters.forgetHours(kept.hoursFrom);
  }

  return {
    size: calls.size,
    /** Returns true if calls had to go for want of room. */
    isTruncated: () => isTruncated,
    callsFrom: (): number => kept.callsFrom,

    /**
     * Takes an event. A call counts from its first event and by its last; the same or an older event changes nothing,
     * whatever the order in which they come.
     */
    apply(call: CallRecord): void {
      const known = calls.find(call.call_id);
      if (known === undefined) begin(call);
      else if (call.version > known.version) {
        replace(known, keepDestination(known, { ...call, at: known.at, caller: known.caller }));
      }
    },

    /** Takes what telephony knows ahead of the events: that the call came in, or where it is being dialed now. */
    note(call: CallRecord): void {
      const known = calls.find(call.call_id);
      const { target_id, rtb_id, buyer_id } = call;
      if (known === undefined) begin(call);
      else if (isRinging(known)) replace(known, { ...known, target_id, rtb_id, buyer_id });
    },

    /** Calls that are neither answered nor over; of the last hours, as no call rings for longer. */
    ringing: (): CallRecord[] =>
      calls
        .hours()
        .slice(-2)
        .flatMap((hour) => calls.ofHour(hour).filter(isRinging)),

    /** Newest first. */
    earlierCalls: (caller: number): readonly EarlierCall[] => calls.ofCaller(caller),

    /** Sums exactly where calls are kept one by one; else from the beginning of the hour or the day of `since`. */
    sumSince(holder: Holder, name: CountName, since: number): number {
      const hour = hourOf(since);
      const isCoarse = hour < Math.max(kept.callsFrom, kept.hoursFrom);
      if (hour === since || isCoarse) return counters.sumFrom(holder, name, hour);
      const part = calls.ofHolder(holder, since).reduce((sum, call) => sum + countsOf(call)[name], 0);
      return part + counters.sumFrom(holder, name, hour + hourMs);
    },

    /** A call as it was stored; one that is known by an event stays as it is. It counts only once `loaded` is called. */
    load(call: CallRecord): void {
      if (calls.find(call.call_id) === undefined) calls.put(call);
    },

    /** All calls of this retention have been given to `load`; `older` are the counts of those before. */
    loaded(retention: Retention, older: Iterable<OlderCounts>): void {
      shorten(retention);
      for (const hour of calls.hours()) for (const call of calls.ofHour(hour)) count(call);
      for (const { holder, at, counts } of older) counters.add(holder, at, { counts });
    },

    /** More of the older calls, which were counted already, have been given to `load`. */
    extendTo(callsFrom: number): void {
      if (!isTruncated) kept = { ...kept, callsFrom: Math.min(kept.callsFrom, callsFrom) };
    },

    /** Forgets calls, and counts of hours, that are older than the retention; the counts of their days stay. */
    forget(retention: Retention): void {
      for (const hour of calls.hours()) if (hour < retention.callsFrom) calls.removeHour(hour);
      shorten(retention);
    },

    /** Evicts the oldest hours until so many calls have gone; the newest hour stays, for its calls are under way. */
    evict(count: number): void {
      const wanted = calls.size() - count;
      for (const hour of calls.hours().slice(0, -1)) {
        if (calls.size() <= wanted) return;
        calls.removeHour(hour);
        shorten({ callsFrom: hour + hourMs, hoursFrom: Number.NEGATIVE_INFINITY });
        isTruncated = true;
      }
    },
  };
}
export type OrgCalls = ReturnType<typeof createOrgCalls>;

/** Neither answered nor over: where it is dialed, telephony knows before any event says so. */
const isRinging = ({ status, whole_seconds }: CallRecord): boolean => status === "incoming" && whole_seconds === null;

/** An event of a ringing call that names no destination comes behind the dial that was noted. */
function keepDestination(known: CallRecord, call: CallRecord): CallRecord {
  if (!isRinging(call) || call.target_id !== null || call.rtb_id !== null) return call;
  const { target_id, rtb_id, buyer_id } = known;
  return { ...call, target_id, rtb_id, buyer_id };
}
