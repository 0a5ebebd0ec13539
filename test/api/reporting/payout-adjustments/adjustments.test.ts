import { describe, expect, it } from "vitest";
import { adjustmentsBody, distinctAdjustments } from "../../../../api/reporting/payout-adjustments/adjustments.ts";

const row = { call_id: "call-1", payout: 5, reason: "agreed" };
const parse = (adjustments: readonly unknown[]) => adjustmentsBody.safeParse({ adjustments });
const faults = (adjustments: readonly unknown[]) => parse(adjustments).error?.issues.map(({ path }) => path.join("."));

describe("the body of payout adjustments", () => {
  it("takes one side by amount and the other by a change, up to 500 rows", () => {
    expect(parse([{ ...row, revenue_delta: -2.5, converted: true }]).success).toBe(true);
    const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ ...row, call_id: `call-${index}` }));
    expect([parse(rows(500)).success, parse(rows(501)).success, parse([]).success]).toEqual([true, false, false]);
  });

  it.each([
    ["an amount and a change of one side", { payout_delta: 1 }, "payout_delta"],
    ["an amount below nothing", { payout: -0.01 }, "payout"],
    ["nothing to change", { payout: null }, "payout"],
    ["an amount of a call that has not converted", { converted: false }, "payout"],
    ["a change of one", { payout: 0, revenue_delta: 1, converted: false }, "revenue_delta"],
    ["no reason", { reason: "  " }, "reason"],
    ["a reason that is too long", { reason: "x".repeat(501) }, "reason"],
  ])("refuses %s", (_what, given, field) => {
    expect(faults([{ ...row, ...given }])).toEqual([`adjustments.0.${field}`]);
  });

  it("counts rows that are alike once, and refuses two that want different things of one call", () => {
    const parsed = adjustmentsBody.parse({ adjustments: [row, { ...row, call_id: "call-2" }, row] });
    expect(distinctAdjustments(parsed).map(({ call_id }) => call_id)).toEqual(["call-1", "call-2"]);
    expect(faults([row, { ...row, payout: 6 }])).toEqual(["adjustments.1.call_id"]);
  });
});
