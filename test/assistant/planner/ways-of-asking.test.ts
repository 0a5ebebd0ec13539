import { describe, expect, it } from "vitest";
import { plan, planNamed, toLine } from "./plan-line.ts";

const kinds: Readonly<Record<string, readonly (readonly [question: string, line: string])[]>> = {
  "money of single calls": [
    ["how many calls were billed at more than $40", "calls: calls | revenue more_than 40"],
    ["how many calls brought in at least $30 each", "calls: calls | revenue at_least 30"],
    ["calls that cost us over $20 each", "calls: calls | payout more_than 20"],
    ["how many calls were sold for more than $35 yesterday", "calls: calls | revenue more_than 35 | yesterday"],
    ["the most we earned on a single call last month", "calls: max_revenue | last month"],
    ["what is the most we paid for a call in October", "calls: max_payout | October 2026"],
    ["largest amount billed on one call by buyer", "calls: max_revenue by buyer"],
    ["max revenue on a single call this month", "calls: max_revenue | this month"],
    ["minimum payout on a single converted call", "calls: min_payout | converted is true"],
    ["the most money a single call made us last month", "calls: max_revenue | last month"],
    ["the least revenue a single converted call brought in", "calls: min_revenue | converted is true"],
    ["lowest payout on payable calls by campaign", "calls: min_payout by campaign | payable is true"],
    [
      "which publisher had the lowest payout on payable calls",
      "calls: payout by publisher | payable is true | payout asc 1",
    ],
    ["best revenue on auctioned calls by buyer", "calls: revenue by buyer | sold_by_auction is true | revenue desc 1"],
    ["what was the highest payout for one call last week", "calls: max_payout | last week"],
  ],
  "the two sides of a fact": [
    ["first time vs repeat callers: how do they convert", "calls: conversion_rate by repeat"],
    ["new vs returning callers: conversion rate last month", "calls: conversion_rate by repeat | last month"],
    ["how do first-time callers convert compared with repeat callers", "calls: conversion_rate by repeat"],
    ["duplicates vs non-duplicates: revenue per call", "calls: rpc by duplicate"],
    ["texas vs florida: how do they convert", "calls: conversion_rate by state | state is TX/FL"],
    ["repeat callers and first time callers: how do they convert", "calls: conversion_rate by repeat"],
    ["how well are campaigns converting", "calls: conversion_rate by campaign"],
    ["how well do repeat callers convert", "calls: conversion_rate | repeat is true"],
    ["weekend vs weekday calls: what do they bring in", "calls: revenue by kind_of_day"],
  ],
  "totals of what is agreed": [
    ["total configured revenue against total revenue by buyer", "calls: sum_configured_revenue+revenue by buyer"],
    ["total configured payout vs total payout last week", "calls: sum_configured_payout+payout | last week"],
  ],
  "times under a limit": [
    ["days on which revenue was above $700", "calls: revenue by day | revenue more_than 700"],
    ["weeks in which profit was below 1000", "calls: profit by week | profit less_than 1000"],
    ["on which days did we get fewer than 20 calls", "calls: calls by day | calls less_than 20"],
  ],
  "hours beside hours": [
    [
      "calls 8am-12pm vs 12pm-5pm last month",
      "calls: calls by hours:8-12:12-17 | hour_of_day at_least 8 | hour_of_day less_than 17 | last month",
    ],
    ["conversion rate before noon vs after noon", "calls: conversion_rate by hours:0-12:12-24"],
    ["revenue 8pm to 6am against 6am to 8pm", "calls: revenue by hours:20-6:6-20"],
    ["calls in working hours vs the rest last month", "calls: calls by hours:work | last month"],
    ["business hours vs after hours: conversion rate", "calls: conversion_rate by hours:work"],
    ["repeat callers vs everything else: conversion rate", "calls: conversion_rate by repeat"],
  ],
  "who comes second": [
    [
      "which publisher was the runner up by revenue last month",
      "calls: revenue by publisher | last month | revenue desc 1 | behind 1",
    ],
    ["runner-up campaign in profit", "calls: profit by campaign | profit desc 1 | behind 1"],
    ["who is the runner up among buyers by calls", "calls: calls by buyer | calls desc 1 | behind 1"],
  ],
  "slower and longer": [
    [
      "which targets got slower last month",
      "calls: avg_wait_time by target | last month | against the period before | avg_wait_time desc | those alone",
    ],
    [
      "which buyers got faster at answering last month",
      "calls: avg_wait_time by buyer | last month | against the period before | avg_wait_time asc | those alone",
    ],
    [
      "which webhook got slower last month",
      "outgoing_webhook_requests: avg_response_time by webhook | last month | against the period before | avg_response_time desc | those alone",
    ],
    [
      "did we get fewer weekend calls in October than in September",
      "calls: calls | day_of_week is Saturday/Sunday | October 2026 | against September 2026",
    ],
    ["did the margin get worse between August and September", "calls: margin | September 2026 | against August 2026"],
    [
      "webhooks that got faster last week",
      "outgoing_webhook_requests: avg_response_time by webhook | last week | against the period before | avg_response_time asc | those alone",
    ],
    ["did calls get longer last month", "calls: avg_duration | last month | against the period before"],
  ],
  "what is made": [
    ["what margin did we make on Acme Media last month", "calls: margin | publisher is Acme Media | last month"],
    ["what profit did we make last month", "calls: profit | last month"],
    ["how many sales did we make yesterday", "calls: converted_calls | yesterday"],
    ["how many minutes of talk time last week", "calls: talk_time | last week"],
    ["how many hours of talk time by buyer", "calls: talk_time by buyer"],
    ["spend by buyer", "calls: revenue by buyer"],
    ["what do we spend by buyer", "calls: payout by buyer"],
    ["spend by publisher", "calls: payout by publisher"],
  ],
  "all of another kind together": [
    ["revenue by campaign, all publishers", "calls: revenue by campaign"],
    ["calls by day for all campaigns", "calls: calls by day"],
    ["profit by publisher across all campaigns", "calls: profit by publisher"],
  ],
  "no money": [
    ["where we paid out but had no revenue", "calls: calls | payout more_than 0 | revenue at_most 0"],
    ["calls with no payout", "calls: calls | payout at_most 0"],
    ["how many calls earned us nothing", "calls: calls | revenue at_most 0"],
    ["publishers with no revenue last month", "calls: revenue by publisher | revenue at_most 0 | last month"],
    [
      "which publishers did we pay but got no revenue from",
      "calls: payout+revenue by publisher | payout more_than 0 | revenue at_most 0",
    ],
  ],
  "figures of those that were counted": [
    [
      "how many duplicate calls came in during September, and what did we pay out for them?",
      "calls: duplicate_calls+payout | duplicate is true | September 2026",
    ],
    [
      "how many failed calls were there last month and what did they cost us",
      "calls: failed_calls+payout | failed is true | last month",
    ],
    [
      "how many calls converted yesterday and how much revenue did they make",
      "calls: converted_calls+revenue | converted is true | yesterday",
    ],
    ["how many calls did we get and how many of them converted", "calls: calls+converted_calls"],
  ],
  "what calls bring in": [
    [
      "how much did the calls sold by auction bring in this quarter",
      "calls: revenue | sold_by_auction is true | this quarter",
    ],
    ["what did repeat callers bring in last month", "calls: revenue | repeat is true | last month"],
    [
      "what did calls between 2 and 5 minutes long bring in last week",
      "calls: revenue | duration at_least 120 | duration at_most 300 | last week",
    ],
    ["how much did the calls from Texas bring in", "calls: revenue | state is TX"],
  ],
  "those that are up or down": [
    [
      "publishers whose profit was down in October vs September",
      "calls: profit by publisher | October 2026 | against September 2026 | profit asc | those alone",
    ],
    [
      "campaigns whose revenue is up, October vs September",
      "calls: revenue by campaign | October 2026 | against September 2026 | revenue desc | those alone",
    ],
    ["is revenue down in October vs September", "calls: revenue | October 2026 | against September 2026"],
  ],
  "the period before, by its name": [
    ["calls last week compared to the prior week", "calls: calls | last week | against the period before"],
    [
      "revenue by buyer, last month vs previous month",
      "calls: revenue by buyer | last month | against the period before",
    ],
    ["calls yesterday vs the previous day", "calls: calls | yesterday | against the period before"],
  ],
  "which comes first": [
    ["profit by campaign, best one on top", "calls: profit by campaign | profit desc"],
    ["revenue by state, lowest at the top", "calls: revenue by state | revenue asc"],
    ["CPA by publisher, priciest on top", "calls: payout_per_conversion by publisher | payout_per_conversion desc"],
  ],
  "the sides of a fact": [
    ["connect rate by whether the call was sold by auction", "calls: connect_rate by sold_by_auction"],
    ["revenue by whether the call converted", "calls: revenue by converted"],
  ],
  "the wish to see all": [
    ["calls by campaign last month, show all of them", "calls: calls by campaign | last month"],
    ["list failed calls, show me all", "calls: list | failed is true | 100"],
  ],
};

describe.each(Object.entries(kinds))("%s are read", (_, questions) => {
  it.each(questions)("%s", (question, line) => expect(toLine(plan(question))).toBe(line));
});

it.each([
  "on average, how many calls come in per day",
  "on average, calls per day",
  "how many calls per day on average",
])("%s: a mean of the days", (question) =>
  expect(plan(question)).toMatchObject({
    kind: "plan",
    plan: { measures: ["calls"], average_per: "day", grain: null },
  }),
);

it("hours that overlap are not held against each other", () => {
  expect(plan("calls 8am-1pm vs 12pm-5pm").kind).not.toBe("plan");
});

describe("what may mean either", () => {
  it.each([
    [
      "cheapest publisher last month",
      [
        "publisher with the cheapest payout per call last month",
        "publisher with the cheapest payout per conversion last month",
      ],
    ],
    [
      "which campaign is the most expensive",
      ["campaign with the most expensive payout per call", "campaign with the most expensive payout per conversion"],
    ],
    ["how many calls did we lose last month", ["how many missed calls last month", "change in calls last month"]],
  ])("is asked back: %s", (question, options) => expect(plan(question)).toMatchObject({ kind: "clarify", options }));
});

it.each(["Quote Wizard", "Interest Group", "Book Club", "End"])(
  "a name that begins as a verb does is a name: %s",
  (name) =>
    expect(toLine(planNamed([name, "Solar East"], `calls for ${name} last month`))).toBe(
      `calls: calls | campaign is ${name} | last month`,
    ),
);
