import { expect, it } from "vitest";
import { plan, toLine } from "./plan-line.ts";

const kinds: readonly [string, string][] = [
  ["conversion rate on weekends vs weekdays", "calls: conversion_rate by kind_of_day"],
  ["revenue on weekdays and weekends last month", "calls: revenue by kind_of_day | last month"],
  ["is revenue higher on weekends or weekdays", "calls: revenue by kind_of_day"],
  ["do weekends convert better than weekdays", "calls: conversion_rate by kind_of_day"],
  ["compare weekday vs weekend conversion", "calls: conversion_rate by kind_of_day"],
  ["calls by campaign on weekends vs weekdays", "calls: calls by kind_of_day+campaign"],
  ["difference between weekday and weekend answer rate", "calls: connect_rate by kind_of_day"],
  ["difference in calls between weekdays and weekends last month", "calls: calls by kind_of_day | last month"],
  ["is the conversion rate on weekends lower than on weekdays", "calls: conversion_rate by kind_of_day"],
  ["how many calls on weekdays and how many on weekends", "calls: calls by kind_of_day"],
  ["average talk time by hour weekday vs weekend", "calls: acl by hour_of_day+kind_of_day"],
];
it.each(kinds)("weekdays and weekends stand side by side: %s", (question, line) =>
  expect(toLine(plan(question))).toBe(line),
);

const days: readonly [string, string][] = [
  ["mondays vs fridays calls", "calls: calls by day_of_week | day_of_week is Monday/Friday"],
  ["calls on mondays and fridays", "calls: calls | day_of_week is Monday/Friday"],
  ["morning vs evening calls", "calls: calls by part_of_day | part_of_day is morning/evening"],
  [
    "calls in the morning, in the afternoon and in the evening",
    "calls: calls by part_of_day | part_of_day is morning/afternoon/evening",
  ],
  ["calls in the morning and evening", "calls: calls | part_of_day is morning/evening"],
  ["calls on Mondays, Tuesdays and Fridays", "calls: calls | day_of_week is Monday/Tuesday/Friday"],
  [
    "is our answer rate better in the morning or in the evening",
    "calls: connect_rate by part_of_day | part_of_day is morning/evening",
  ],
  ["did we get more calls from Texas or Florida", "calls: calls by state | state is TX/FL"],
  [
    "does Acme Media have more conversions than Red Hill",
    "calls: converted_calls by publisher | publisher is Acme Media/Red Hill",
  ],
  ["average talk time when the call converted vs when it did not", "calls: acl by converted"],
  [
    "calls 8am-12pm vs 12pm-5pm vs 5pm-9pm",
    "calls: calls by hours:8-12:12-17:17-21 | hour_of_day at_least 8 | hour_of_day less_than 21",
  ],
  ["morning calls by campaign", "calls: calls by campaign | part_of_day is morning"],
  ["calls not in the morning", "calls: calls | part_of_day is_not morning"],
  ["conversion rate by part of day", "calls: conversion_rate by part_of_day"],
];
it.each(days)("days and parts of the day are told apart only where that is said: %s", (question, line) =>
  expect(toLine(plan(question))).toBe(line),
);

const facts: readonly [string, string][] = [
  ["answered vs missed calls by day last week", "calls: connected_calls+failed_calls by day | last week"],
  ["compare answered and missed calls", "calls: connected_calls+failed_calls"],
  ["difference in revenue between Texas and Florida", "calls: revenue by state | state is TX/FL"],
  ["difference in answer rate between business hours and after hours", "calls: connect_rate by hours:work"],
  ["success rate first attempts vs retries", "outgoing_webhook_requests: delivery_rate by first_attempt"],
  ["first attempts vs retries", "outgoing_webhook_requests: first_attempts+retries"],
  ["first-time callers' conversion rate vs repeat", "calls: conversion_rate by repeat"],
  ["calls from Texas vs calls from Florida", "calls: calls by state | state is TX/FL"],
  ["is revenue from Texas higher than from Florida", "calls: revenue by state | state is TX/FL"],
  ["does Texas or Florida convert better", "calls: conversion_rate by state | state is TX/FL"],
];
it.each(facts)("facts and names are held against one another: %s", (question, line) =>
  expect(toLine(plan(question))).toBe(line),
);

it("what is better by no figure is asked back, and every option is answered", () => {
  const outcome = plan("which is better, Texas or Florida");
  if (outcome.kind !== "clarify") throw new Error(toLine(outcome));
  expect(outcome.options.map((text) => toLine(plan(text)))).toEqual(
    ["calls+revenue+profit+conversion_rate", "calls", "revenue", "profit", "conversion_rate"].map(
      (name) => `calls: ${name} by state | state is TX/FL`,
    ),
  );
});

const apart: readonly [string, string][] = [
  ["is the answer rate on weekends worse than it is during the week", "calls: connect_rate by kind_of_day"],
  [
    "is our margin on Mondays any higher than it is on Fridays",
    "calls: margin by day_of_week | day_of_week is Monday/Friday",
  ],
  ["how much longer do callers wait on weekends than they do on weekdays", "calls: avg_wait_time by kind_of_day"],
  [
    "what was the margin of Acme Media last month, and what was it for Red Hill",
    "calls: margin by publisher | publisher is Acme Media/Red Hill | last month",
  ],
  [
    "what was our margin in October, and what was it in September",
    "calls: margin | October 2026 | against September 2026",
  ],
  ["compare what we earned before noon with what we earned after noon", "calls: revenue by hours:0-12:12-24"],
  [
    "please compare calls from Texas with calls from Florida with regard to revenue per call",
    "calls: rpc by state | state is TX/FL",
  ],
  [
    "how does the conversion rate differ between callers who are new and those who have called before",
    "calls: conversion_rate by repeat",
  ],
  [
    "difference in average length between calls that the caller ended and calls that the target ended",
    "calls: avg_duration by ended_by | ended_by is caller/target",
  ],
  [
    "were there more retries in the last seven days than in the seven days before that",
    "outgoing_webhook_requests: retries | last 7 days | against the period before",
  ],
];
it.each(apart)("sides that stand apart are held against one another: %s", (question, line) =>
  expect(toLine(plan(question))).toBe(line),
);

it.each([
  "how much did we pay Acme Media last month, and how much did we earn from Red Hill",
  "did we get more calls from Texas than from google",
  "revenue last month and payout this month",
  "revenue before noon and after 3 pm before noon",
])("sides of which not the same is asked are none: %s", (question) => expect(plan(question).kind).not.toBe("plan"));
