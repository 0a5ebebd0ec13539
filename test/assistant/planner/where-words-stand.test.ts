import { describe, expect, it } from "vitest";
import { plan, planChain, toLine } from "./plan-line.ts";

const lists: readonly [string, string][] = [
  ["list yesterday's missed calls", "calls: list | failed is true | yesterday | 100"],
  ["list the 15 newest refused deliveries", "outgoing_webhook_requests: list | outcome is refused | 15"],
  ["list the audit log of yesterday", "audit_logs: list | yesterday | 100"],
  ["last 5 refused inbound rtb requests", "inbound_rtb_requests: list | outcome is refused | 5"],
  ["list unfilled pings of yesterday", "inbound_rtb_requests: list | filled is false | yesterday | 100"],
  ["the last audit entry", "audit_logs: list | 1"],
];

const groups: readonly [string, string][] = [
  ["at what hours do calls come in", "calls: calls by hour_of_day"],
  ["at what hours did we get calls yesterday", "calls: calls by hour | yesterday"],
  ["on which weekdays do calls come in? calls of last quarter", "calls: calls by day_of_week | last quarter"],
  ["list revenue by campaign", "calls: revenue by campaign"],
];

const bounds: readonly [string, string][] = [
  [
    "rpc by state, states with at least 25 calls, best first",
    "calls: rpc+calls by state | calls at_least 25 | rpc desc",
  ],
  ["publishers with more than 25 calls and their rpc", "calls: calls+rpc by publisher | calls more_than 25"],
];

const follows: readonly [readonly string[], string][] = [
  [["revenue by campaign and buyer", "drop the buyer"], "calls: revenue by campaign"],
  [
    ["how many bidder timeouts yesterday", "list them"],
    "outbound_rtb_requests: list | outcome is timeout | yesterday | 100",
  ],
  [["weekly revenue", "add payout"], "calls: revenue+payout by week"],
  [["duplicate calls by publisher", "rate please"], "calls: duplicate_rate by publisher"],
  [["bid timeouts by rtb", "what's the timeout rate then"], "outbound_rtb_requests: timeout_rate by rtb"],
  [
    ["delivery rate by webhook", "first attempts only"],
    "outgoing_webhook_requests: delivery_rate by webhook | first_attempt is true",
  ],
];

describe("where words stand", () => {
  it.each(lists)("what records were and when may stand before their noun: %s", (question, line) =>
    expect(toLine(plan(question))).toBe(line),
  );
  it.each(groups)("what is asked for groups: %s", (question, line) => expect(toLine(plan(question))).toBe(line));
  it.each(bounds)("a bound on groups stands behind the figure before it: %s", (question, line) =>
    expect(toLine(plan(question))).toBe(line),
  );
  it.each(follows)("after an answer, small words change it: %j", (questions, line) =>
    expect(toLine(planChain(...questions))).toBe(line),
  );
  it.each(["drop the buyer", "remove campaign Solar East", "add a buyer"])(
    "without an answer, or of one thing, it is a command: %s",
    (question) => expect(toLine(plan(question))).toMatch(/^refused: I only read data/),
  );
  it("after an answer, a command to do something to one thing stays one", () =>
    expect(toLine(planChain("revenue by campaign", "remove campaign Solar East"))).toMatch(/^refused: I only read/));
});
