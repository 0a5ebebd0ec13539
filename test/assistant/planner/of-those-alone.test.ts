import { describe, expect, it } from "vitest";
import { plan, toLine } from "./plan-line.ts";

const alone: readonly [string, string][] = [
  ["average bid only lost", "outbound_rtb_requests: avg_bid | lost is true"],
  ["average winning bid by buyer", "outbound_rtb_requests: avg_bid by buyer | won is true"],
  ["won bids under $20", "outbound_rtb_requests: wins | bid less_than 20"],
  ["processing time of unfilled pings", "inbound_rtb_requests: avg_time | filled is false"],
  ["average duration of abandoned calls by campaign", "calls: avg_duration by campaign | abandoned is true"],
  ["revenue from repeat callers", "calls: revenue | repeat is true"],
  ["cpc calls by campaign", "calls: calls by campaign | tag:utm_medium is cpc"],
  ["calls from cpc", "calls: calls | tag:utm_medium is cpc"],
  ["weekday calls", "calls: calls | day_of_week is Monday/Tuesday/Wednesday/Thursday/Friday"],
  ["calls by weekdays after 5pm", "calls: calls by day_of_week | hour_of_day at_least 17"],
  [
    "calls by publisher only weekdays after 5pm",
    "calls: calls by publisher | day_of_week is Monday/Tuesday/Wednesday/Thursday/Friday | hour_of_day at_least 17",
  ],
  ["calls on weekdays", "calls: calls | day_of_week is Monday/Tuesday/Wednesday/Thursday/Friday"],
];

const figures: readonly [string, string][] = [
  ["cpc by campaign", "calls: payout_per_call by campaign"],
  ["bids won vs lost by buyer", "outbound_rtb_requests: wins+losses by buyer"],
  ["filled vs unfilled pings", "inbound_rtb_requests: filled_pings+unfilled_pings"],
  ["bid latency p95 by buyer", "outbound_rtb_requests: p95_time by buyer"],
  ["deliveries that took longer than 1 second", "outgoing_webhook_requests: deliveries | response_time more_than 1000"],
  [
    "which buyer times out the most",
    "outbound_rtb_requests: outbound_pings by buyer | outcome is timeout | outbound_pings desc 1",
  ],
  ["the longest call of each publisher", "calls: longest_duration by publisher"],
  ["the longest webhook delivery of each webhook", "outgoing_webhook_requests: slowest_response_time by webhook"],
  ["most common failure reason", "calls: calls by failure_reason | calls desc 1"],
  ["did revenue go up last month", "calls: revenue | last month | against the period before"],
];

const handedBack: readonly [string, RegExp][] = [
  ["list the longest call of each publisher", /^refused: I list single calls or show figures/],
  ["list the longest webhook delivery of each webhook", /^refused: I list single webhook deliveries or show figures/],
];

const asked: readonly [string, string][] = [
  ["lost bids avg bid", "average bid only lost"],
  ["first attempt success rate", "delivery rate only on the first attempt"],
  ["which publisher grew the most last week", "biggest increase in revenue by publisher last week"],
  ["who sends the longest calls", "which publisher has the highest average duration"],
  ["rtb request volume by hour yesterday", "inbound RTB requests by hour yesterday"],
];

describe("what is said of some records", () => {
  it.each(alone)("is of those alone: %s", (question, line) => expect(toLine(plan(question))).toBe(line));
  it.each(figures)("is shown as it was asked: %s", (question, line) => expect(toLine(plan(question))).toBe(line));
  it.each(handedBack)("is handed back where no plan can say it: %s", (question, reason) =>
    expect(toLine(plan(question))).toMatch(reason),
  );
  it.each(asked)("is asked back where it may be two things: %s", (question, option) => {
    const outcome = plan(question);
    expect(outcome).toMatchObject({ kind: "clarify", options: expect.arrayContaining([option]) });
    if (outcome.kind === "clarify") for (const each of outcome.options) expect(plan(each).kind, each).toBe("plan");
  });
});
