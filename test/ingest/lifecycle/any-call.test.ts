import fc from "fast-check";
import { expect, it } from "vitest";
import { callEventSchema } from "../../../ingest/event.ts";
import { toCall } from "../../../ingest/lifecycle/due-events.ts";
import { applySignal, applyTime } from "../../../ingest/lifecycle/fold.ts";
import type { Signal } from "../../../ingest/signal.ts";
import * as make from "../../make.ts";
import { foldSignals } from "./signals.ts";

const tags = fc.dictionary(fc.constantFrom("a", "b", "c"), fc.constantFrom("1", "2"));
const earlier = fc.option(fc.constantFrom("earlier-1", "earlier-2"));
const target = fc.constantFrom("tgt-1", "tgt-2").map((id) => ({ id, name: id, type: "number" }));
const verdict = { payable: fc.boolean(), receivable: fc.boolean(), duplicate_of: earlier };

const anyIncoming = fc.record({ tags, is_duplicate: fc.boolean(), duplicate_of: earlier }).map(make.anIncoming);
const anyLater: fc.Arbitrary<Signal> = fc.oneof(
  fc.record({ tags }).map(make.aTagged),
  { weight: 2, arbitrary: fc.record({ target, tags, after_menu: fc.boolean(), ...verdict }).map(make.aDialing) },
  fc.constant(make.aDialFailed()),
  { weight: 2, arbitrary: fc.constant(make.anAnswered()) },
  fc.constant(make.aHungUp()),
  fc.constant(make.aFailed()),
  fc.constant(make.aRecorded()),
);

/** Whatever a switch and the router may say of a call, in rising time; not all of it can follow. */
const anySignals = fc
  .tuple(anyIncoming, fc.array(fc.tuple(anyLater, fc.integer({ min: 0, max: 40 })), { maxLength: 14 }))
  .map(([incoming, later]) => {
    let seconds = 0;
    const timed = later.map(([signal, after]): Signal => {
      seconds += after;
      return { ...signal, at: make.secondsIn(seconds) };
    });
    return [incoming, ...timed];
  });

it("a call that was broken off at any of its events goes on from there to the same end", () => {
  fc.assert(
    fc.property(anySignals, (signals) => {
      const whole = foldSignals(signals);
      for (const event of whole.events) {
        const restored = toCall(callEventSchema.parse(JSON.parse(JSON.stringify(event))));
        const { call, events } = foldSignals(signals.slice(restored.last_signal + 1), restored);
        // Where nothing follows, what the last signal still owes comes with time.
        const owed = applyTime(call, make.startOfTime + 1_000_000);
        const end = applyTime(whole.call, make.startOfTime + 1_000_000);
        expect(owed.call.tags).toEqual(end.call.tags);
        expect(new Set([...events, ...owed.events].map(({ id }) => id)).size).toBe(events.length + owed.events.length);
        expect({ ...owed.call, version: 0, published: [] }).toMatchObject({
          status: end.call.status,
          is_duplicate: end.call.is_duplicate,
          duplicate_of: end.call.duplicate_of,
          revenue: end.call.revenue,
          payout: end.call.payout,
          ivr_duration: end.call.ivr_duration,
        });
      }
    }),
    { numRuns: 200 },
  );
});

it("a signal that was applied changes nothing when it is read again", () => {
  fc.assert(
    fc.property(anySignals, (signals) => {
      const { call } = foldSignals(signals);
      for (const [position, signal] of signals.slice(0, call.last_signal + 1).entries()) {
        expect(applySignal(call, signal, position)).toEqual({ kind: "repeated" });
      }
    }),
  );
});

it("a call that is over and told a second time from the start does not change", () => {
  fc.assert(
    fc.property(anySignals, (signals) => {
      const once = foldSignals([...signals, make.aHungUp({ at: make.secondsIn(1000) })]).call;
      const twice = foldSignals(signals, once).call;
      // Whoever tells it again is heard, and that is all.
      const heard = { version: 0, published: [], last_signal: 0, last_signal_at: null, updated_at: "", lag_ms: 0 };
      expect({ ...twice, ...heard }).toEqual({ ...once, ...heard });
    }),
  );
});

it("no money flows on a side that an earlier call has taken, and a duplicate is one of a call or of none", () => {
  fc.assert(
    fc.property(anySignals, (signals) => {
      const { call } = foldSignals([...signals, make.aHungUp({ at: make.secondsIn(1000) })]);
      if (!call.terms.payable) expect([call.payable, call.payout]).toEqual([false, 0]);
      if (!call.terms.receivable) expect([call.receivable, call.revenue]).toEqual([false, 0]);
      expect(call.converted).toBe(call.payable || call.receivable);
    }),
  );
});
