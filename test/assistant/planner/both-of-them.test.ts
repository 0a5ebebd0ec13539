import { describe, expect, it } from "vitest";
import { plan, toLine } from "./plan-line.ts";

const lines: readonly [string, string][] = [
  [
    "revenue of Acme Media and Red Hill together last month",
    "calls: revenue | publisher is Acme Media/Red Hill | last month",
  ],
  ["calls from Texas, Florida and Georgia combined", "calls: calls | state is TX/FL/GA"],
  [
    "Acme Media's revenue vs Red Hill's revenue last month",
    "calls: revenue by publisher | publisher is Acme Media/Red Hill | last month",
  ],
  ["Texas conversion rate compared to Florida conversion rate", "calls: conversion_rate by state | state is TX/FL"],
  ["average duration of calls that converted vs ones that did not", "calls: avg_duration by converted"],
  ["calls by publisher, revenue too, last month", "calls: calls+revenue by publisher | last month"],
  ["min and max payout by publisher", "calls: min_payout+max_payout by publisher"],
];

const doers: readonly [string, string][] = [
  ["how many calls did Acme Media make last month", "calls: calls | publisher is Acme Media | last month"],
  ["number of calls Red Hill made last month", "calls: calls | publisher is Red Hill | last month"],
  ["how much profit did Acme Media make", "calls: profit | publisher is Acme Media"],
];

const parts: readonly [string, string][] = [
  [
    "weekday mornings only: connect rate by target",
    "calls: connect_rate by target | day_of_week is Monday/Tuesday/Wednesday/Thursday/Friday | part_of_day is morning",
  ],
  [
    "what percentage of failed deliveries were server errors",
    "outgoing_webhook_requests: deliveries | failed is true | of those error_class is http_5xx",
  ],
  ["how high is our margin this month", "calls: margin | this month"],
  ["duplicate rate for publisher, last month", "calls: duplicate_rate by publisher | last month"],
  ["http errors for week and bidder", "outbound_rtb_requests: http_errors by week+buyer"],
  [
    "payout per conversion by publisher, from cheapest to most expensive",
    "calls: payout_per_conversion by publisher | payout_per_conversion asc",
  ],
];

describe("several that are named", () => {
  it.each(lines)("stand together or side by side, as is said: %s", (question, line) =>
    expect(toLine(plan(question))).toBe(line),
  );
  it("are no comparison of different figures", () =>
    expect(plan("Acme Media's revenue vs Red Hill's payout").kind).not.toBe("plan"));
});

describe("what somebody made", () => {
  it.each(doers)("is what is counted, no money beside it: %s", (question, line) =>
    expect(toLine(plan(question))).toBe(line),
  );
});

describe("parts and wholes", () => {
  it.each(parts)("are what they are said of: %s", (question, line) => expect(toLine(plan(question))).toBe(line));
});
