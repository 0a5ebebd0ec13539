import { expect, it } from "vitest";
import { plan, planChain, toLine } from "./plan-line.ts";

it.each([
  ["calls last week", "total payout", "calls: payout | last week"],
  ["calls from Texas last month", "what was the average wait time", "calls: avg_wait_time | state is TX | last month"],
  [
    "list the billable calls of Sunny Group last week",
    "what revenue was that",
    /revenue \| receivable is true \| buyer/,
  ],
  ["calls of Acme Media yesterday", "conversions?", "calls: converted_calls | publisher is Acme Media | yesterday"],
])("a figure alone is one of the records before: %s, %s", (first, second, line) => {
  const found = toLine(planChain(first, second));
  if (typeof line === "string") expect(found).toBe(line);
  else expect(found).toMatch(line);
});

it.each([
  ["incoming webhook requests last week", "how many got refused", "refused_requests | last week"],
  ["calls by publisher yesterday", "how many converted", "converted_calls by publisher | yesterday"],
  ["calls last month", "how many from Texas", "calls | state is TX | last month"],
])("how many is asked of those before: %s, %s", (first, second, line) => {
  expect(toLine(planChain(first, second))).toContain(line);
});

it("behind what failed, how many converted is asked back", () => {
  expect(toLine(planChain("failed calls last week", "how many converted"))).toMatch(/goes on from/);
  expect(toLine(planChain("revenue by campaign last week", "how many calls failed"))).toMatch(/goes on from/);
});

it("all time is said where it is meant", () => {
  expect(toLine(planChain("calls last month", "total calls of all time"))).toBe("calls: calls");
});

it.each([
  [
    "top 5 publishers by payout last month",
    "same for profit",
    "calls: profit by publisher | last month | profit desc 5",
  ],
  ["which campaign had the most calls", "same thing for margin", "calls: margin by campaign | margin desc 1"],
])("the same of another figure is ranked by that: %s, %s", (first, second, line) => {
  expect(toLine(planChain(first, second))).toBe(line);
});

it.each([
  ["abandoned calls per week from October 5 through November 15", "abandoned_calls by week | 2026-10-05 to 2026-11-15"],
  ["revenue each week from Oct 5 until Nov 8", "revenue by week | 2026-10-05 to 2026-11-08"],
  ["calls per week starting October 5", "calls by week | since 2026-10-05"],
  ["calls in the week starting November 2", "calls | week of 2026-11-02"],
])("each week of a stretch is no single one: %s", (question, line) => {
  expect(toLine(plan(question))).toBe(`calls: ${line}`);
});

it("units of time longer than the one day that is said are asked back", () => {
  expect(toLine(plan("calls by week from November 2"))).toMatch(/since 2026-11-02/);
  expect(toLine(plan("calls by hour on November 2"))).toBe("calls: calls by hour | 2026-11-02");
});

it.each([
  ["how often do our bidders win", "wins by buyer"],
  ["how often do bidders win? win rate by bidder last month", "wins+win_rate by buyer | last month"],
  ["formulas that got skipped last month, count by reason", "skipped_pings by reason | last month"],
])("how often asks not how many do it: %s", (question, line) => {
  expect(toLine(plan(question))).toBe(`outbound_rtb_requests: ${line}`);
});

it("a rate is not asked of those alone that make it", () => {
  expect(plan("delivery rate of webhook deliveries that went through").kind).not.toBe("plan");
});

it.each([
  ["is margin higher on mondays", "margin by day_of_week"],
  ["was the payout per call better on weekends last month", "payout_per_call by kind_of_day | last month"],
  ["is the connect rate lower in the evening", "connect_rate by part_of_day"],
])("what is said to be better at some time is held against the others: %s", (question, line) => {
  expect(toLine(plan(question))).toBe(`calls: ${line}`);
});

it.each([
  ["for each publisher, what share of its calls converted", "conversion_rate by publisher"],
  ["what share of each publisher's calls converted last month", "conversion_rate by publisher | last month"],
])("a share of its own calls is a rate: %s", (question, line) => {
  expect(toLine(plan(question))).toBe(`calls: ${line}`);
});

it.each([
  ["share the revenue by campaign last month", "revenue by campaign | last month"],
  ["please share how many calls from Texas converted", "calls | state is TX | converted is true"],
])("who is asked to share something is asked for it: %s", (question, line) => {
  const outcome = plan(question);
  expect(toLine(outcome)).toBe(`calls: ${line}`);
  expect(outcome).toMatchObject({ plan: { share: false, portion: [] } });
});

it.each([
  "what percentage of calls was billable, and what percentage was payable",
  "revenue of converted calls and number of all calls by campaign",
  "duplicate calls and all calls per publisher last week",
  "calls except from Texas and those under 30 seconds",
])("two conditions for two figures are handed back: %s", (question) => {
  expect(plan(question).kind).not.toBe("plan");
});

it.each([
  [
    "how much of the october payout went to publishers other than Red Hill",
    "payout | of those publisher is_not Red Hill",
  ],
  [
    "who hung up first - caller or target - on converted calls, by campaign",
    "calls by ended_by+campaign | ended_by is",
  ],
  ["revenue on the 1st and the 15th of october", "revenue | 2026-10-01 | against 2026-10-15"],
  ["what did we pay for calls from Texas", "payout | state is TX"],
])("no word is lost: %s", (question, line) => {
  expect(toLine(plan(question))).toContain(`calls: ${line}`);
});

it.each([
  [
    ["margin by buyer in october", "only the ones under 25%", "what was it in september for those"],
    /found by their figures/,
  ],
  [["top 3 publishers by revenue in october", "and their revenue in september"], /found by their figures/],
  [["bids lost last 7 days by rtb", "only bids above 30 dollars"], /or of losses alone/],
  [["rpc of Acme Media last month", "what about Red Hill", "and by week for both of them"], /which row you point at/],
])("what cannot be told of an answer before is handed back: %j", (questions, reason) => {
  expect(toLine(planChain(...questions))).toMatch(reason);
});

it("what we paid for them is what they cost", () => {
  expect(toLine(planChain("how many callers were returning ones last month", "and what did we pay for them"))).toBe(
    "calls: payout | repeat is true | last month",
  );
});

it.each([
  ["morning :) what do we owe Acme Media so far this month", "payout | publisher is Acme Media | this month"],
  ["morning how many calls yesterday", "calls | yesterday"],
  ["morning calls by publisher", "calls by publisher | part_of_day is morning"],
])("a greeting is no part of the day: %s", (question, line) => {
  expect(toLine(plan(question))).toBe(`calls: ${line}`);
});

it.each([
  ["calls by campaign, sorted by revenue", "calls+revenue by campaign | revenue desc"],
  ["failed calls by campaign sorted by failure rate", "failed_calls+failure_rate by campaign | failure_rate desc"],
  ["campaigns sorted by revenue", "revenue by campaign | revenue desc"],
])("what is sorted is shown with what it is sorted by: %s", (question, line) => {
  expect(toLine(plan(question))).toBe(`calls: ${line}`);
});

it.each([
  ["calls last week and revenue", "calls+revenue | last week"],
  ["calls over 5 minutes by publisher, and the payout", "calls+payout by publisher | duration more_than 300"],
  ["calls by campaign and year to date revenue", "calls+revenue by campaign | year to date"],
  ["revenue for calls from Texas and payout", "revenue+payout | state is TX"],
  [
    "calls, connected calls, converted calls, revenue, payout and margin last week",
    "calls+connected_calls+converted_calls+revenue+payout+margin | last week",
  ],
  ["average talk time on google traffic last week", "acl | tag:utm_source is google | last week"],
])("calls that are asked for first are counted beside what follows: %s", (question, line) => {
  expect(toLine(plan(question))).toContain(line);
});

it.each([
  ["which buyers are spending less this week than last week", /^calls: revenue by buyer/],
  ["untagged utm_source calls last week", /utm_source empty/],
])("who does it and what lacks are read as they are said: %s", (question, line) => {
  expect(toLine(plan(question))).toMatch(line);
});

it.each([
  ["revenue in September, October and November", "revenue by month | September 2026 to November 2026"],
  ["calls by publisher, October vs September vs August", "calls by month+publisher | August 2026 to October 2026"],
  ["conversion rate for Q2, Q3 and Q4", "conversion_rate by quarter | Q2 2026 to Q4 2026"],
  [
    "revenue by buyer, this month and last",
    "revenue by buyer | this month | against the month before this month, same part",
  ],
])("three times in turn are a series, and two are held against each other: %s", (question, line) => {
  expect(toLine(plan(question))).toBe(`calls: ${line}`);
});

it.each([
  ["give me a matrix of revenue by campaign and buyer", "revenue by campaign+buyer"],
  ["state split of calls last week", "calls by state | last week"],
  ["single biggest payout last month", "max_payout | last month"],
  ["calls that never reached a buyer last week", "calls | buyer empty"],
  ["how many calls converted last month and what revenue came of those", "converted_calls+revenue | last month"],
  ["average wait time by target, slowest on top", "avg_wait_time by target | avg_wait_time desc"],
])("what leads on to a figure, or stands behind one, says how it is shown: %s", (question, line) => {
  expect(toLine(plan(question))).toContain(line);
});

it("whom calls were told about is not known", () => {
  expect(toLine(plan("how many calls did we notify anyone about in october"))).toMatch(/notify/);
});

it.each([
  [
    "conversion rate for google last month",
    "vs bing",
    "conversion_rate by tag:utm_source | tag:utm_source is google/bing",
  ],
  ["calls by day last week", "I am only interested in weekdays", "calls by day | day_of_week is Monday"],
  [
    "which publisher has the lowest margin this month",
    "and the next worst",
    "margin by publisher | this month | margin asc 1",
  ],
  ["calls and revenue by buyer last week", "drop the ones without a buyer", "buyer not_empty"],
  ["conversion rate this week", "was it better last week", "this week | against last week"],
  [
    "payable calls of Sunny Group last week",
    "how many of them were billable too",
    "payable is true | receivable is true",
  ],
  ["pinged calls last week", "what did those calls bring in", "revenue | from_ping is true"],
])("a follow-up goes on from what was shown: %s, %s", (first, second, line) => {
  expect(toLine(planChain(first, second))).toContain(line);
});

it.each([["revenue by target this month", "how long were those calls on average"]])(
  "the mean of something else than what was shown is asked back: %s, %s",
  (first, second) => {
    expect(toLine(planChain(first, second))).toMatch(/^refused/);
  },
);

it.each([
  ["calls all year", "calls | this year"],
  ["revenue per billable call by buyer last week", "rpc by buyer | receivable is true | last week"],
  ["revenue on Halloween (October 31)", "revenue | Halloween 2026-10-31"],
  ["how many calls did we correct by hand this month", "calls | adjusted is true | this month"],
  ["what was the highest bid last month and from whom", "highest_bid by buyer | last month"],
  ["average duration for callers from Texas last week", "avg_duration | state is TX"],
  ["changes made by people last week", "changes | actor_type is user"],
  ["incoming webhook requests we have declined this week", "requests | failed is true"],
])("is read as people say it: %s", (question, line) => {
  expect(toLine(plan(question))).toContain(line);
});

it.each([
  "how many calls do we get these days",
  "who bids the highest",
  "calls and revenue per billable call by buyer last week",
  "calls in the run-up to November 10",
  "As Acme Media is new to us, how many calls did they send last week?",
  "how many calls failed last week because nobody was eligible",
])("is handed back, since it could be meant in several ways: %s", (question) => {
  expect(toLine(plan(question))).toMatch(/^(refused|clarify)/);
});

it.each([
  ["how many bid requests did we send last week and how many timed out", "outbound_pings+timeouts | last week"],
  [
    "pings from publishers yesterday, by publisher, with how many we filled",
    "pings+filled_pings by publisher | yesterday",
  ],
  ["failed calls by reason in percent", "failed_calls by failure_reason"],
  [
    "who sends us the most dupes? October, by publisher",
    "duplicate_calls by publisher | October 2026 | duplicate_calls desc",
  ],
  ["return on what we spend with each publisher last week", "roi by publisher | last week"],
  ["how often was each thing paused in October", "changes by entity | action is pause | October 2026"],
])("how many of them there are stands beside all, and a group that is said again is whole: %s", (question, line) => {
  expect(toLine(plan(question))).toContain(line);
});

it("a rate is not of those alone that it counts", () => {
  expect(toLine(planChain("pings last week", "how many of those were filled", "fill rate by campaign"))).not.toMatch(
    /filled is true/,
  );
});

it.each(["how many agents were logged in yesterday", "Why do we turn incoming webhooks away? counts per reason"])(
  "is no answer about other things: %s",
  (question) => expect(toLine(plan(question))).toMatch(/^(refused|clarify)/),
);
