import type { CallRecord } from "./call-record.ts";
import type { CountedCalls } from "./counted-calls.ts";

/**
 * What is told of calls that are under way: by events, and ahead of those by telephony. A call counts from its first
 * event and by its last; the same or an older event changes nothing, whatever the order in which they come.
 */
export const toldCalls = ({ calls, begin, replace }: CountedCalls) => ({
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
});

/** Neither answered nor over: where it is dialed, telephony knows before any event tells it. */
const isRinging = ({ status, whole_seconds }: CallRecord): boolean => status === "incoming" && whole_seconds === null;

/** An event of a ringing call that names no destination comes behind the dial that was noted. */
function keepDestination(known: CallRecord, call: CallRecord): CallRecord {
  if (!isRinging(call) || call.target_id !== null || call.rtb_id !== null) return call;
  const { target_id, rtb_id, buyer_id } = known;
  return { ...call, target_id, rtb_id, buyer_id };
}
