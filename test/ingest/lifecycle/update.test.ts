import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toCall } from "../../../ingest/lifecycle/due-events.ts";
import { applyTime } from "../../../ingest/lifecycle/fold.ts";
import type { Signal } from "../../../ingest/signal.ts";
import {
  aDialing,
  aFields,
  aHungUp,
  anAdjusted,
  anAnswered,
  anIncoming,
  aRecorded,
  aRetagged,
  aTagged,
  secondsIn,
  signalsOfCall,
  startOfTime,
} from "../../make.ts";
import { foldSignals } from "./signals.ts";

const over = signalsOfCall(16, { tags: { lead_type: "solar", kept: "yes" } });
/** A call of 16 seconds, for which 30 is owed and 20 paid, and then these updates. */
const updated = (...updates: readonly Signal[]) => foldSignals([...over, ...updates]).call;
const money = ({ revenue, payout, profit, receivable, payable, converted }: ReturnType<typeof updated>) => ({
  revenue,
  payout,
  profit,
  receivable,
  payable,
  converted,
});

describe("an adjustment of a call that is over", () => {
  const settled = { revenue: 30, payout: 20, profit: 10, receivable: true, payable: true, converted: true };

  it("puts an amount in place of the settled one and leaves what it does not name", () => {
    expect(money(updated())).toEqual(settled);
    expect(money(updated(anAdjusted({ revenue: 45.5 })))).toEqual({ ...settled, revenue: 45.5, profit: 25.5 });
    expect(money(updated(anAdjusted({ payout: 0.1 })))).toEqual({ ...settled, payout: 0.1, profit: 29.9 });
  });

  it("adds a change to what the call is worth when it comes, and takes no more than there is", () => {
    const twice = [anAdjusted({ id: "1", revenue_delta: 2.5 }), anAdjusted({ id: "2", revenue_delta: 2.5 })];
    expect(money(updated(...twice))).toEqual({ ...settled, revenue: 35, profit: 15 });
    const less = [anAdjusted({ id: "1", payout: 5 }), anAdjusted({ id: "2", payout_delta: -7 })];
    expect(money(updated(...less))).toMatchObject({ payout: 0, profit: 30, payable: false });
    expect(money(updated(anAdjusted({ revenue: 12, revenue_delta: 5 })))).toMatchObject({ revenue: 12 });
  });

  it("is told with who caused it and why, and quietly where webhooks are not to be told", () => {
    const told = (given: Parameters<typeof anAdjusted>[0]) => foldSignals([...over, anAdjusted(given)]).events.at(-1);
    expect(told({ revenue: 1, reason: "agreed" })).toMatchObject({ cause: { reason: "agreed" } });
    expect(told({ revenue: 1 })?.quiet).toBeUndefined();
    const quiet = told({ revenue: 1, fire_webhooks: false });
    expect(quiet).toMatchObject({ event: "call.updated", quiet: true });
    expect(quiet && Object.keys(toCall(quiet))).not.toContain("quiet");
  });

  it("makes a side count where its amount is more than nothing, and the call converted where one does", () => {
    expect(money(updated(anAdjusted({ revenue: 0 })))).toMatchObject({ receivable: false, converted: true });
    expect(money(updated(anAdjusted({ revenue: 0, payout: 0 })))).toEqual({
      revenue: 0,
      payout: 0,
      profit: 0,
      receivable: false,
      payable: false,
      converted: false,
    });
  });

  it("makes a call that has not converted worth nothing to either side, whatever was said before", () => {
    const nothing = { revenue: 0, payout: 0, profit: 0, receivable: false, payable: false, converted: false };
    expect(money(updated(anAdjusted({ converted: false })))).toEqual(nothing);
    expect(updated(anAdjusted({ converted: false }))).toMatchObject({ converted_at: null, revenue_overridden: true });
    const earlier = anAdjusted({ id: "1", revenue: 50, payout: 9 });
    const unconverted = anAdjusted({ id: "2", converted: false });
    expect(money(updated(earlier, unconverted))).toEqual(nothing);
    const later = updated(earlier, unconverted, anAdjusted({ id: "3", revenue: 5 }));
    expect(money(later)).toEqual({ ...nothing, revenue: 5, profit: 5, receivable: true, converted: true });
    expect(updated(anAdjusted({ revenue: 1 })).revenue_overridden).toBe(true);
  });

  it.each([{ revenue: 0 }, { payout: 0 }, { payout_delta: 0, revenue_delta: 0 }, { revenue: 0, payout_delta: 0 }])(
    "makes one that has not converted worth nothing also beside %o",
    (zeros) => {
      const nothing = { revenue: 0, payout: 0, profit: 0, receivable: false, payable: false, converted: false };
      expect(money(updated(anAdjusted({ converted: false, ...zeros })))).toEqual(nothing);
    },
  );

  it("settles a call by its terms again where it has converted after all", () => {
    const unconverted = anAdjusted({ id: "1", revenue: 0, converted: false });
    const call = updated(unconverted, anAdjusted({ id: "2", converted: true }));
    expect(money(call)).toEqual(settled);
    expect(call).toMatchObject({ converted_at: secondsIn(16), terms: { adjusted: { revenue: null, payout: null } } });
    const later = updated(unconverted, anAdjusted({ id: "2", payout: 5 }), anAdjusted({ id: "3", converted: true }));
    expect(money(later)).toMatchObject({ revenue: 0, payout: 5 });
  });

  it("converts a call that was not, at the time of the adjustment, without an event of conversion", () => {
    const short = foldSignals([...signalsOfCall(3), anAdjusted({ revenue: 12 }), aRecorded({ at: secondsIn(700) })]);
    expect(money(short.call)).toMatchObject({ revenue: 12, payout: 0, receivable: true, converted: true });
    expect(short.call.converted_at).toBe(secondsIn(600));
    expect(short.names).not.toContain("call.converted");
    expect(short.names.slice(-3)).toEqual(["call.completed", "call.updated", "call.updated"]);
  });

  it("is of the last one that names an amount, and what was said of the conversion is of that one's amounts", () => {
    const call = updated(anAdjusted({ id: "1", revenue: 50, converted: false }), anAdjusted({ id: "2", payout: 5 }));
    expect(money(call)).toEqual({ ...settled, revenue: 50, payout: 5, profit: 45 });
  });

  it("stays when the true end of a lost call is told after all", () => {
    const lost = applyTime(foldSignals([anIncoming(), aDialing(), anAnswered()]).call, startOfTime + 86_400_000).call;
    expect([lost.status, lost.revenue]).toEqual(["completed", 0]);
    const { call } = foldSignals([anAdjusted({ revenue: 7 }), aHungUp({ at: secondsIn(90_000) })], lost);
    expect(call).toMatchObject({ revenue: 7, receivable: true, failure_reason: null, termination_by: "caller" });
  });
});

describe("an adjustment of a live call", () => {
  it("shows at once, and outlasts the settlement", () => {
    const live = [anIncoming(), aDialing(), anAnswered(), anAdjusted({ at: secondsIn(2), revenue: 99 })];
    const before = foldSignals(live);
    expect(before.names.at(-1)).toBe("call.updated");
    expect(before.call).toMatchObject({ status: "connected", revenue: 99, payout: null, profit: null });
    const { call, names } = foldSignals([aHungUp({ at: secondsIn(16) })], before.call);
    expect(money(call)).toMatchObject({ revenue: 99, payout: 20, profit: 79, converted: true });
    expect(names.slice(-2)).toEqual(["call.converted", "call.completed"]);
    expect(call.converted_at).toBe(secondsIn(16));
  });

  it("that says the call has not converted keeps the event of conversion from firing", () => {
    const { names, call } = foldSignals([
      anIncoming(),
      aDialing(),
      anAnswered(),
      anAdjusted({ at: secondsIn(2), converted: false }),
      aHungUp({ at: secondsIn(16) }),
      aRecorded({ at: secondsIn(20) }),
    ]);
    expect(names).not.toContain("call.converted");
    expect(call).toMatchObject({ converted: false, converted_at: null, revenue: 0, receivable: false });
  });
});

it("an adjustment that takes back, of a live call, that it has not converted leaves it to be settled", () => {
  const before = [anIncoming(), aDialing(), anAnswered(), anAdjusted({ id: "1", at: secondsIn(2), converted: false })];
  const live = foldSignals([...before, anAdjusted({ id: "2", at: secondsIn(3), converted: true })]).call;
  expect(live).toMatchObject({ revenue: null, payout: null, profit: null, payable: false, receivable: false });
  const { call, names } = foldSignals([aHungUp({ at: secondsIn(16) })], live);
  expect(call).toMatchObject({ revenue: 30, payout: 20, payable: true, receivable: true, converted: true });
  expect(names).toContain("call.converted");
});

describe("tags and fields from outside", () => {
  it("are taken away first and then given", () => {
    const call = updated(aRetagged({ tags: { lead_type: "roof", grade: "A" }, remove: ["lead_type", "kept", "none"] }));
    expect(call.tags).toEqual({ lead_type: "roof", grade: "A" });
  });

  it("are a hundred at most: those that were there stay", () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`t${index}`, "x"]));
    const { tags } = updated(aRetagged({ tags: many }));
    expect(Object.keys(tags)).toHaveLength(100);
    expect(tags).toMatchObject({ lead_type: "solar", kept: "yes", t0: "x" });
  });

  it("replace a field, empty it with null and leave it where it is not named", () => {
    const first = updated(
      aFields({ id: "1", caller_zip: "10001", caller_state: "NY", tags: { notes: "called back" } }),
    );
    expect(first).toMatchObject({ caller_zip: "10001", caller_state: "NY" });
    expect(first.tags["notes"]).toBe("called back");
    const { call } = foldSignals([aFields({ id: "2", caller_zip: null, remove: ["notes"] })], first);
    expect(call).toMatchObject({ caller_zip: null, caller_state: "NY" });
    expect(call.tags).not.toHaveProperty("notes");
  });

  it("win over what the switch told before, though their clock is behind, and leave its own clock alone", () => {
    const live = [anIncoming({ tags: { a: "1" } }), aTagged({ at: secondsIn(5), tags: { a: "2" } })];
    const { call } = foldSignals([...live, aRetagged({ at: secondsIn(-600), tags: { a: "3" } })]);
    expect(call).toMatchObject({ tags: { a: "3" }, last_signal_at: secondsIn(5), lag_ms: 0 });
  });

  it("fire no mark of a switch whose clock is behind before its time", () => {
    const live = [anIncoming(), aDialing(), anAnswered({ at: secondsIn(0) })];
    const { call } = foldSignals(live);
    const late = { ...call, lag_ms: 20_000 };
    const { names } = foldSignals([aRetagged({ at: secondsIn(21), tags: { a: "1" } })], late);
    expect(names).toEqual(["call.updated"]);
  });
});

describe("an update that is told again", () => {
  it("changes nothing, even when another one came between", () => {
    const once = updated(anAdjusted({ id: "a", revenue: 40 }), anAdjusted({ id: "b", revenue: 50 }));
    const again = foldSignals([anAdjusted({ id: "a", revenue: 40 })], once);
    expect(again.call).toEqual(once);
    expect(again.events).toEqual([]);
  });

  it("is known again among the last hundred", () => {
    const ids = Array.from({ length: 120 }, (_, index) => `u${index}`);
    const { updates } = updated(...ids.map((id) => aRetagged({ id, tags: { last: id } })));
    expect(updates).toEqual(ids.slice(20));
  });
});

it("whatever updates come to a call, live or over, each one is a version of its own and none is lost", () => {
  const anUpdate = fc.oneof(
    fc.record({ tags: fc.dictionary(fc.constantFrom("a", "b"), fc.constantFrom("1", "2")) }).map(aRetagged),
    fc.record({ revenue: fc.integer({ min: 0, max: 99 }) }).map(anAdjusted),
    fc.record({ caller_zip: fc.constantFrom("10001", null) }).map(aFields),
  );
  const placed = fc.array(fc.tuple(fc.integer({ min: 1, max: over.length }), anUpdate), { maxLength: 8 });
  fc.assert(
    fc.property(placed, (updates) => {
      const signals = over.flatMap((signal, index) => [
        ...updates.flatMap(([place, update], id) => (place === index ? [withId(update, id)] : [])),
        signal,
      ]);
      const after = updates.flatMap(([place, update], id) => (place === over.length ? [withId(update, id)] : []));
      const { call, events, names } = foldSignals([...signals, ...after]);
      expect(call.updates.toSorted()).toEqual(updates.map((_, id) => `u${id}`).toSorted());
      expect(names.filter((name) => name === "call.updated")).toHaveLength(updates.length);
      expect(events.map(({ version }) => version)).toEqual(events.map((_, index) => index + 1));
      expect(events.map(({ occurred_at }) => occurred_at)).toEqual(events.map(({ occurred_at }) => occurred_at).sort());
      expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    }),
    { numRuns: 200 },
  );
});

const withId = (signal: Signal, id: number): Signal =>
  "update" in signal && signal.update ? { ...signal, update: { ...signal.update, id: `u${id}` } } : signal;
