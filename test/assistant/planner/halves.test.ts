import { describe, expect, it } from "vitest";
import { plan, planChain, toLine } from "./plan-line.ts";

describe("a half of a question", () => {
  const answered: readonly (readonly [question: string, line: string])[] = [
    // The number of records beside what they come to.
    [
      "calls with negative profit last month: how many and what did they cost us",
      "calls: calls+payout | profit less_than 0 | last month",
    ],
    [
      "deliveries over 2 seconds: how many, and their average response time",
      "outgoing_webhook_requests: deliveries+avg_response_time | response_time more_than 2000",
    ],
    // A part shows its own number; how many there are in all stands beside its rate.
    [
      "what percentage of calls from Texas converted last month, and how many calls were there",
      "calls: calls+conversion_rate | state is TX | last month",
    ],
    ["whom did we pay the most last month, and how much", "calls: payout by publisher | last month | payout desc 1"],
    ["which campaign has the lowest margin, and what is it", "calls: margin by campaign | margin asc 1"],
    ["total amount of winning bids by campaign", "outbound_rtb_requests: sum_bid by campaign | won is true"],
    // What is left out at the end of a list is that list alone.
    ["revenue in the evening, Texas excluded", "calls: revenue | part_of_day is evening | state is_not TX"],
    [
      "calls last month, Texas, Florida and duplicates excluded",
      "calls: calls | state is_not TX/FL | duplicate is false | last month",
    ],
    [
      "profit last month, excluding Texas and everything from Acme Media",
      "calls: profit | state is_not TX | publisher is_not Acme Media | last month",
    ],
    // Of the part that is counted, and not of all.
    [
      "how many of last week's calls were sold by auction and what did they bring in",
      "calls: auctioned_calls+revenue | sold_by_auction is true | last week",
    ],
    // The words part where nothing is left over.
    [
      "outgoing webhook failure rate by webhook last week",
      "outgoing_webhook_requests: delivery_failure_rate by webhook | last week",
    ],
    [
      "three most expensive traffic sources by cost per conversion",
      "calls: payout_per_conversion by publisher | payout_per_conversion desc 3",
    ],
    // Each of the names that are said with a word of their own; a list is taken together.
    ["calls to Solar East and to Solar West", "calls: calls by campaign | campaign is Solar East/Solar West"],
    ["calls to Solar East and Solar West", "calls: calls | campaign is Solar East/Solar West"],
    // Pairs rank by their own figure, which no limit counts.
    ["which publisher and buyer combination brought the least profit", "calls: profit by publisher+buyer | profit asc"],
    ["calls 9-to-5 last month", "calls: calls | hour_of_day at_least 9 | hour_of_day less_than 17 | last month"],
    ["revenue per call on weekdays vs weekends", "calls: rpc by kind_of_day"],
    ["average revenue per billable call by buyer", "calls: rpc by buyer | receivable is true"],
    ["how many calls came from Texas, and by which campaign", "calls: calls by campaign | state is TX"],
    ["rank all our publishers by profit last month", "calls: profit by publisher | last month | profit desc 10"],
    [
      "changes by entity type, not the ones by the system",
      "audit_logs: changes by entity_type | actor_type is_not system",
    ],
    ["calls on a Monday last month", "calls: calls | day_of_week is Monday | last month"],
    ["which hours do calls come in mostly", "calls: calls by hour_of_day | calls desc 10"],
  ];
  it.each(answered)("is answered: %s", (question, line) => expect(toLine(plan(question))).toBe(line));

  it.each([
    "calls last month and how much",
    "duplicates we paid for last month: how many, how much?",
    "calls last month by how much",
    "revenue by campaign last month and what",
    "revenue by campaign last month and how",
    "revenue by campaign, campaign and so on",
    "calls by campaign, mostly from Texas",
    "which publisher sent mostly duplicates",
    "top 5 publisher and buyer pairs by revenue",
    "accepted and of refused incoming webhook requests last month",
    "How dependent are we on Sunny Group? give me each buyer's share of revenue last month",
    "calls last month excluding Texas and everything under 30 seconds",
  ])("is never left out in silence: %s", (question) => expect(plan(question).kind).not.toBe("plan"));
});

describe("a follow-up", () => {
  it("ranks the worst of what failed by the most", () => {
    expect(toLine(planChain("how many webhook deliveries failed last month", "on which day was it worst?"))).toBe(
      "outgoing_webhook_requests: deliveries by day | failed is true | last month | deliveries desc 1",
    );
  });
  it("asks whether another figure is of those that were counted", () => {
    expect(toLine(planChain("rtb calls and revenue by campaign", "what about profit per call"))).toBe(
      "refused: Is that asked of all calls, or of auctioned calls alone? Please ask it as a whole question.",
    );
  });
  it("does not answer what was deleted with how often", () => {
    expect(planChain("changes this quarter by action", "what did she delete").kind).not.toBe("plan");
  });
});
