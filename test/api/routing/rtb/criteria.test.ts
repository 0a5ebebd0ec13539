import { describe, expect, it } from "vitest";
import { accepts } from "../../../../api/routing/rtb/criteria.ts";

const answer = { status: "Accepted", score: 71, tags: ["hot", "new"], buyer: { tier: "gold" }, ok: true, none: null };

describe("an answer is accepted", () => {
  it.each([
    [{}],
    [{ conditions: [] }],
    [{ note: "nothing to fulfil" }],
    [{ field: "$.status", operator: "equals", value: "accepted" }],
    [{ path: "status", value: "accepted" }],
    [{ field: "status" }],
    [{ field: "buyer.tier", operator: "in", values: ["silver", "gold"] }],
    [{ field: "score", operator: ">", value: 70 }],
    [{ field: "score", operator: "between", values: ["70", 80] }],
    [{ field: "ok", operator: "equals", value: true }],
    [{ field: "tags", operator: "equals", value: "new" }],
    [{ field: "buyer", operator: "exists" }],
    [{ field: "none", operator: "not exists" }],
    [{ conditions: [{ field: "ok" }, { field: "score", operator: "lt", value: 100 }] }],
    [{ combinator: "OR", conditions: [{ field: "nothing" }, { field: "ok" }] }],
    [{ conditions: [{ combinator: "or", conditions: [{ field: "nothing" }, { field: "ok" }] }, { field: "score" }] }],
  ])("by %j", (criteria) => {
    expect(accepts(criteria, answer)).toBe(true);
  });
});

describe("an answer is not accepted", () => {
  it.each([
    [{ field: "status", value: "rejected" }],
    [{ field: "nothing" }],
    [{ field: "none" }],
    [{ field: "score", operator: "no such operator", value: 71 }],
    [{ field: "score", operator: 5, value: 71 }],
    [{ field: "$.constructor", operator: "exists" }],
    [{ conditions: [{ field: "ok" }, { field: "nothing" }] }],
    [{ combinator: "or", conditions: [{ field: "nothing" }, { field: "none" }] }],
  ])("by %j", (criteria) => {
    expect(accepts(criteria, answer)).toBe(false);
  });

  it("where there is none", () => {
    expect(accepts({ field: "status" }, undefined)).toBe(false);
  });
});
