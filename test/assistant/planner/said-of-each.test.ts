import { describe, expect, it } from "vitest";
import { plan, toLine } from "./plan-line.ts";

const shares: readonly [string, string][] = [
  ["revenue by campaign last month, what share has each", "calls: revenue by campaign | last month"],
  ["calls by status, percentage of each", "calls: calls by status"],
  ["rtb revenue per formula, what percent of the total does each have", "outbound_rtb_requests: bidder_revenue by rtb"],
];

const kinds: readonly [string, string][] = [
  ["status of calls yesterday", "calls: calls by status | yesterday"],
  [
    "show me the outcomes of webhook deliveries last week",
    "outgoing_webhook_requests: deliveries by outcome | last week",
  ],
];

const rates: readonly [string, string][] = [
  ["missed calls last month, what percent are they of all calls", "calls: failed_calls+failure_rate | last month"],
  ["converted calls, and what share is that of all calls", "calls: converted_calls+conversion_rate"],
];

const lists: readonly [string, string][] = [
  [
    "incoming webhook requests slower than 50 ms, list with the newest first",
    "incoming_webhook_requests: list | response_time more_than 50 | 100",
  ],
  ["failed calls yesterday, newest first", "calls: list | failed is true | yesterday | 100"],
  ["list converted calls, newest first", "calls: list | converted is true | 100"],
  ["the most recent converted calls, 10", "calls: list | converted is true | 10"],
  ["latest failed deliveries, 5", "outgoing_webhook_requests: list | failed is true | 5"],
];

const besides: readonly [string, string][] = [
  ["calls from Texas last month and what they earned", "calls: calls+revenue | state is TX | last month"],
  ["calls by campaign last week and what they made", "calls: calls+revenue by campaign | last week"],
  ["calls from Texas yesterday and what they cost us", "calls: calls+payout | state is TX | yesterday"],
];

const others: readonly [string, string][] = [
  ["revenue of converted calls vs ones that did not convert", "calls: revenue by converted"],
  ["which combination of publisher and buyer has the most revenue", "calls: revenue by publisher+buyer | revenue desc"],
  [
    "the slowest response of outgoing webhooks this week, how many ms?",
    "outgoing_webhook_requests: slowest_response_time | this week",
  ],
  ["Texas and Florida calls each", "calls: calls by state | state is TX/FL"],
  [
    "which publishers have the lowest margin last month? all of them pls, lowest first",
    "calls: margin by publisher | last month | margin asc",
  ],
  ["show me the converted calls from October with the amounts", "calls: list | converted is true | October 2026 | 100"],
  ["which days did we make less than $500 profit", "calls: profit by day | profit less_than 500"],
  ["for each state, how many calls came in and what share of them converted", "calls: calls+conversion_rate by state"],
  [
    "by how many percent did calls grow from September to October for each campaign",
    "calls: calls by campaign | October 2026 | against September 2026",
  ],
  ["calls between 9 and 5 by state", "calls: calls by state | hour_of_day at_least 9 | hour_of_day less_than 17"],
  ["which days crossed 10 conversions", "calls: converted_calls by day | converted_calls more_than 10"],
  [
    "difference of revenue between September and October, for each publisher",
    "calls: revenue by publisher | October 2026 | against September 2026",
  ],
];

const readsAs = (question: string, line: string): void => expect(toLine(plan(question))).toBe(line);

describe("what is said of each", () => {
  it.each(shares)("a share of each, said behind: %s", (question, line) => {
    readsAs(question, line);
    expect(plan(question)).toMatchObject({ plan: { share: true } });
  });
  it.each(kinds)("the status of records is what they are counted by: %s", readsAs);
  it.each(rates)("what part of all they are is their rate, which is of all: %s", readsAs);
  it.each(lists)("records, the newest first, or so many of them: %s", readsAs);
  it.each(besides)("what they earned stands beside how many there were: %s", readsAs);
  it.each(others)("%s", readsAs);
  it.each([
    "calls last month, each",
    "revenue with the amounts",
    "whose calls were they",
    "The numbers should be net. revenue by publisher",
    "calls, share of each",
    "calls between 2 and 5 by state",
    "what was the revenue, 10",
  ])("what is left open is no plan: %s", (question) => expect(plan(question).kind).not.toBe("plan"));
});
