import { expect, it } from "vitest";
import { plan, toLine } from "./plan-line.ts";

/** What analysts say of rankings, movements, hours, limits and lists, each in several ways. */
const said: readonly [string, string][] = [
  ...["two hundred", "200"].map((count): [string, string] => [
    `publishers with over ${count} calls last month`,
    "calls: calls by publisher | calls more_than 200 | last month",
  ]),
  ["publishers with over one hundred and twenty-five calls", "calls: calls by publisher | calls more_than 125"],
  ["states with a conversion rate below one in five", "calls: conversion_rate by state | conversion_rate less_than 20"],
  ["calls since the start of the data", "calls: calls"],
  ["calls in the 1st half of october '26", "calls: calls | first half of October 2026"],
  ...[
    "fetch me calls split among the campaigns for last week",
    "give me an overview of calls per individual campaign last week",
    "there's a grid of calls I'd like, one row per campaign, last week",
    "perhaps tabulate the calls last week, listed by campaign",
    "calls we've received last week, cut by campaign",
  ].map((question): [string, string] => [question, "calls: calls by campaign | last week"]),
  ...["starting with the fewest", "ranked fewest to most", "sorted ascending", "in increasing order"].map(
    (order): [string, string] => [
      `calls by state last week, ${order}`,
      "calls: calls by state | last week | calls asc",
    ],
  ),
  ...["most to fewest", "sorted descending", "biggest 1st", "from top to bottom"].map((order): [string, string] => [
    `calls by state last week, ${order}`,
    "calls: calls by state | last week | calls desc",
  ]),
  ...["plunged the furthest", "slumped the most", "fell the worst"].map((fell): [string, string] => [
    `which state's calls ${fell} in october vs september`,
    "calls: calls by state | October 2026 | against September 2026 | calls asc 1",
  ]),
  [
    "second best publisher by revenue last month",
    "calls: revenue by publisher | last month | revenue desc 1 | behind 1",
  ],
  ["which state came 2nd in calls last month", "calls: calls by state | last month | calls desc 1 | behind 1"],
  [
    "third worst campaign by conversion rate last month",
    "calls: conversion_rate by campaign | last month | conversion_rate asc 1 | behind 2",
  ],
  [
    "which publisher is number two in revenue last month",
    "calls: revenue by publisher | last month | revenue desc 1 | behind 1",
  ],
  ["show the 2nd highest day for revenue last month", "calls: revenue by day | last month | revenue desc 1 | behind 1"],
  [
    "publishers whose conversion rate dropped last month",
    "calls: conversion_rate by publisher | last month | against the period before | conversion_rate asc | those alone",
  ],
  [
    "campaigns with declining revenue october vs september",
    "calls: revenue by campaign | October 2026 | against September 2026 | revenue asc | those alone",
  ],
  [
    "who sent us more calls in october than in september",
    "calls: calls by publisher | October 2026 | against September 2026 | calls desc | those alone",
  ],
  [
    "did any publisher's conversion rate drop last month",
    "calls: conversion_rate by publisher | last month | against the period before | conversion_rate asc | those alone",
  ],
  [
    "which buyers spent less in october than in september",
    "calls: revenue by buyer | October 2026 | against September 2026 | revenue asc | those alone",
  ],
  ["is our margin better or worse than last month", "calls: margin | this month | against last month, same part"],
  ["are calls up or down this month", "calls: calls | this month | against the period before"],
  [
    "who hung up first last month, caller or buyer",
    "calls: calls by ended_by | ended_by is caller/target | last month",
  ],
  ["does the caller or the target hang up more often", "calls: calls by ended_by | ended_by is caller/target"],
  [
    "what percentage of calls came on monday or tuesday last month",
    "calls: calls | of those day_of_week is Monday/Tuesday | last month",
  ],
  ["how many calls did we get on friday last week", "calls: calls | day_of_week is Friday | last week"],
  ["texas share of calls by month", "calls: calls by month | of those state is TX"],
  [
    "calls during business hours",
    "calls: calls | day_of_week is Monday/Tuesday/Wednesday/Thursday/Friday | hour_of_day at_least 9 | hour_of_day less_than 17",
  ],
  [
    "after hours calls last week",
    "calls: calls | day_of_week is Saturday/Sunday or hour_of_day less_than 9 or hour_of_day at_least 17 | last week",
  ],
  [
    "average calls per business day last month",
    "calls: calls by kind_of_day | day_of_week is Monday/Tuesday/Wednesday/Thursday/Friday | last month",
  ],
  ["live calls", "calls: live_calls"],
  ["calls right now", "calls: live_calls"],
  [
    "calls between 2 and 5pm last month",
    "calls: calls | hour_of_day at_least 14 | hour_of_day less_than 17 | last month",
  ],
  [
    "revenue from 6 to 9 in the evening last month",
    "calls: revenue | hour_of_day at_least 18 | hour_of_day less_than 21 | last month",
  ],
  ["calls today vs same time last week", "calls: calls | today | against today a week earlier"],
  ["how many calls net of duplicates last month", "calls: calls | duplicate is false | last month"],
  [
    "publishers with conversion under 40% and calls over 100",
    "calls: conversion_rate+calls by publisher | conversion_rate less_than 40 | calls more_than 100",
  ],
  ["calls where payout is greater than revenue last month", "calls: calls | profit less_than 0 | last month"],
  [
    "which targets miss more calls than they answer",
    "calls: failed_calls+connected_calls by target | connected_calls_per_failed_calls less_than 1",
  ],
  [
    "how many publishers made a profit last month",
    "calls: profit by publisher | count of groups | profit more_than 0 | last month",
  ],
  ["7 day moving average of calls last month", "calls: calls by day | last month | mean of 7"],
  ["a seven day moving average of calls last month", "calls: calls by day | last month | mean of 7"],
  ["calls per day with a 7 day average last month", "calls: calls by day | last month | mean of 7"],
  ["std dev of talk time per target last month", "calls: stddev_connect_duration by target | last month"],
  ["list calls longer than 20 min with revenue", "calls: list | duration more_than 1200 | 100"],
  [
    "calls over 10 minutes last week, longest first",
    "calls: list | duration more_than 600 | last week | duration desc 100",
  ],
  [
    "cost per conversion by publisher, cheapest first",
    "calls: payout_per_conversion by publisher | payout_per_conversion asc",
  ],
  [
    "duplicate rate by publisher last month, worst ones first",
    "calls: duplicate_rate by publisher | last month | duplicate_rate desc",
  ],
  ["quick one - average number of calls per day last month", "calls: calls | last month"],
  ["on average how much revenue per day did we do last week", "calls: revenue | last week"],
  ["how many calls do we get per day on average last month", "calls: calls | last month"],
  ["calls where the language is es, by campaign", "calls: calls by campaign | tag:language is es"],
  [
    "anything longer than 20 mins last month? list the calls",
    "calls: list | duration more_than 1200 | last month | 100",
  ],
  ["who's been changing the most stuff last month", "audit_logs: changes by actor | last month | changes desc 1"],
  ["share of weekend calls last month", "calls: calls | of those day_of_week is Saturday/Sunday | last month"],
  ["which target takes longest to pick up", "calls: avg_wait_time by target | avg_wait_time desc 1"],
  [
    "is there any publisher with a duplicate rate above 10 percent last month",
    "calls: duplicate_rate by publisher | duplicate_rate more_than 10 | last month",
  ],
  ["who are our top 3 buyers and what's their margin", "clarify: By which figure should I rank?"],
  [
    "callers that called on both october 5 and october 6",
    "refused: I can show calls of either, or the two side by side, not who is among both.",
  ],
];
it.each(said)("the grammar reads, however it is said: %s", (question, line) =>
  expect(toLine(plan(question))).toBe(line),
);
