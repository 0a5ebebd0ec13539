import { describe, expect, it } from "vitest";
import { plan, toLine } from "./plan-line.ts";

function reads(name: string, cases: readonly (readonly [string, string])[]): void {
  describe(name, () => {
    it.each(cases)("%s", (question, line) => expect(toLine(plan(question))).toBe(line));
  });
}

reads("one thing is compared with that of another", [
  ["compare the revenue of Acme Media with that of Red Hill last month", sides("revenue", " | last month")],
  [
    "Please compare the margin of Red Hill with that of Acme Media",
    "calls: margin by publisher | publisher is Red Hill/Acme Media",
  ],
  ["compare calls from Texas with those from Florida", "calls: calls by state | state is TX/FL"],
  ["revenue of Texas and Florida combined last month", "calls: revenue | state is TX/FL | last month"],
  ["payout for Acme Media and Red Hill together", "calls: payout | publisher is Acme Media/Red Hill"],
]);
function sides(figure: string, rest: string): string {
  return `calls: ${figure} by publisher | publisher is Acme Media/Red Hill${rest}`;
}

reads("a bound may be on the mean of each group", [
  [
    "which targets keep callers waiting longer than 20 seconds on average",
    "calls: avg_wait_time by target | avg_wait_time more_than 20",
  ],
  [
    "which targets take more than 15 seconds to answer on average",
    "calls: avg_wait_time by target | avg_wait_time more_than 15",
  ],
  [
    "campaigns whose calls last over 3 minutes on average",
    "calls: avg_duration by campaign | avg_duration more_than 180",
  ],
  [
    "webhooks that take more than 300 ms on average",
    "outgoing_webhook_requests: avg_response_time by webhook | avg_response_time more_than 300",
  ],
]);

reads("groups are limited to those that a bound holds of", [
  [
    "worst target by connect rate among those with 20 calls or more",
    "calls: connect_rate+calls by target | calls at_least 20 | connect_rate asc 1",
  ],
  [
    "best publisher by margin among those with at least 50 calls",
    "calls: margin+calls by publisher | calls at_least 50 | margin desc 1",
  ],
  [
    "the number of days in October on which we made less than $300 profit",
    "calls: profit by day | count of groups | profit less_than 300 | October 2026",
  ],
  [
    "which campaigns cost us more than $200 in payout, and their revenue",
    "calls: payout+revenue by campaign | payout more_than 200",
  ],
  ["which publishers earned more than $500 in payout", "calls: payout by publisher | payout more_than 500"],
  [
    "targets where callers hung up before an answer more than 10 times",
    "calls: calls by target | failure_reason is caller_hangup | calls more_than 10",
  ],
  [
    "publishers whose calls failed more than 20 times last month",
    "calls: failed_calls by publisher | failed_calls more_than 20 | last month",
  ],
]);

reads("several statistics are of one number", [
  [
    "p50/p95/p99 response time by webhook",
    "outgoing_webhook_requests: p50_response_time+p95_response_time+p99_response_time by webhook",
  ],
  ["p50/p90 talk time by target", "calls: median_connect_duration+p90_connect_duration by target"],
  [
    "lowest, average and highest revenue per billable call for every buyer",
    "calls: min_revenue+avg_revenue+max_revenue by buyer | receivable is true",
  ],
  ["min, average and max payout per call by publisher", "calls: min_payout+avg_payout+max_payout by publisher"],
  ["wait time by target last week, p95", "calls: p95_wait_time by target | last week"],
  ["90th pct wait time by target", "calls: p90_wait_time by target"],
]);

reads("who comes second, and so many of a kind", [
  [
    "which campaign was second in profit last month",
    "calls: profit by campaign | last month | profit desc 1 | behind 1",
  ],
  ["which publisher was third by revenue", "calls: revenue by publisher | revenue desc 1 | behind 2"],
  ["the 3 buyers that spend the most with us this month", "calls: revenue by buyer | this month | revenue desc 3"],
  ["which publishers calls are the longest on average", "calls: avg_duration by publisher | avg_duration desc 10"],
  ["what do we pay on average for a conversion from each publisher", "calls: payout_per_conversion by publisher"],
  ["which three buyers paid us the least in October", "calls: revenue by buyer | October 2026 | revenue asc 3"],
  ["the ten callers who called most often", "calls: calls by caller | calls desc 10"],
  ["the three publishers who sent the fewest calls", "calls: calls by publisher | calls asc 3"],
  ["rank the states by profit and show me only the first five", "calls: profit by state | profit desc 5"],
  [
    "p95 response time by webhook, slowest p95 first",
    "outgoing_webhook_requests: p95_response_time by webhook | p95_response_time desc",
  ],
  ["show the ten callers who have brought in the most revenue", "calls: revenue by caller | revenue desc 10"],
  ["the five publishers that sent us the most calls", "calls: calls by publisher | calls desc 5"],
  ["name the three campaigns that made the most profit", "calls: profit by campaign | profit desc 3"],
  ["the 5 buyers who spent the most this month", "calls: revenue by buyer | this month | revenue desc 5"],
]);

reads("what is measured is divided by what is said behind “per”, wherever that stands", [
  ["what did Sunny Group bring in per connected minute", "calls: revenue_per_minute | buyer is Sunny Group"],
  ["how much are we making per call from Texas vs Florida", "calls: rpc by state | state is TX/FL"],
  ["did calls with a recording bring more per call than those without", "calls: rpc by recorded"],
  ["which publisher brings in the most per call", "calls: rpc by publisher | rpc desc 1"],
  ["payout last month per connected minute by publisher", "calls: payout_per_minute by publisher | last month"],
  ["what do we keep per call from repeat callers versus first-time callers", "calls: profit_per_call by repeat"],
  ["cost per acquisition by publisher", "calls: payout_per_conversion by publisher"],
]);

reads("a fact and its opposite, and the part of what is counted", [
  ["of the calls in October, how many carry a recording and how many don't", "calls: calls by recorded | October 2026"],
  ["how many calls converted last month and how many didn't", "calls: calls by converted | last month"],
  [
    "connected calls per buyer and what % of those converted",
    "calls: calls+conversion_rate by buyer | connected is true",
  ],
  ["how many calls connected, and what share of them converted", "calls: calls+conversion_rate | connected is true"],
  ["missed calls by target in percent, last week", "calls: failure_rate by target | last week"],
  ["calls from Texas last week and did any convert", "calls: calls+converted_calls | state is TX | last week"],
]);

reads("everyday words say what is in the catalog", [
  ["what did Solar East lose or make last month", "calls: profit | campaign is Solar East | last month"],
  ["did we make or lose money on Red Hill", "calls: profit | publisher is Red Hill"],
  ["calls with no route by campaign", "calls: calls by campaign | failure_reason is no_eligible_route"],
  [
    "which target leaves callers waiting the longest before someone picks up",
    "calls: avg_wait_time by target | avg_wait_time desc 1",
  ],
  ["who called us more than 3 times last week", "calls: calls by caller | calls more_than 3 | last week"],
  ["numbers that called us more than twice yesterday", "calls: calls by caller | calls more_than 2 | yesterday"],
  ["what did the auctions earn us compared with our own targets", "calls: revenue by sold_by_auction"],
  ["short calls under 10 seconds by publisher", "calls: calls by publisher | duration less_than 10"],
  ["yesterday's numbers: calls, revenue, profit", "calls: calls+revenue+profit | yesterday"],
  ["worst day for profit this month, and how bad was it", "calls: profit by day | this month | profit asc 1"],
  ["the 20 most expensive calls last week in terms of payout", "calls: list | last week | payout desc 20"],
  ["trend of revenue for Red Hill, monthly", "calls: revenue by month | publisher is Red Hill"],
]);

reads("money is said in many ways", [
  ["what did we earn per connected minute last month", "calls: revenue_per_minute | last month"],
  ["what do we pay per talk minute by publisher", "calls: payout_per_minute by publisher"],
  ["revenue net of payout by buyer", "calls: profit by buyer"],
  ["are we making or losing money on Acme Media", "calls: profit | publisher is Acme Media"],
  ["what were the calls from Texas worth last month", "calls: revenue | state is TX | last month"],
  ["agreed payout versus what was really paid, by publisher", "calls: sum_configured_payout+payout by publisher"],
  ["configured revenue versus actual revenue by buyer", "calls: sum_configured_revenue+revenue by buyer"],
  ["what percentage of payout is spent on calls from repeat callers", "calls: payout | of those repeat is true"],
  ["how many calls did the buyer pay for last month", "calls: calls | receivable is true | last month"],
  ["calls buyers paid for, by publisher", "calls: calls by publisher | receivable is true"],
  [
    "how many calls did the buyer pay for but we did not pay the publisher for",
    "calls: calls | receivable is true | payable is false",
  ],
]);

reads("series and their times", [
  ["calls by month and profit", "calls: calls+profit by month"],
  [
    "how many calls did we get last week and how many the week before",
    "calls: calls | last week | against the period before",
  ],
  ["timeouts from bidders per week", "outbound_rtb_requests: timeouts by week"],
  [
    "webhook deliveries with status 429 by hour of day",
    "outgoing_webhook_requests: deliveries by hour_of_day | status_code is 429",
  ],
  [
    "cached pings as a percentage of all pings by publisher",
    "inbound_rtb_requests: pings by publisher | of those outcome is cached",
  ],
  [
    "when was the last time someone edited a routing plan",
    "audit_logs: list | action is update | entity_type is routing_plan | 1",
  ],
]);

reads("each group has a mean, a ratio and an end of its own", [
  ["what was the lowest margin of any campaign last month", "calls: margin by campaign | last month | margin asc 1"],
  ["the highest revenue of any day in October", "calls: revenue by day | October 2026 | revenue desc 1"],
  ["which target has the longest wait on average", "calls: avg_wait_time by target | avg_wait_time desc 1"],
  ["which campaign has the shortest calls on average", "calls: avg_duration by campaign | avg_duration asc 1"],
  ["what is the payout-to-revenue ratio by campaign", "calls: payout_per_revenue by campaign"],
  ["how much of our payout was for calls that did not convert", "calls: payout | of those converted is false"],
  ["list the calls with payout higher than revenue", "calls: list | profit less_than 0 | 100"],
  ["compare Texas to Florida on conversion rate", "calls: conversion_rate by state | state is TX/FL"],
  ["spend on publishers by month", "calls: payout by month"],
]);

it.each([
  ["how many calls does each target take per day on average", "target"],
  ["how many calls a day did each publisher send us on average last month", "publisher"],
])("the mean of a day of each: %s", (question, group) => {
  const outcome = plan(question);
  expect(outcome.kind === "plan" && [outcome.plan.average_per, outcome.plan.dimensions]).toEqual(["day", [group]]);
});

it.each([
  ["revenue per day with a running total", "total"],
  ["calls by week with the cumulative total", "total"],
  ["change in revenue from one week to the next by campaign", "change"],
])("what runs on from bucket to bucket: %s", (question, running) => {
  const outcome = plan(question);
  expect(outcome.kind === "plan" && outcome.plan.running).toBe(running);
});

it.each(["lowest average revenue by buyer", "calls between 5 and 9", "revenue of Red Hill with profit of Acme Media"])(
  "what could be meant two ways is not guessed: %s",
  (question) => {
    expect(toLine(plan(question))).not.toMatch(/min_|hour_of_day|publisher is Red Hill\/Acme Media/);
  },
);
