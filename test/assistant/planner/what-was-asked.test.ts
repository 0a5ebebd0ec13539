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
  ["incoming webhook requests last week", "how many got refused", "requests | failed is true | last week"],
  ["calls by publisher yesterday", "how many converted", "calls by publisher | converted is true | yesterday"],
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
