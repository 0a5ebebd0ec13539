import { describe, expect, it } from "vitest";
import { planChain, toLine } from "./plan-line.ts";

const byCampaign = "revenue by campaign last month";
const texan = [byCampaign, "only Texas"] as const;

const patched: readonly (readonly [...string[], string])[] = [
  ["calls by duration in buckets of 30 seconds", "in buckets of 10 instead", "calls: calls by bin:duration:10"],
  ["calls by duration in buckets of 30 seconds", "make it 2 minute buckets", "calls: calls by bin:duration:120"],
  ["distribution of revenue per call", "in steps of $5", "calls: calls by bin:revenue:5"],
  ["revenue by campaign by day last 30 days", "make it weekly", "calls: revenue by week+campaign | last 30 days"],
  [byCampaign, "same but this month", "calls: revenue by campaign | this month"],
  [byCampaign, "and the month before?", "calls: revenue by campaign | the month before last month"],
  [byCampaign, "compare to the month before", "calls: revenue by campaign | last month | against the period before"],
  [byCampaign, "with epc", "calls: revenue+epc by campaign | last month"],
  [byCampaign, "but only converted calls", "calls: revenue by campaign | converted is true | last month"],
  [byCampaign, "just the total", "calls: revenue | last month"],
  [byCampaign, "remove the breakdown", "calls: revenue | last month"],
  ["revenue by campaign and publisher last month", "without publisher", "calls: revenue by campaign | last month"],
  ["revenue and profit by campaign last month", "drop profit", "calls: revenue by campaign | last month"],
  [...texan, "without the state filter", "calls: revenue by campaign | last month"],
  [...texan, "all states again", "calls: revenue by campaign | last month"],
  [...texan, "drop all filters", "calls: revenue by campaign | last month"],
  [...texan, "forget Texas", "calls: revenue by campaign | last month"],
  [...texan, "everyone but Texas", "calls: revenue by campaign | state is_not TX | last month"],
  ["average revenue by state", "show the median instead", "calls: median_revenue by state"],
  [
    "calls over 5 minutes by state",
    "only states with more than 10",
    "calls: calls by state | duration more_than 300 | calls more_than 10",
  ],
  ["calls by state", "only states with more than 10", "no minimum", "calls: calls by state"],
  [
    "the last 10 calls from Acme Media",
    "the 5 latest converted ones instead",
    "calls: list | publisher is Acme Media | converted is true | 5",
  ],
  [byCampaign, "bottom 3 publishers by calls in that period", "calls: calls by publisher | last month | calls asc 3"],
  ["calls by hour of day", "split by day of week as well", "calls: calls by hour_of_day+day_of_week"],
  ["average bid by week", "highest bid", "outbound_rtb_requests: highest_bid by week"],
  [byCampaign, "and how much did they bring in", "calls: revenue by campaign | last month"],
  ["changes by action last month", "show me those entries", "audit_logs: list | last month | 100"],
];

describe("a follow-up", () => {
  it.each(patched.map((turns) => [turns.slice(0, -1), turns.at(-1) ?? ""] as const))("patches: %j", (turns, line) => {
    expect(toLine(planChain(...turns))).toBe(line);
  });
  it("shows plain numbers again", () => {
    expect(planChain(byCampaign, "as a share")).toMatchObject({ plan: { share: true } });
    expect(planChain(byCampaign, "as a share", "as numbers")).toMatchObject({ plan: { share: false } });
  });
  it("changes the condition of the part that a percentage is asked of", () => {
    expect(planChain("percent of calls from New York", "what about NJ")).toMatchObject({
      plan: { filters: [], portion: [{ field: "state", op: "is", values: ["NJ"] }] },
    });
  });
  it.each([
    ["percent of calls that converted by publisher last month", "connect_rate by publisher"],
    ["conversion rate by publisher last month", "connect_rate by publisher"],
    ["revenue by publisher last month", "revenue by publisher | connected is true"],
  ])("turns from the fact of a percentage to another: %s, what about connected", (first, figure) => {
    expect(toLine(planChain(first, "what about connected"))).toBe(`calls: ${figure} | last month`);
  });
  it("turns from the fact of a part to another, and narrows where it says so", () => {
    expect(planChain("what percent of calls from Texas converted last month", "what about recorded")).toMatchObject({
      plan: { filters: [{ field: "state" }], portion: [{ field: "recorded", values: [true] }] },
    });
    expect(planChain("conversion rate last month", "what about recorded")).toMatchObject({
      plan: { measures: ["calls"], filters: [], portion: [{ field: "recorded", values: [true] }] },
    });
    expect(toLine(planChain("conversion rate by publisher last month", "only connected ones"))).toBe(
      "calls: conversion_rate by publisher | connected is true | last month",
    );
  });
  it("goes back by the whole unit that has only begun", () => {
    expect(planChain("revenue by campaign this month", "the month before")).toMatchObject({
      plan: { period: { from: "2026-10-01T04:00:00.000Z", to: "2026-11-01T04:00:00.000Z" } },
    });
  });
  it.each([
    [byCampaign, "the week before", /Last month is no week/],
    ["calls by day", "by month as well", /one unit of time at a time/],
    ["calls by campaign", "in that period", /did not understand/],
    ["revenue by campaign", "highest bid", /Over which time/],
    [byCampaign, "overall", /all groups together, or all time/],
    [byCampaign, "in buckets of 10", /did not understand "in buckets of", "10"/],
    ["calls by duration in buckets of 30 seconds", "in buckets of $10", /did not understand/],
  ])("is handed back where it fits nothing: %s, %s", (first, second, reason) => {
    expect(toLine(planChain(first, second))).toMatch(reason);
  });
});
