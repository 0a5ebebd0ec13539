import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CallRecord, countsOf, holdersOf, toRecord } from "../../../../api/routing/call-stats/call-record.ts";
import { countNames } from "../../../../api/routing/call-stats/counters.ts";
import { createOrgCalls, type OrgCalls } from "../../../../api/routing/call-stats/org-calls.ts";
import type { Holder } from "../../../../api/routing/call-stats.ts";
import { refusedReason } from "../../../../ingest/call.ts";
import { startOfTime } from "../../../make.ts";
import { aRecord, day, hour, minuteMs, ringing, someFields, today } from "./records.ts";

const target: Holder = { kind: "target", id: "tgt" };
const callsOf = (stats: OrgCalls, holder: Holder, since = 0) => stats.sumSince(holder, "calls", since);

describe("an organization's call stats", () => {
  it("count a call for each of its holders, by what its last event says", () => {
    const stats = createOrgCalls();
    stats.apply(aRecord({ version: 1, ...ringing }));
    stats.apply(aRecord({ version: 4, revenue: 300_000, payout: 125_000 }));
    for (const kind of ["campaign", "publisher", "target", "buyer"] as const) {
      const id = { campaign: "cmp", publisher: "pub", target: "tgt", buyer: "buy" }[kind];
      const sums = countNames.map((name) => stats.sumSince({ kind, id }, name, 0));
      expect(sums).toEqual([1, 1, 1, 1, 300_000, 125_000]);
    }
    expect(callsOf(stats, { kind: "rtb_formula", id: "tgt" })).toBe(0);
  });

  it("count what was on or after an instant, to the millisecond", () => {
    const stats = createOrgCalls();
    const since = today + 10 * hour + 30 * minuteMs;
    for (const [index, at] of [since - 1, since, since + 1, since + day].entries()) {
      stats.apply(aRecord({ call_id: `call-${index}`, at }));
    }
    expect(callsOf(stats, target, since)).toBe(3);
    expect(callsOf(stats, target, since + 2)).toBe(1);
  });

  it("count no call that was refused, whatever was told of it before", () => {
    const stats = createOrgCalls();
    const fields = { connected_at: null, converted: false, receivable: false, revenue: null, payout: null };
    stats.note(toRecord(someFields({ ...fields, status: "incoming", duration: null })));
    expect(callsOf(stats, target)).toBe(1);
    stats.apply(toRecord(someFields({ ...fields, version: 3, status: "failed", failure_reason: refusedReason })));
    for (const holder of [target, { kind: "campaign", id: "cmp" }] as const) expect(callsOf(stats, holder)).toBe(0);
    expect(stats.earlierCalls(12125550123)).toMatchObject([{ status: "failed", target_id: null }]);
  });

  it("move a call from one target to the next", () => {
    const stats = createOrgCalls();
    stats.apply(aRecord({ version: 1 }));
    stats.apply(aRecord({ version: 2, target_id: "next" }));
    expect([callsOf(stats, target), callsOf(stats, { kind: "target", id: "next" })]).toEqual([0, 1]);
  });

  it("know a noted call at once, and where it is dialed now until it is answered", () => {
    const stats = createOrgCalls();
    const noted = aRecord({ version: -1, ...ringing, target_id: null, buyer_id: null });
    const next: Holder = { kind: "target", id: "next" };
    stats.note(noted);
    expect([callsOf(stats, { kind: "campaign", id: "cmp" }), callsOf(stats, target)]).toEqual([1, 0]);
    stats.note({ ...noted, target_id: "tgt" });
    stats.apply({ ...noted, version: 1 });
    expect(callsOf(stats, target)).toBe(1);
    stats.note({ ...noted, target_id: "next" });
    expect([callsOf(stats, target), callsOf(stats, next)]).toEqual([0, 1]);
    stats.apply(aRecord({ version: 2, status: "connected", target_id: "next" }));
    stats.note({ ...noted, target_id: "tgt" });
    expect([callsOf(stats, target), callsOf(stats, next)]).toEqual([0, 1]);
  });

  it("give a caller's calls newest first, whatever the order in which they came", () => {
    const stats = createOrgCalls();
    for (const minute of [3, 1, 2, 5, 4]) {
      stats.apply(aRecord({ call_id: `call-${minute}`, at: startOfTime + minute * minuteMs }));
    }
    stats.apply(aRecord({ call_id: "of another", caller: 13105550123 }));
    const found = stats.earlierCalls(12125550123);
    expect(found.map(({ call_id }) => call_id)).toEqual(["call-5", "call-4", "call-3", "call-2", "call-1"]);
    expect(found[0]).toMatchObject({ status: "completed", whole_seconds: 18, connected_seconds: 16, converted: true });
  });

  it("know no earlier calls of callers without a number", () => {
    const stats = createOrgCalls();
    stats.apply(aRecord({ caller: 0 }));
    expect(stats.earlierCalls(0)).toEqual([]);
    expect(callsOf(stats, target)).toBe(1);
  });

  it.each([
    ["oldest first", 1],
    ["newest first", -1],
  ])("know a caller by its newest 1,000 calls, told %s", (_order, direction) => {
    const stats = createOrgCalls();
    for (let index = 0; index < 1500; index += 1) {
      stats.apply(aRecord({ call_id: `call-${index}`, at: startOfTime + direction * index * minuteMs }));
    }
    const times = stats.earlierCalls(12125550123).map(({ at }) => at);
    expect(times).toHaveLength(1000);
    expect(times[0]).toBe(direction === 1 ? startOfTime + 1499 * minuteMs : startOfTime);
    expect(times).toEqual(times.toSorted((one, other) => other - one));
    expect(callsOf(stats, target)).toBe(1500);
    stats.forget({ callsFrom: today + 10 * day, hoursFrom: today });
    expect(stats.earlierCalls(12125550123)).toEqual([]);
  });
});

describe("call stats that grow old", () => {
  const retention = { callsFrom: today - 2 * day, hoursFrom: today - 2 * day };

  it("keep their sums when the calls are forgotten, and take no older call any more", () => {
    const stats = createOrgCalls();
    const old = aRecord({ call_id: "old", at: today - 3 * day + 5 * hour });
    stats.apply(old);
    stats.apply(aRecord({ call_id: "new" }));
    stats.forget(retention);
    expect([stats.size(), callsOf(stats, target), callsOf(stats, target, today)]).toEqual([1, 2, 1]);
    stats.apply({ ...old, version: 9 });
    stats.apply({ ...old, call_id: "older", at: today - 9 * day });
    expect([stats.size(), callsOf(stats, target)]).toEqual([1, 2]);
    expect(stats.earlierCalls(12125550123).map(({ call_id }) => call_id)).toEqual(["new"]);
  });

  it("count the whole of a day that is known by its sum only", () => {
    const stats = createOrgCalls();
    stats.apply(aRecord({ at: today - 3 * day + 5 * hour }));
    stats.forget(retention);
    expect(callsOf(stats, target, today - 3 * day + 6 * hour)).toBe(1);
    expect(callsOf(stats, target, today - 2 * day)).toBe(0);
  });

  it("cut the oldest hours of too many calls but never the newest, and cap sums stay as they were", () => {
    const stats = createOrgCalls();
    for (let index = 0; index < 50; index += 1) {
      stats.apply(aRecord({ call_id: `call-${index}`, at: today + index * 12 * minuteMs }));
    }
    stats.evict(12);
    expect([stats.size(), stats.isTruncated(), stats.callsFrom()]).toEqual([35, true, today + 3 * hour]);
    expect([callsOf(stats, target, today + 2 * hour), callsOf(stats, target, today)]).toEqual([40, 50]);
    stats.evict(1000);
    expect([stats.size(), callsOf(stats, target)]).toEqual([5, 50]);
  });

  it("load stored calls beside the sums of older ones, and go back further without counting twice", () => {
    const stats = createOrgCalls();
    stats.load(aRecord({ call_id: "stored" }));
    const sums = { holder: target, at: today - 40 * day, counts: countsOf(aRecord()) };
    stats.loaded(retention, [sums]);
    expect([callsOf(stats, target), callsOf(stats, target, today - 2 * day)]).toEqual([2, 1]);
    stats.load(aRecord({ call_id: "summed", at: today - 40 * day + hour }));
    stats.extendTo(today - 41 * day);
    expect([stats.earlierCalls(12125550123).length, callsOf(stats, target)]).toEqual([2, 2]);
    stats.apply(aRecord({ call_id: "summed", version: 9, revenue: 0 }));
    expect([callsOf(stats, target), stats.sumSince(target, "revenue", 0)]).toEqual([2, 300_000]);
  });
});

/** What each event says of one of a few calls, the last one with the highest version. */
const life = fc.record({
  at: fc.integer({ min: -4 * 24 * 60, max: 24 * 60 }).map((minutes) => today + minutes * minuteMs),
  caller: fc.constantFrom(0, 12125550123, 13105550123),
  events: fc.array(
    fc.record({
      target_id: fc.constantFrom("one", "two", null),
      rtb_id: fc.constantFrom("rtb", null),
      connected: fc.boolean(),
      revenue: fc.integer({ min: 0, max: 10_000_000 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});
const lives = fc
  .array(life, { maxLength: 12 })
  .map((all) =>
    all.map(({ at, caller, events }, index) =>
      events.map((event, version) => aRecord({ ...event, call_id: `call-${index}`, at, caller, version })),
    ),
  );
const holders: Holder[] = [
  { kind: "target", id: "one" },
  { kind: "target", id: "two" },
  { kind: "rtb_formula", id: "rtb" },
  { kind: "campaign", id: "cmp" },
];
const instants = [0, today - 3 * day, today - day, today + 9 * hour, today + 9 * hour + 7 * minuteMs];

/** The same by looking at every call anew. */
function sumPlainly(calls: readonly CallRecord[], holder: Holder, since: number): number[] {
  const counted = calls.filter(
    (call) => call.at >= since && holdersOf(call).some(({ kind, id }) => kind === holder.kind && id === holder.id),
  );
  return countNames.map((name) => counted.reduce((sum, call) => sum + countsOf(call)[name], 0));
}

describe("call stats of any calls", () => {
  it("are what a plain count finds, however often and in whatever order events and notes come", () => {
    const replay = lives.chain((all) => {
      const events = all.flat();
      const repeats = events.length === 0 ? fc.constant([]) : fc.array(fc.constantFrom(...events), { maxLength: 20 });
      const noted = all.flatMap(([first]) => (first === undefined ? [] : [{ ...first, ...ringing, version: -1 }]));
      const shuffled = repeats.chain((more) => {
        const told = [...events, ...more].map((call) => ({ call, isNote: false }));
        const mixed = [...told, ...noted.map((call) => ({ call, isNote: true }))];
        return fc.shuffledSubarray(mixed, { minLength: mixed.length });
      });
      return fc.record({ last: fc.constant(all.flatMap((each) => each.at(-1) ?? [])), told: shuffled });
    });
    const property = fc.property(replay, ({ last, told }) => {
      const stats = createOrgCalls();
      for (const { call, isNote } of told) {
        if (isNote) stats.note(call);
        else stats.apply(call);
      }
      for (const holder of holders) {
        for (const since of instants) {
          const sums = countNames.map((name) => stats.sumSince(holder, name, since));
          expect(sums).toEqual(sumPlainly(last, holder, since));
        }
      }
      const times = (calls: readonly { at: number }[]) => calls.map(({ at }) => at).toSorted((a, b) => b - a);
      const ofCaller = last.filter(({ caller }) => caller === 12125550123);
      expect(stats.earlierCalls(12125550123).map(({ at }) => at)).toEqual(times(ofCaller));
    });
    fc.assert(property, { numRuns: 300 });
  });

  it("keep all their sums when old calls are forgotten or cut, and slots are used again", () => {
    const property = fc.property(lives, lives, fc.integer({ min: 0, max: 12 }), (before, after, cut) => {
      const stats = createOrgCalls();
      const renamed = after.map((events) => events.map((call) => ({ ...call, call_id: `later ${call.call_id}` })));
      for (const call of before.flat()) stats.apply(call);
      stats.forget({ callsFrom: today - 2 * day, hoursFrom: today - 2 * day });
      stats.evict(cut);
      const from = stats.callsFrom();
      for (const call of renamed.flat()) stats.apply(call);
      const lastOf = (all: CallRecord[][]) => all.flatMap((each) => each.at(-1) ?? []);
      const counted = [...lastOf(before), ...lastOf(renamed).filter(({ at }) => at >= from)];
      for (const holder of holders) {
        for (const since of [0, today - 3 * day, today]) {
          const sums = countNames.map((name) => stats.sumSince(holder, name, since));
          expect(sums).toEqual(sumPlainly(counted, holder, since));
        }
      }
      const known = stats.earlierCalls(12125550123);
      expect(known.every(({ at }) => at >= from)).toBe(true);
    });
    fc.assert(property, { numRuns: 300 });
  });
});
