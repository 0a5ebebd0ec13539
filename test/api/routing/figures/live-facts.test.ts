import { expect, it } from "vitest";
import type { CallStats, Holder } from "../../../../api/routing/call-stats.ts";
import { createLiveFacts } from "../../../../api/routing/figures/live-facts.ts";
import { createOrgFigures } from "../../../../api/routing/figures/org-figures.ts";
import { orgOne } from "../../../make.ts";
import { aRecord, day, hour, minuteMs, ringing, today } from "./records.ts";

const target: Holder = { kind: "target", id: "tgt" };

function createRig() {
  const figures = createOrgFigures();
  const stats: CallStats = createLiveFacts(orgOne, {
    figures: { ofOrganization: () => figures, earlierCalls: () => figures.earlierCalls(12125550123) },
    held: { inUse: (org, { kind, id }) => (org === orgOne && kind === "target" && id === "tgt" ? 3 : 0) },
    resets: { since: (org, { id }) => (org === orgOne && id === "tgt" ? today + 90 * minuteMs : 0) },
  });
  return { figures, stats };
}

it("tells what is in use, and when totals were set back", () => {
  const { stats } = createRig();
  const buyer: Holder = { kind: "buyer", id: "tgt" };
  expect([stats.inUse(target), stats.inUse(buyer)]).toEqual([3, 0]);
  expect(stats.totalsSince(target)).toBe(today + 90 * minuteMs);
});

it("tells what caps count: calls as numbers, money in dollars, none of them off by a binary fraction", () => {
  const { figures, stats } = createRig();
  for (let index = 0; index < 3; index += 1) {
    figures.apply(aRecord({ call_id: `call-${index}`, at: today + index * hour, revenue: 1000, payout: 333 }));
  }
  figures.apply(aRecord({ ...ringing, call_id: "live", at: today + 2 * hour, target_id: "tgt" }));
  const use = (["calls", "connected", "converted", "revenue", "payout"] as const).map((each) =>
    stats.capUse(target, each, 0),
  );
  expect(use).toEqual([4, 3, 3, 0.3, 0.0999]);
  expect(stats.capUse(target, "calls", today + hour)).toBe(3);
  expect(stats.capUse(target, "calls", stats.totalsSince(target))).toBe(2);
});

it("tells how a destination has done: calls dialed, those that the buyer owes for, and dollars", () => {
  const { figures, stats } = createRig();
  figures.apply(aRecord({ call_id: "paid", at: today, revenue: 125_000 }));
  figures.apply(aRecord({ call_id: "publisher only", at: today, receivable: false, revenue: 0 }));
  figures.apply(aRecord({ call_id: "older", at: today - day }));
  const expected = { attempts: 2, conversions: 1, revenue: 12.5 };
  expect(stats.performance(target, today)).toEqual(expected);
  expect(stats.performance(target, today + 20 * minuteMs)).toEqual(expected);
  const none = { attempts: 0, conversions: 0, revenue: 0 };
  expect(stats.performance({ kind: "rtb_formula", id: "tgt" }, 0)).toEqual(none);
});

it("tells a caller's earlier calls", () => {
  const { figures, stats } = createRig();
  figures.apply(aRecord());
  expect(stats.earlierCalls("+12125550123")).toMatchObject([{ call_id: "call-1", buyer_id: "buy", converted: true }]);
});
