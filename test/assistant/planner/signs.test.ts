import { expect, it } from "vitest";
import { plan, toLine } from "./plan-line.ts";

const bounds: readonly [string, string][] = [
  ["how many calls took 3 or more dials", "calls: calls | attempts at_least 3"],
  ["revenue of calls with 50 dollars or more in revenue", "calls: revenue | revenue at_least 50"],
  [
    "top 5 states by profit, only states having 20+ calls",
    "calls: profit+calls by state | calls at_least 20 | profit desc 5",
  ],
  ["states with 20 calls or more", "calls: calls by state | calls at_least 20"],
  ["publishers with $500+ revenue", "calls: revenue by publisher | revenue at_least 500"],
  ["webhook deliveries on attempt 4 or later", "outgoing_webhook_requests: deliveries | attempt at_least 4"],
  ["webhook deliveries on attempt 3+", "outgoing_webhook_requests: deliveries | attempt at_least 3"],
  ["calls at 8 pm or later", "calls: calls | hour_of_day at_least 20"],
  ["calls over 15 minutes long", "calls: calls | duration more_than 900"],
  ["inbound pings that took longer than a second", "inbound_rtb_requests: pings | processing_time more_than 1000"],
  ["inbound pings over half a second", "inbound_rtb_requests: pings | processing_time more_than 500"],
];
it.each(bounds)("a number is the least or the most: %s", (question, line) => expect(toLine(plan(question))).toBe(line));

it("a date that is the least begins a period until now", () => {
  expect(toLine(plan("calls on October 5 or later"))).toBe("calls: calls | since 2026-10-05");
});

const signs: readonly [string, string][] = [
  ["calls + revenue by buyer", "calls: calls+revenue by buyer"],
  ["day of week x hour of day call counts", "calls: calls by hour_of_day+day_of_week"],
  ["calls neither from Acme Media nor Red Hill", "calls: calls | publisher is_not Acme Media/Red Hill"],
  ["calls that neither converted nor connected", "calls: calls | converted is false | connected is false"],
  ["no-route calls by campaign", "calls: calls by campaign | failure_reason is no_eligible_route"],
  ["biggest single-call payout by publisher", "calls: max_payout by publisher"],
  ["failed calls from Texas or Ohio, all of them, by reason", "calls: failed_calls by failure_reason | state is TX/OH"],
  ["calls besides those from Texas", "calls: calls | state is_not TX"],
  ["revenue apart from the calls of Acme Media", "calls: revenue | publisher is_not Acme Media"],
  ["histogram of call duration, 30 second steps", "calls: calls by bin:duration:30"],
  ["distribution of revenue per call in $25 increments", "calls: calls by bin:revenue:25"],
];
it.each(signs)("signs and steps are read: %s", (question, line) => expect(toLine(plan(question))).toBe(line));

it("what all of them are must stand in the question", () => {
  expect(toLine(plan("revenue of all of them last month"))).not.toMatch(/^calls/);
});

it("the quarter so far is a period, not a grouping", () => {
  expect(toLine(plan("highest bid of the quarter so far for each formula"))).toBe(
    "outbound_rtb_requests: highest_bid by rtb | this quarter",
  );
});
