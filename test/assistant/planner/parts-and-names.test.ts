import { describe, expect, it } from "vitest";
import { plan, toLine } from "./plan-line.ts";

const days: readonly [string, string][] = [
  ["sixth till twelfth of October: calls per day", "calls: calls by day | 2026-10-06 to 2026-10-12"],
  ["calls from the sixth to the twelfth of October", "calls: calls | 2026-10-06 to 2026-10-12"],
  ["calls October third through nineteenth", "calls: calls | 2026-10-03 to 2026-10-19"],
  ["revenue month up to now", "calls: revenue | month to date"],
];

const parts: readonly [string, string][] = [
  ["Monday morning calls in October", "calls: calls | day_of_week is Monday | part_of_day is morning | October 2026"],
  ["calls yesterday, in the afternoon", "calls: calls | part_of_day is afternoon | yesterday"],
  ["calls per day, the evening only", "calls: calls by day | part_of_day is evening"],
  [
    "calls on Thursday evening last month by campaign",
    "calls: calls by campaign | day_of_week is Thursday | part_of_day is evening | last month",
  ],
  ["calls on Monday morning", "calls: calls | Monday 2026-11-16 morning"],
];

const brought: readonly [string, string][] = [
  ["what did each publisher bring in last month", "calls: revenue by publisher | last month"],
  ["how much did the campaigns bring in last month", "calls: revenue by campaign | last month"],
  ["what profit did each campaign bring in last month", "calls: profit by campaign | last month"],
  ["what did missed calls bring in", "calls: revenue | failed is true"],
];

const offered: readonly [string, string][] = [
  ["how many routes did we offer yesterday", "inbound_rtb_requests: routes_offered | yesterday"],
  ["how many routes have we offered on inbound pings yesterday", "inbound_rtb_requests: routes_offered | yesterday"],
  [
    "the best payout we have offered on average, by state, top 10",
    "inbound_rtb_requests: avg_best_payout by state | avg_best_payout desc 10",
  ],
  ["highest payout we have offered by campaign", "inbound_rtb_requests: highest_best_payout by campaign"],
  ["inbound RTB, fill rate by state", "inbound_rtb_requests: fill_rate by state"],
  ["outbound requests by rtb last week", "outbound_rtb_requests: outbound_pings by rtb | last week"],
  ["win rate in the outbound auctions yesterday", "outbound_rtb_requests: win_rate | yesterday"],
];

const facts: readonly [string, string][] = [
  ["how many calls became conversions last week", "calls: calls | converted is true | last week"],
  ["calls with no recording by target", "calls: calls by target | recorded is false"],
];

const begun: readonly [string, string][] = [
  ["calls for Solar yesterday", "calls: calls | campaign is Solar East/Solar West | yesterday"],
  ["calls without solar by publisher", "calls: calls by publisher | campaign is_not Solar East/Solar West"],
  [
    "Sunny Group Desk conversion rate",
    "calls: conversion_rate | target is Sunny Group Desk East/Sunny Group Desk West",
  ],
  ["revenue of Sunny last week", "calls: revenue | buyer is Sunny Group | last week"],
];

const readsAs = (question: string, line: string): void => expect(toLine(plan(question))).toBe(line);

describe("parts of days, and names of everyday speech", () => {
  it.each(days)("days in words are days of their month: %s", readsAs);
  it.each(parts)("a part of a weekday is each of them in a longer time: %s", readsAs);
  it.each(brought)("what something brought in is its revenue, unless a figure is said: %s", readsAs);
  it.each(offered)("what pings were offered: %s", readsAs);
  it.each(facts)("%s", readsAs);
  it.each(begun)("what several names of one field begin with means all of them: %s", readsAs);
  it("which names a part of them was taken for is told", () =>
    expect(plan("calls for solar today")).toMatchObject({ notes: ["I took “solar” for Solar East and Solar West."] }));
  it("the night of a weekday is of two days", () =>
    expect(plan("calls on Thursday night last month").kind).not.toBe("plan"));
});
