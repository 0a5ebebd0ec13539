import { describe, expect, it } from "vitest";
import { plan, toLine } from "./plan-line.ts";

const joined: readonly [string, string][] = [
  ["calls from texas but not converted", "calls: calls | state is TX | converted is false"],
  ["missed but longer than 30 seconds", "calls: calls | failed is true | duration more_than 30"],
  ["calls over 2 minutes but under 5 minutes", "calls: calls | duration more_than 120 | duration less_than 300"],
  ["billable but not payable calls", "calls: calls | receivable is true | payable is false"],
  ["calls converted but not payable", "calls: converted_calls | payable is false"],
  [
    "publishers with more than 50 calls but a conversion rate below 20%",
    "calls: calls+conversion_rate by publisher | calls more_than 50 | conversion_rate less_than 20",
  ],
  [
    "any buyer with more than 50 calls this month but a conversion rate under 40%?",
    "calls: calls+conversion_rate by buyer | calls more_than 50 | conversion_rate less_than 40 | this month",
  ],
  [
    "states where we had calls in October but a connect rate below 75 percent",
    "calls: connect_rate by state | connect_rate less_than 75 | October 2026",
  ],
  [
    "which states sent us more than 50 calls but converted fewer than one in three",
    "calls: calls+conversion_rate by state | calls more_than 50 | conversion_rate less_than 33.33",
  ],
  [
    "publishers with over 30 calls but fewer than half of them converted",
    "calls: calls+conversion_rate by publisher | calls more_than 30 | conversion_rate less_than 50",
  ],
  [
    "days with revenue over $500 but negative profit",
    "calls: revenue+profit by day | revenue more_than 500 | profit less_than 0",
  ],
  ["bids over $20 but lost", "outbound_rtb_requests: bids | bid more_than 20 | lost is true"],
];

const excepted: readonly [string, string][] = [
  ["all calls but duplicates", "calls: calls | duplicate is false"],
  ["everything but Acme Media revenue", "calls: revenue | publisher is_not Acme Media"],
  ["every state but Texas and Florida, calls last month", "calls: calls by state | state is_not TX/FL | last month"],
  ["nothing but converted calls by state", "calls: calls by state | converted is true"],
];

const nothing: readonly [string, string][] = [
  ["answered calls but no revenue", "calls: calls | connected is true | revenue at_most 0"],
  ["calls with 0 payout by campaign", "calls: calls by campaign | payout at_most 0"],
  ["calls without revenue that lasted over 2 minutes", "calls: calls | revenue at_most 0 | duration more_than 120"],
  [
    "publishers with more than 20 calls but no revenue",
    "calls: calls+revenue by publisher | calls more_than 20 | revenue at_most 0",
  ],
  [
    "which area codes had 10 or more calls and not a single conversion",
    "calls: calls+converted_calls by area_code | calls at_least 10 | converted_calls at_most 0",
  ],
  [
    "publishers with more than 20 calls last week but not one conversion",
    "calls: calls+converted_calls by publisher | calls more_than 20 | converted_calls at_most 0 | last week",
  ],
  [
    "states with over 10 calls and zero conversions",
    "calls: calls+converted_calls by state | calls more_than 10 | converted_calls at_most 0",
  ],
  [
    "which campaigns have over 50 calls and never converted",
    "calls: calls+converted_calls by campaign | calls more_than 50 | converted_calls at_most 0",
  ],
  ["campaigns with calls but no conversions", "calls: converted_calls by campaign | converted_calls at_most 0"],
];

describe("but", () => {
  it.each(joined)("joins conditions: %s", (question, line) => expect(toLine(plan(question))).toBe(line));
  it.each(excepted)("takes away behind all: %s", (question, line) => expect(toLine(plan(question))).toBe(line));
  it.each([
    "all but the top 5 campaigns by revenue",
    "all but 3 publishers by calls",
    "last but one call",
    "all calls from Texas but converted",
    "revenue but payout",
  ])("is named where no plan can say it: %s", (question) => {
    expect(toLine(plan(question))).toMatch(/^refused: I cannot place “[^”]*but/);
  });
});

describe("nothing of an amount", () => {
  it.each(nothing)("is a condition: %s", (question, line) => expect(toLine(plan(question))).toBe(line));
  it("is not taken for one where it may be of each call or of each group", () => {
    expect(toLine(plan("calls by publisher without revenue"))).toMatch(/cannot place “without”/);
  });
});
