import { expect, it } from "vitest";
import { plan, planChain, planNamed, toLine } from "./plan-line.ts";

const asked: readonly [string | readonly string[], string][] = [
  [
    "pings by state last month, and how many were filled",
    "inbound_rtb_requests: pings+filled_pings by state | last month",
  ],
  ["calls by publisher last month and how many converted", "calls: calls+converted_calls by publisher | last month"],
  ["how many calls last week - how many converted", "calls: calls+converted_calls | last week"],
  [
    "how many deliveries failed yesterday and how many were retried",
    "outgoing_webhook_requests: failed_deliveries+retries | yesterday",
  ],
  ["calls by week, converted and missed", "calls: calls+converted_calls+failed_calls by week"],
  ["auctioned calls and their revenue by month", "calls: calls+revenue by month | sold_by_auction is true"],
  ["calls by publisher and their revenue", "calls: calls+revenue by publisher"],
  [
    "which webhook has the worst delivery failure rate",
    "outgoing_webhook_requests: delivery_failure_rate by webhook | delivery_failure_rate desc 1",
  ],
  ["worst abandon rate by publisher", "calls: abandon_rate by publisher | abandon_rate desc 1"],
  ["which buyer has the best wait time", "calls: avg_wait_time by buyer | avg_wait_time asc 1"],
  ["best conversion rate by publisher", "calls: conversion_rate by publisher | conversion_rate desc 1"],
  ["abandon rate by publisher, worst first", "calls: abandon_rate by publisher | abandon_rate desc"],
  [["abandon rate by buyer", "worst 3"], "calls: abandon_rate by buyer | abandon_rate desc 3"],
  ["calls of sunny last month", "calls: calls | buyer is Sunny Group | last month"],
  ["sunny calls by target", "calls: calls by target | buyer is Sunny Group"],
  ["calls by weekday for the east solar campaign", "calls: calls by day_of_week | campaign is Solar East"],
  ["revenue of both solar campaigns last month", "calls: revenue | campaign is Solar East/Solar West | last month"],
  [
    "revenue by campaign excluding both solar campaigns",
    "calls: revenue by campaign | campaign is_not Solar East/Solar West",
  ],
  [
    "which solar campaigns made the most last month",
    "calls: revenue by campaign | campaign is Solar East/Solar West | last month | revenue desc 10",
  ],
  [["revenue by buyer", "only sunny"], "calls: revenue by buyer | buyer is Sunny Group"],
  [
    "changes made to targets by api key vs by hand",
    "audit_logs: changes by actor_type | entity_type is target | actor_type is api_key/user",
  ],
  [
    "webhook deliveries in september or october",
    "outgoing_webhook_requests: deliveries | September 2026 or October 2026",
  ],
  ["our overall conversion rate this month", "calls: conversion_rate | this month"],
  [["missed calls this month", "why? by failure reason"], "calls: failed_calls by failure_reason | this month"],
  [
    ["pings by outcome of Acme Media", "compare with Red Hill, same thing for them"],
    "inbound_rtb_requests: pings by outcome+publisher | publisher is Acme Media/Red Hill",
  ],
  [
    ["top 3 publishers by payout", "make it 5", "profit not payout"],
    "calls: profit+payout by publisher | profit desc 5",
  ],
  [
    ["calls over 10 minutes this month", "list them", "how many is that"],
    "calls: calls | duration more_than 600 | this month",
  ],
  ["show me calls over 10 minutes this month", "calls: list | duration more_than 600 | this month | 100"],
  ["what did Acme Media bring in and how many calls did they send", "calls: revenue+calls | publisher is Acme Media"],
  ["how much is each buyer going to owe us for october", "calls: revenue by buyer | October 2026"],
  [
    "receiver says they had an outage: failed deliveries by status code last month",
    "outgoing_webhook_requests: failed_deliveries by status_code | last month",
  ],
  ["revenue by campaign last month, billing is asking", "calls: revenue by campaign | last month"],
  ["calls per hour of day last month so I can staff the desks", "calls: calls by hour_of_day | last month"],
  ["Morning! how many calls this week", "calls: calls | this week"],
  [
    "number of bids over $40 that lost the auction, per buyer",
    "outbound_rtb_requests: bids by buyer | bid more_than 40 | lost is true",
  ],
  ["average and highest bid by formula", "outbound_rtb_requests: avg_bid+highest_bid by rtb"],
  ["average talk time and wait by buyer", "calls: acl+avg_wait_time by buyer"],
  ["409 answers on outgoing webhooks by week", "outgoing_webhook_requests: deliveries by week | status_code is 409"],
  [
    "which actors deleted a campaign last month",
    "audit_logs: changes by actor | action is delete | entity_type is campaign | last month",
  ],
  [
    "campaign pauses and resumes by actor",
    "audit_logs: changes by actor+action | entity_type is campaign | action is pause/resume",
  ],
  [
    "revenue by utm_source, only calls that carry a utm_source",
    "calls: revenue by tag:utm_source | tag:utm_source not_empty ",
  ],
  [
    "area codes with more than 12 calls, skip anything under 20 calls",
    "calls: calls by area_code | calls more_than 12 | calls at_least 20",
  ],
  [
    "what percentage of Acme Media's calls were duplicates",
    "calls: calls | publisher is Acme Media | of those duplicate is true",
  ],
  [
    "number of calls with talk time between 2 and 4 minutes per buyer",
    "calls: calls by buyer | connect_duration at_least 120 | connect_duration at_most 240",
  ],
  [
    "calls by hour of day, weekdays only",
    "calls: calls by hour_of_day | day_of_week is Monday/Tuesday/Wednesday/Thursday/Friday",
  ],
  [
    "ny and nj this month, how many connected calls from each",
    "calls: connected_calls by state | state is NY/NJ | this month",
  ],
  [
    ["inbound pings by campaign last 7 days", "what about the last 30"],
    "inbound_rtb_requests: pings by campaign | last 30 days",
  ],
  ["calls overnight", "calls: calls | part_of_day is overnight"],
];
it.each(asked)("people ask in their own words: %j", (said, line) =>
  expect(toLine(typeof said === "string" ? plan(said) : planChain(...said))).toBe(line),
);

it.each(["revenue by campaign last month, net of chargebacks", "revenue by campaign last month, refunds excluded"])(
  "a condition that we do not know is no remark: %s",
  (question) => expect(plan(question).kind).not.toBe("plan"),
);

it.each([
  [
    "average duration and conversion rate of converted calls",
    "calls: avg_duration+conversion_rate | converted is true",
  ],
  [
    "calls last month (payable but not receivable)",
    "calls: calls | payable is true | receivable is false | last month",
  ],
  ["calls by publisher last month, biggest revenue first", "calls: revenue by publisher | last month | revenue desc"],
  ["calls from October 1 to date", "calls: calls | since 2026-10-01"],
  [
    "publishers with no conversions last month",
    "calls: converted_calls by publisher | converted_calls at_most 0 | last month",
  ],
  [
    "converted calls and failed calls and their revenue by campaign",
    "calls: converted_calls+failed_calls+revenue by campaign",
  ],
  ["pings last month and how many were not filled", "inbound_rtb_requests: pings+unfilled_pings | last month"],
  [
    "deliveries that succeeded on the second attempt",
    "outgoing_webhook_requests: deliveries | delivered is true | attempt is 2",
  ],
])("no turn of phrase swallows a condition: %s", (question, line) => expect(toLine(plan(question))).toBe(line));

it.each([
  "source is Zenith, calls last month",
  "calls by day, timezone is Tokyo",
  "calls last month, we want veterans",
  "calls last month, ignoring robocalls we had",
  "reasons why revenue dropped last month",
  "calls with duration between 9 and 5",
  "deliveries between 9 and 5 attempts",
])("what is not understood is not left out: %s", (question) => expect(plan(question).kind).not.toBe("plan"));

it("a fact that is left out narrows the answer before", () => {
  expect(toLine(planChain("conversion rate by publisher this month", "and without duplicates?"))).toBe(
    "calls: conversion_rate by publisher | duplicate is false | this month",
  );
});

it.each([
  ["worst abandon rate by publisher last month, top 5", "abandon_rate desc 5"],
  ["best conversion rate by publisher last month, top 5", "conversion_rate desc 5"],
  ["worst conversion rate by publisher last month, top 3", "conversion_rate asc 3"],
  ["top 5 publishers by abandon rate last month", "abandon_rate desc 5"],
])("how many of the worst is no word for the other end: %s", (question, order) =>
  expect(toLine(plan(question)).endsWith(`| ${order}`), toLine(plan(question))).toBe(true),
);

it("callers that an answer is narrowed to are no grouping", () => {
  expect(toLine(planChain("pings by publisher last month", "only callers from CA"))).toBe(
    "inbound_rtb_requests: pings by publisher | state is CA | last month",
  );
});

it("what callers earn is no revenue", () => {
  expect(plan("what is the caller's income by state").kind).toBe("refused");
});

it.each([
  ["the worst one", "calls: failure_rate by target | last month | failure_rate desc 1"],
  ["which one was the best", "calls: failure_rate by target | last month | failure_rate asc 1"],
  ["biggest one only", "calls: failure_rate by target | last month | failure_rate desc 1"],
])("the best of an answer before depends on its figure: %s", (question, line) =>
  expect(toLine(planChain("failure rate by target last month", question))).toBe(line),
);

it("a turn of phrase within a name is no turn of phrase", () => {
  const named = (text: string) => planNamed(["Solar", "Solar Weekdays Only", "Roofs Fort Worth"], text);
  expect(toLine(named("revenue of Solar Weekdays Only last month"))).toBe(
    "calls: revenue | campaign is Solar Weekdays Only | last month",
  );
  expect(toLine(named("calls of Roofs Fort Worth over 5 minutes"))).toBe(
    "calls: calls | campaign is Roofs Fort Worth | duration more_than 300",
  );
});

it("what was left out is told", () => {
  expect(plan("revenue by campaign last month, billing is asking")).toMatchObject({
    kind: "plan",
    notes: ["I left out “billing is asking”."],
  });
});

it.each([
  [
    "Good morning! My manager complains, so could you please tell me how many calls failed last month, thanks a lot",
    "calls: calls | failed is true | last month",
    ["My manager complains"],
  ],
  [
    "Would you be so kind as to show me the calls by state last month, if you don't mind?",
    "calls: calls by state | last month",
    [],
  ],
  [
    "May I ask for the conversion rate by buyer last month, please and thank you",
    "calls: conversion_rate by buyer | last month",
    [],
  ],
  // What limits the question is kept.
  [
    "We only count converted calls, so how much revenue was there last month?",
    "calls: revenue | converted is true | last month",
    [],
  ],
])("courtesies and remarks say nothing of what is asked: %s", (question, line, asides) => {
  const outcome = plan(question);
  expect(toLine(outcome)).toBe(line);
  expect(outcome).toMatchObject({ notes: asides.map((each) => `I left out “${each}”.`) });
});

it.each([
  // Whose calls are meant may stand in the remark alone.
  "Acme Media is upset, so how many calls failed last month?",
  "We had an outage yesterday, so how many calls failed?",
  "Outbound pings: how many requests were refused last month?",
])("a remark that may say which records are meant is not left out: %s", (question) =>
  expect(plan(question).kind).not.toBe("plan"),
);

it("a condition that a remark says is kept", () => {
  expect(toLine(plan("We only count converted calls, so how much revenue was there last month?"))).toBe(
    "calls: revenue | converted is true | last month",
  );
});

it("a name that we do not know is no small word with a slip", () => {
  expect(plan("calls of Cmae last month").kind).not.toBe("plan");
});
