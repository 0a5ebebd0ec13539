import { describe, expect, it } from "vitest";
import { plan, toLine } from "./plan-line.ts";

const lineOf = (question: string): string => toLine(plan(question));

describe("a limit on the figures of groups", () => {
  it.each([
    [
      "which campaigns lost more than 20% of their calls to failures",
      "calls: failure_rate by campaign | failure_rate more_than 20",
    ],
    [
      "campaigns where more than 10% of the calls were abandoned",
      "calls: abandon_rate by campaign | abandon_rate more_than 10",
    ],
    [
      "publishers where over half the calls were duplicates",
      "calls: duplicate_rate by publisher | duplicate_rate more_than 50",
    ],
    [
      "buyers who converted less than a third of their calls",
      "calls: conversion_rate by buyer | conversion_rate less_than 33.33",
    ],
    ["which buyers converted more than 20 calls", "calls: converted_calls by buyer | converted_calls more_than 20"],
    [
      "which publisher-campaign combinations lost money",
      "calls: profit by publisher+campaign | profit less_than 0 | profit asc",
    ],
    [
      "for every pair of publisher and buyer with at least 25 calls, what is the profit per call",
      "calls: calls+profit_per_call by publisher+buyer | calls at_least 25",
    ],
  ])("is of the part that a fact holds of, and of each pair: %s", (question, line) =>
    expect(lineOf(question)).toBe(line),
  );

  it.each([
    [
      "Of the publishers with more than 50 calls, which has the highest conversion rate?",
      "calls: calls+conversion_rate by publisher | calls more_than 50 | conversion_rate desc 1",
    ],
    [
      "of all campaigns with at least 50 calls, which three have the best margin",
      "calls: calls+margin by campaign | calls at_least 50 | margin desc 3",
    ],
  ])("leaves those that are ranked: %s", (question, line) => expect(lineOf(question)).toBe(line));

  it.each([
    "publishers whose calls fell by more than 10% from September to October",
    "campaigns where more than 10% of the calls were from Texas",
  ])("is none of what no group has a figure of: %s", (question) => expect(plan(question).kind).not.toBe("plan"));

  it.each([
    [
      "campaigns where payout is greater than revenue",
      "calls: payout+revenue by campaign | revenue_per_payout less_than 1",
    ],
    [
      "which publishers have payout below revenue",
      "calls: payout+revenue by publisher | payout_per_revenue less_than 1",
    ],
    [
      "which days last month had more than five failed webhook deliveries",
      "outgoing_webhook_requests: failed_deliveries by day | failed_deliveries more_than 5 | last month",
    ],
    [
      "publishers with more failed calls than conversions last week",
      "calls: failed_calls+converted_calls by publisher | converted_calls_per_failed_calls less_than 1 | last week",
    ],
    [
      "states with fewer conversions than duplicates",
      "calls: converted_calls+duplicate_calls by state | converted_calls_per_duplicate_calls less_than 1",
    ],
  ])("holds one of them against another: %s", (question, line) => expect(lineOf(question)).toBe(line));

  it("in percent is on the rate of what is counted", () =>
    expect(lineOf("campaigns with more than 100 calls and conversions under 40%")).toBe(
      "calls: calls+conversion_rate by campaign | calls more_than 100 | conversion_rate less_than 40",
    ));

  it.each([
    [
      "number of campaigns with revenue over 1000",
      "calls: revenue by campaign | count of groups | revenue more_than 1000",
    ],
    [
      "how many publishers had payout under $50 last month",
      "calls: payout by publisher | count of groups | payout less_than 50 | last month",
    ],
    ["how many callers called more than 3 times", "calls: calls by caller | count of groups | calls more_than 3"],
  ])("counts the groups that meet it: %s", (question, line) => expect(lineOf(question)).toBe(line));

  it.each([
    ["campaigns with a loss last month", "calls: profit by campaign | profit less_than 0 | last month | profit asc"],
    ["campaigns where profit is negative", "calls: profit by campaign | profit less_than 0 | profit asc"],
  ])("is below zero for a loss: %s", (question, line) => expect(lineOf(question)).toBe(line));

  it.each([
    "callers who called more than once last month by publisher",
    "top 2 publishers in each state by calls, only states with more than 100 calls",
  ])("is refused where it was said of one of two groupings: %s", (question) =>
    expect(lineOf(question)).toContain("refused: A limit holds for each row"),
  );
});

describe("a part of a whole", () => {
  it.each([
    ["percent of calls with no buyer", "calls: calls | of those buyer empty "],
    ["percentage of calls without a target last week", "calls: calls | of those target empty  | last week"],
    ["revenue from Texas as a percentage of total this month", "calls: revenue | of those state is TX | this month"],
    ["calls over 10 minutes as a percentage of all calls", "calls: calls | of those duration more_than 600"],
    [
      "calls under 30 seconds by publisher as a % of their calls",
      "calls: calls by publisher | of those duration less_than 30",
    ],
    [
      "percentage of calls on Saturdays and Sundays by campaign",
      "calls: calls by campaign | of those day_of_week is Saturday/Sunday",
    ],
  ])("is what the condition leaves of it: %s", (question, line) => expect(lineOf(question)).toBe(line));

  it.each(["share of weekend calls by campaign"])(
    "is asked back where it may be of the group or of all: %s",
    (question) => {
      const outcome = plan(question);
      expect(outcome.kind).toBe("clarify");
      if (outcome.kind !== "clarify") return;
      expect(outcome.options.map(lineOf).some((line) => line.includes("of those"))).toBe(true);
      expect(outcome.options).toHaveLength(2);
    },
  );
});

describe("an average", () => {
  it.each([
    ["average number of calls per publisher last month", "calls: calls by publisher | average of groups | last month"],
    ["average conversions per buyer", "calls: converted_calls by buyer | average of groups"],
  ])("of what is counted is over the groups: %s", (question, line) => expect(lineOf(question)).toBe(line));

  it.each(["average revenue per campaign per day this month", "average revenue per day per campaign this month"])(
    "per group and day divides by the days: %s",
    (question) => expect(plan(question)).toMatchObject({ plan: { average_per: "day", measures: ["revenue"] } }),
  );

  it("of two sides is held against the other one", () =>
    expect(lineOf("average winning bid vs average losing bid")).toBe("outbound_rtb_requests: avg_bid by won"));
});

describe("callers of both", () => {
  it.each(["how many callers called both Solar East and Solar West", "which callers called both Acme and Sunny Group"])(
    "are refused, since either is all that is counted: %s",
    (question) =>
      expect(lineOf(question)).toBe(
        "refused: I can show calls of either, or the two side by side, not who is among both.",
      ),
  );

  it.each([
    ["calls for both Solar East and Solar West", "calls: calls | campaign is Solar East/Solar West"],
    ["both revenue and profit by campaign", "calls: revenue+profit by campaign"],
    ["revenue by both campaign and publisher", "calls: revenue by campaign+publisher"],
  ])("is no hindrance elsewhere: %s", (question, line) => expect(lineOf(question)).toBe(line));
});

describe("a period before", () => {
  it.each([
    ["revenue last 4 weeks vs the 4 weeks before", "calls: revenue | last 4 weeks | against the period before"],
    [
      "avg daily revenue last 7 days compared with the 7 days before",
      "calls: revenue | last 7 days | against the period before",
    ],
  ])("has the length that is said: %s", (question, line) => expect(lineOf(question)).toBe(line));

  it("of another length is not held against it", () =>
    expect(plan("revenue last 4 weeks vs the 7 days before").kind).not.toBe("plan"));

  it("is the weekday before, wherever the first one stands", () =>
    expect(lineOf("calls last Monday by publisher compared with the Monday before")).toMatch(
      /by publisher \| Monday \S+ \| against Monday \S+$/,
    ));
});

describe("single records", () => {
  it.each([
    ["last 20 calls from Acme Media with caller id and payout", "calls: list | publisher is Acme Media | 20"],
    ["list calls from Texas, highest revenue first", "calls: list | state is TX | revenue desc 100"],
    ["5 calls with the highest payout", "calls: list | payout desc 5"],
    ["calls with revenue but no payout", "calls: calls | revenue more_than 0 | payout at_most 0"],
  ])("are listed, in order and with what a list shows: %s", (question, line) => expect(lineOf(question)).toBe(line));

  it("may be dear in two ways", () =>
    expect(plan("10 most expensive calls this week")).toMatchObject({
      kind: "clarify",
      options: ["10 calls with the highest payout this week", "10 calls with the highest revenue this week"],
    }));
});

describe("words that turn a question round", () => {
  it.each(["nobody from Texas", "hardly any revenue from Texas"])("are never left out: %s", (question) =>
    expect(plan(question)).toMatchObject({ kind: "refused" }),
  );

  it.each([
    ["calls that nobody answered by campaign", "calls: calls by campaign | failed is true"],
    ["how many calls did no one pick up", "calls: calls | failed is true"],
    ["don't show me Sunny Group, revenue by buyer", "calls: revenue by buyer | buyer is_not Sunny Group"],
  ])("are read where they are known: %s", (question, line) => expect(lineOf(question)).toBe(line));
});

describe("what is no question of these data", () => {
  it.each([
    ["revenue in euros last month", "US dollars"],
    ["revenue yesterday in Pacific time", "time zone"],
  ])("is said to be none: %s", (question, said) =>
    expect(plan(question)).toMatchObject({ kind: "refused", sentence: expect.stringContaining(said) }),
  );
});
