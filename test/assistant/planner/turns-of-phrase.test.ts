import { describe, expect, it } from "vitest";
import { plan, planChain, toLine } from "./plan-line.ts";

const said: readonly [string, string][] = [
  ["revenue by state, leave California out", "calls: revenue by state | state is_not CA"],
  ["calls by state yesterday, Texas left out", "calls: calls by state | state is_not TX | yesterday"],
  ["average, median and p95 wait time by target", "calls: avg_wait_time+median_wait_time+p95_wait_time by target"],
  ["avg wait before pickup by target, slowest first", "calls: avg_wait_time by target | avg_wait_time desc"],
  ["callers who phoned us 4 or more times", "calls: calls by caller | calls at_least 4"],
  [
    "webhook deliveries from the 3rd attempt on, by outcome",
    "outgoing_webhook_requests: deliveries by outcome | attempt at_least 3",
  ],
  [
    "incoming webhook status codes other than 200 with counts",
    "incoming_webhook_requests: requests by status_code | status_code is_not 200",
  ],
  [
    "what got deleted, per audit log? break down by entity type",
    "audit_logs: changes by entity_type | action is delete",
  ],
  ["states that gave us fewer than 5 calls", "calls: calls by state | calls less_than 5"],
  ["publishers running under 30% margin", "calls: margin by publisher | margin less_than 30"],
  ["caller ids with more than 3 calls and how many each", "calls: calls by caller | calls more_than 3"],
  ["revenue last week against the week before it", "calls: revenue | last week | against the period before"],
  ["what did we pay out yesterday, all publishers together", "calls: payout | yesterday"],
  ["calls from Texas yesterday, newest first", "calls: list | state is TX | yesterday | 100"],
  [
    "show me calls over 10 minutes that didn't convert",
    "calls: list | duration more_than 600 | converted is false | 100",
  ],
];

describe("turns of phrase", () => {
  it.each(said)("are read as the plain question that they are: %s", (question, line) =>
    expect(toLine(plan(question))).toBe(line),
  );
  it("may name the figure that goes", () =>
    expect(toLine(planChain("average wait time by target", "median rather than average"))).toBe(
      "calls: median_wait_time by target",
    ));
  it.each([
    [["calls by state, top 5", "use payout instead"], "calls: payout by state | payout desc 5"],
    [["calls by hour of day", "swap calls for revenue"], "calls: revenue by hour_of_day"],
    [["calls by state, top 5", "what about payout"], "calls: payout+calls by state | calls desc 5"],
    [["connect rate by buyer", "same thing but by target"], "calls: connect_rate by target"],
    [
      ["incoming webhook requests by status code", "without the 200s"],
      "incoming_webhook_requests: requests by status_code | status_code is_not 200",
    ],
  ])("may say what takes another's place, or goes: %j", (questions, line) =>
    expect(toLine(planChain(...questions))).toBe(line),
  );
  it("may lead to a follow-up", () =>
    expect(toLine(planChain("calls by state last week", "ok and revenue?"))).toBe(
      "calls: revenue by state | last week",
    ));
  it("leave quoted names as they are", () =>
    expect(toLine(plan('revenue of "All Buyers Combined" last month'))).toMatch(/I do not know “All Buyers/));
  it.each(["revenue constructor", "calls by constructor", "calls last constructor"])(
    "are not looked up among what every object has: %s",
    (question) => expect(toLine(plan(question))).toMatch(/I do not know “constructor”/),
  );
  it.each(["calls at night last month", "calls during the night"])("ask back when it is night: %s", (question) =>
    expect(toLine(plan(question))).toMatch(/^clarify: Between which hours/),
  );
  it.each(["same for pings", "same for bids"])("never drop the question that goes on: %s", (question) =>
    expect(toLine(planChain("missed calls by campaign last month", question))).toMatch(
      /^(refused|clarify): Of which records/,
    ),
  );
  it("change nothing about growth that is told in percent anyway", () =>
    expect(plan("month over month % growth of revenue")).toEqual(plan("month over month growth of revenue")));
  it("compare several figures over two periods", () =>
    expect(toLine(plan("webhook deliveries last week vs the week before: volume and failure rate"))).toMatch(
      /^outgoing_webhook_requests: deliveries\+delivery_failure_rate \| last week \| against/,
    ));
});
