import { expect, it } from "vitest";
import { plan, planChain, toLine } from "./plan-line.ts";

const questions: readonly (readonly [question: string, line: string])[] = [
  // All of an exclusion list is excluded, whatever its members are.
  [
    "calls last month excluding weekends and duplicates",
    "calls: calls | day_of_week is_not Saturday/Sunday | duplicate is false | last month",
  ],
  [
    "calls by campaign excluding repeat callers and Acme Media",
    "calls: calls by campaign | repeat is false | publisher is_not Acme Media",
  ],
  ["revenue without Texas or Florida", "calls: revenue | state is_not TX/FL"],
  // The part of a whole under a condition.
  ["what percentage of failed calls were busy", "calls: calls | failed is true | of those failure_reason is busy"],
  [
    "what percentage of converted calls were repeat callers",
    "calls: calls | converted is true | of those repeat is true",
  ],
  // What is asked of the top few.
  ["calls by state for the top publisher", "calls: calls by publisher+state | calls desc 1"],
  ["top 2 publishers per campaign by revenue", "calls: revenue by publisher+campaign | revenue desc 2"],
  // What grew or fell the most.
  [
    "which publisher grew the most in revenue last month",
    "calls: revenue by publisher | last month | against the period before | revenue desc 1",
  ],
  [
    "which campaign dropped the most in calls last month",
    "calls: calls by campaign | last month | against the period before | calls asc 1",
  ],
  ["who made the most changes last month", "audit_logs: changes by actor | last month | changes desc 1"],
  ["calls that converted but were duplicates", "calls: calls | converted is true | duplicate is true"],
  // One figure divided by another.
  ["ratio of payout to revenue by campaign", "calls: payout_per_revenue by campaign"],
  ["payout as a percentage of revenue", "calls: payout_percent_of_revenue"],
  // Steps of a number, extremes, statistics of some records.
  ["distribution of call duration in buckets of 60 seconds last month", "calls: calls by bin:duration:60 | last month"],
  ["talk time histogram, 2 minute buckets", "calls: calls by bin:connect_duration:120"],
  ["connected calls by talk time in 30 second steps", "calls: connected_calls by bin:connect_duration:30"],
  ["longest call by campaign", "calls: longest_duration by campaign"],
  ["average and highest bid per buyer", "outbound_rtb_requests: avg_bid+highest_bid by buyer"],
  ["median revenue per converted call by buyer", "calls: median_revenue by buyer | converted is true"],
  // How many, and how many of those.
  [
    "top 5 states for inbound pings and how many were filled",
    "inbound_rtb_requests: pings+filled_pings by state | pings desc 5",
  ],
  ["calls from Texas, count by campaign", "calls: calls by campaign | state is TX"],
  [
    "which buyers timed out this week and how often",
    "outbound_rtb_requests: outbound_pings by buyer | outcome is timeout | this week",
  ],
  [
    "calls sold by auction last month, count and revenue per buyer",
    "calls: calls+revenue by buyer | sold_by_auction is true | last month",
  ],
  // Parts, sides, losses, how often, and why.
  ["what percentage of calls last month came from Texas", "calls: calls | of those state is TX | last month"],
  [
    "what percentage of calls in October lasted over 2 minutes",
    "calls: calls | of those duration more_than 120 | October 2026",
  ],
  ["revenue on weekends vs weekdays", "calls: revenue by kind_of_day"],
  ["which campaigns lose money", "calls: profit by campaign | profit less_than 0 | profit asc"],
  ["calls where we lost money last month, by publisher", "calls: calls by publisher | profit less_than 0 | last month"],
  ["callers who called more than twice", "calls: calls by caller | calls more_than 2"],
  [
    "slowest 3 webhooks by average response time",
    "outgoing_webhook_requests: avg_response_time by webhook | avg_response_time desc 3",
  ],
  ["failure reasons by campaign", "calls: failed_calls by campaign+failure_reason"],
  ["why did calls fail last week", "calls: calls by failure_reason | failed is true | last week"],
  ["deliveries that needed more than 3 attempts", "outgoing_webhook_requests: messages | attempt more_than 3"],
  [
    "webhook deliveries with attempt number 4 or higher, by outcome",
    "outgoing_webhook_requests: deliveries by outcome | attempt at_least 4",
  ],
  ["bids above $40 by campaign", "outbound_rtb_requests: bids by campaign | bid more_than 40"],
  ["calls after 6pm and their revenue by campaign", "calls: calls+revenue by campaign | hour_of_day at_least 18"],
  ["top 10 calls by revenue last month", "calls: list | last month | revenue desc 10"],
  [
    "publishers with more than 100 calls but a conversion rate below 45%",
    "calls: calls+conversion_rate by publisher | calls more_than 100 | conversion_rate less_than 45",
  ],
  [
    "webhook deliveries answered with 429 or 503, by hour of day",
    "outgoing_webhook_requests: deliveries by hour_of_day | status_code is 429/503",
  ],
  ["who paused things last month and how often", "audit_logs: changes by actor | action is pause | last month"],
  // Groups told together: how many meet a condition, and the mean, least and most of a figure among buckets of time.
  [
    "how many publishers had a conversion rate below 45 percent last month",
    "calls: conversion_rate by publisher | count of groups | conversion_rate less_than 45 | last month",
  ],
  [
    "How many states with at least 20 inbound pings had a fill rate under 75 percent?",
    "inbound_rtb_requests: pings+fill_rate by state | count of groups | pings at_least 20 | fill_rate less_than 75",
  ],
  ["on how many days did revenue exceed 600", "calls: revenue by day | count of groups | revenue more_than 600"],
  [
    "how many webhooks had more than 10 failed deliveries last week",
    "outgoing_webhook_requests: failed_deliveries by webhook | count of groups | failed_deliveries more_than 10 | last week",
  ],
  [
    "average, least and most calls per day last month",
    "calls: calls by day | average+least+most of groups | last month",
  ],
  ["lowest and highest weekly revenue", "calls: revenue by week | least+most of groups"],
  // Several statistics of one number.
  ["median and p95 wait time by target", "calls: median_wait_time+p95_wait_time by target"],
  [
    "what were the lowest, the average and the highest bid of each buyer",
    "outbound_rtb_requests: lowest_bid+avg_bid+highest_bid by buyer",
  ],
  // What limits the question from outside, how many of those, and what a second half asks for.
  [
    "conversion rate per buyer for October, leaving out buyers with fewer than 40 calls",
    "calls: conversion_rate+calls by buyer | calls at_least 40 | October 2026",
  ],
  [
    "best buyer by EPC, counting only buyers with at least 100 connected calls",
    "calls: epc+connected_calls by buyer | connected_calls at_least 100 | epc desc 1",
  ],
  ["looking only at winning bids, highest bid by buyer", "outbound_rtb_requests: highest_bid by buyer | won is true"],
  [
    "how many calls came from a ping and how many of those converted",
    "calls: calls+converted_calls | from_ping is true",
  ],
  ["how many calls converted and how many failed", "calls: converted_calls+failed_calls"],
  [
    "how many changes came through the API and how many from real people, by month",
    "audit_logs: changes by month+actor_type | actor_type is api_key/user",
  ],
  ["calls without any utm_source: count, revenue", "calls: calls+revenue | tag:utm_source empty "],
  ["which calls converted yesterday", "calls: list | converted is true | yesterday | 100"],
  ["calls that were connected for at least 60 seconds", "calls: calls | connect_duration at_least 60"],
  ["calls answered within 20 seconds", "calls: connected_calls | wait_time at_most 20"],
  [
    "which five states account for the largest share of calls this quarter, and what share is it",
    "calls: calls by state | this quarter | calls desc 5",
  ],
  [
    "which status codes of 400 and above did we get, per webhook",
    "outgoing_webhook_requests: deliveries by status_code+webhook | status_code at_least 400",
  ],
  [
    "what percentage of failed calls failed because of busy",
    "calls: calls | failed is true | of those failure_reason is busy",
  ],
  // The day of a month, the number of an attempt.
  ["calls on the 17th", "calls: calls | 2026-11-17"],
  ["calls from the 1st to the 15th of October", "calls: calls | 2026-10-01 to 2026-10-15"],
  ["calls on the 3rd vs the 10th", "calls: calls | 2026-11-03 | against 2026-11-10"],
  ["deliveries on the third attempt", "outgoing_webhook_requests: deliveries | attempt is 3"],
  [
    "list the webhook deliveries that were on their 6th attempt or later",
    "outgoing_webhook_requests: list | attempt at_least 6 | 100",
  ],
  ["90th percentile of duration", "calls: p90_duration"],
  // A part of each group, and what was changed.
  [
    "what percentage of each publisher's calls last month were shorter than 30 seconds",
    "calls: calls by publisher | of those duration less_than 30 | last month",
  ],
  ["who paused something last month, and what?", "audit_logs: changes by actor+entity | action is pause | last month"],
  [
    "who made the most changes last week and to what",
    "audit_logs: changes by actor+entity | last week | changes desc 1",
  ],
  // A call is a list of its own.
  [
    "timeline of call 01a0a1a3-50f9-74a3-b88f-19162077a1e4",
    "calls: list | call is 01a0a1a3-50f9-74a3-b88f-19162077a1e4 | 100",
  ],
];
it.each(questions)("the grammar reads: %s", (question, line) => expect(toLine(plan(question))).toBe(line));

it.each([
  ["which publisher sent the most calls and when", /single calls or show figures/],
  ["calls by state and when", /single calls or show figures/],
  ["webhooks failing right now", /Over which time/],
  ["currently failing webhooks", /Over which time/],
  ["7 day moving average of calls", /“moving”/],
])("what no plan can say is named: %s", (question, named) => {
  const outcome = plan(question);
  expect(outcome.kind).not.toBe("plan");
  expect(toLine(outcome)).toMatch(named);
});

it("a follow-up for the records' own thing keeps the figure", () =>
  expect(toLine(planChain("failed deliveries yesterday", "which hook"))).toBe(
    "outgoing_webhook_requests: failed_deliveries by webhook | yesterday",
  ));
