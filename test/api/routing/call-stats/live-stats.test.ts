import { expect, it } from "vitest";
import { createLiveStats } from "../../../../api/routing/call-stats/live-stats.ts";
import { createOrgCalls } from "../../../../api/routing/call-stats/org-calls.ts";
import type { CallStats, Holder } from "../../../../api/routing/call-stats.ts";
import { orgOne } from "../../../make.ts";
import { aRecord, day, hour, minuteMs, ringing, today } from "./records.ts";

const target: Holder = { kind: "target", id: "tgt" };

function createRig() {
  const calls = createOrgCalls();
  const live: CallStats = createLiveStats(orgOne, {
    store: {
      ofOrganization: () => calls,
      earlierCalls: () => calls.earlierCalls(12125550123),
      callsKnownSince: calls.callsFrom,
    },
    held: { inUse: (org, { kind, id }) => (org === orgOne && kind === "target" && id === "tgt" ? 3 : 0) },
    resets: { since: (org, { id }) => (org === orgOne && id === "tgt" ? today + 90 * minuteMs : 0) },
  });
  return { calls, live };
}

it("tells what is in use, and when totals were set back", () => {
  const { live } = createRig();
  const buyer: Holder = { kind: "buyer", id: "tgt" };
  expect([live.inUse(target), live.inUse(buyer)]).toEqual([3, 0]);
  expect(live.totalsSince(target)).toBe(today + 90 * minuteMs);
});

it("tells what caps count: calls as numbers, money in dollars, none of them off by a binary fraction", () => {
  const { calls, live } = createRig();
  for (let index = 0; index < 3; index += 1) {
    calls.apply(aRecord({ call_id: `call-${index}`, at: today + index * hour, revenue: 1000, payout: 333 }));
  }
  calls.apply(aRecord({ ...ringing, call_id: "live", at: today + 2 * hour, target_id: "tgt" }));
  const use = (["calls", "connected", "converted", "revenue", "payout"] as const).map((each) =>
    live.capUse(target, each, 0),
  );
  expect(use).toEqual([4, 3, 3, 0.3, 0.0999]);
  expect(live.capUse(target, "calls", today + hour)).toBe(3);
  expect(live.capUse(target, "calls", live.totalsSince(target))).toBe(2);
});

it("tells how a destination has done: calls dialed, those that the buyer owes for, and dollars", () => {
  const { calls, live } = createRig();
  calls.apply(aRecord({ call_id: "paid", at: today, revenue: 125_000 }));
  calls.apply(aRecord({ call_id: "publisher only", at: today, receivable: false, revenue: 0 }));
  calls.apply(aRecord({ call_id: "older", at: today - day }));
  const expected = { attempts: 2, conversions: 1, revenue: 12.5 };
  expect(live.performance(target, today)).toEqual(expected);
  expect(live.performance(target, today + 20 * minuteMs)).toEqual(expected);
  const none = { attempts: 0, conversions: 0, revenue: 0 };
  expect(live.performance({ kind: "rtb_formula", id: "tgt" }, 0)).toEqual(none);
});

it("tells a caller's earlier calls", () => {
  const { calls, live } = createRig();
  calls.apply(aRecord());
  expect(live.earlierCalls("+12125550123")).toMatchObject([{ call_id: "call-1", buyer_id: "buy", converted: true }]);
});
