import { describe, expect, it } from "vitest";
import { plan, toLine } from "./plan-line.ts";

const costs: readonly [string, string][] = [
  ["what does a call cost us per campaign", "calls: payout_per_call by campaign"],
  ["what costs us a call on average, by publisher", "calls: payout_per_call by publisher"],
  ["how much costs a conversion by publisher", "calls: payout_per_conversion by publisher"],
  ["what do calls cost us by campaign", "calls: calls+payout by campaign"],
];

const extremes: readonly [string, string][] = [
  [
    "which buyer has the longest average wait time this month",
    "calls: avg_wait_time by buyer | this month | avg_wait_time desc 1",
  ],
  ["publisher with the shortest average call duration", "calls: avg_duration by publisher | avg_duration asc 1"],
  ["longest call by target", "calls: longest_duration by target"],
];

const held: readonly [string, string][] = [
  ["was the revenue in October higher than in September", "calls: revenue | October 2026 | against September 2026"],
  ["is the payout of October lower than September", "calls: payout | October 2026 | against September 2026"],
];

const limits: readonly [string, string][] = [
  ["calls by state, only over 20", "calls: calls by state | calls more_than 20"],
  [
    "conversion rate by publisher, only those above 50%",
    "calls: conversion_rate by publisher | conversion_rate more_than 50",
  ],
  ["missed calls by target, only with more than 5", "calls: failed_calls by target | failed_calls more_than 5"],
];

const shares: readonly [string, string][] = [
  ["how many percent of calls converted last month", "calls: conversion_rate | last month"],
  ["which share of the revenue came from Texas", "calls: revenue | of those state is TX"],
  ["show all campaigns and their conversion rates", "calls: conversion_rate by campaign"],
  ["with which buyer do we make the most profit", "calls: profit by buyer | profit desc 1"],
  ["calls since october first", "calls: calls | since 2026-10-01"],
];

const readsAs = (question: string, line: string): void => expect(toLine(plan(question))).toBe(line);

describe("everyday constructions", () => {
  it.each(costs)("what one costs is no total: %s", readsAs);
  it.each(extremes)("the longest of averages is ranked, of single records it is a figure: %s", readsAs);
  it.each(held)("higher than a time holds two times against each other: %s", readsAs);
  it.each(limits)("a limit by itself is of the one figure: %s", readsAs);
  it.each(["calls and revenue by state, only over 20", "calls, only over 20"])(
    "a limit that may be of several things is none: %s",
    (question) => expect(plan(question).kind).not.toBe("plan"),
  );
  it.each(shares)("small words in front change nothing: %s", readsAs);
  it("a place behind a month is no day of it", () =>
    readsAs(
      "in october second best publisher by revenue",
      "calls: revenue by publisher | October 2026 | revenue desc 1 | behind 1",
    ));
});
