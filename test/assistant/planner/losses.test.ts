import { describe, expect, it } from "vitest";
import { plan, toLine } from "./plan-line.ts";

const lost: readonly [string, string][] = [
  ["which campaigns lose money", "calls: profit by campaign | profit less_than 0 | profit asc"],
  [
    "publishers that lost us money last month",
    "calls: profit by publisher | profit less_than 0 | last month | profit asc",
  ],
  ["unprofitable buyers last month", "calls: profit by buyer | profit less_than 0 | last month | profit asc"],
  ["days we lost money on last month", "calls: profit by day | profit less_than 0 | last month"],
  ["how many calls did we lose money on last month", "calls: calls | profit less_than 0 | last month"],
  ["unprofitable calls by campaign last month", "calls: calls by campaign | profit less_than 0 | last month"],
  ["lost bids last month", "outbound_rtb_requests: losses | last month"],
];

describe("a loss", () => {
  it.each(lost)("is a profit below zero: %s", (question, line) => expect(toLine(plan(question))).toBe(line));
  it("is handed back where its top could be either end", () => {
    expect(toLine(plan("top 5 publishers that lose money"))).toContain("could be either end");
  });
  it("is asked back where nobody is named who may have made it", () => {
    expect(plan("where do we lose money last month").kind).not.toBe("plan");
  });
});
