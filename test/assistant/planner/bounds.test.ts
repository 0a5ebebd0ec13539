import { describe, expect, it } from "vitest";
import { plan, toLine } from "./plan-line.ts";

const several: readonly [string, string][] = [
  [
    "which publishers with 50+ calls had a conversion rate below 30% last month",
    "calls: calls+conversion_rate by publisher | calls at_least 50 | conversion_rate less_than 30 | last month",
  ],
  [
    "campaigns with 20 conversions or more and a margin above 20%",
    "calls: converted_calls+margin by campaign | converted_calls at_least 20 | margin more_than 20",
  ],
  ["states with 20+ calls over 2 minutes", "calls: calls by state | duration more_than 120 | calls at_least 20"],
  ["calls and revenue over 5 minutes", "calls: calls+revenue | duration more_than 300"],
  ["no-revenue connected calls per target", "calls: calls by target | connected is true | revenue at_most 0"],
  ["zero-revenue calls by publisher", "calls: calls by publisher | revenue at_most 0"],
  ["unpaid no-revenue calls", "calls: calls | payable is false | revenue at_most 0"],
  ["calls from Texas that made us no money", "calls: calls | state is TX | revenue at_most 0"],
  ["connected calls that did not earn anything", "calls: calls | connected is true | revenue at_most 0"],
  ["calls over 5 minutes that didn't bring any revenue", "calls: calls | duration more_than 300 | revenue at_most 0"],
  ["profit and payout of calls under 30 seconds", "calls: profit+payout | duration less_than 30"],
];

describe("bounds", () => {
  it.each(several)("are read in the order in which they are said: %s", (question, line) =>
    expect(toLine(plan(question))).toBe(line),
  );
});
