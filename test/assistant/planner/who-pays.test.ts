import { expect, it } from "vitest";
import { plan, toLine } from "./plan-line.ts";

const paid: readonly [string, string][] = [
  ["calls where the buyer paid but the publisher was not paid", "calls: calls | receivable is true | payable is false"],
  [
    "how many calls did we bill to a buyer without paying the publisher",
    "calls: calls | receivable is true | payable is false",
  ],
  ["publishers where the buyers paid more than $1000", "calls: revenue by publisher | revenue more_than 1000"],
  ["buyers that spent more than $1000 last month", "calls: revenue by buyer | revenue more_than 1000 | last month"],
  ["buyers who have paid over $500", "calls: revenue by buyer | revenue more_than 500"],
  ["publishers we paid more than $1000", "calls: payout by publisher | payout more_than 1000"],
  ["calls sent by Red Hill to Sunny Group", "calls: calls | publisher is Red Hill | buyer is Sunny Group"],
  ["revenue per minute by target", "calls: revenue_per_minute by target"],
  ["cost per minute by publisher", "calls: payout_per_minute by publisher"],
  [
    "how many calls did Sunny Group pay for in October",
    "calls: calls | buyer is Sunny Group | receivable is true | October 2026",
  ],
  ["how many calls did Sunny Group not pay for", "calls: calls | buyer is Sunny Group | receivable is false"],
  ["how many calls did we pay for", "calls: calls | payable is true"],
  [
    "Sunny Group calls, connected calls and spend by week",
    "calls: calls+connected_calls+revenue by week | buyer is Sunny Group",
  ],
  ["our spend on Red Hill last month", "calls: payout | publisher is Red Hill | last month"],
  ["spend by publisher for Sunny Group", "calls: payout by publisher | buyer is Sunny Group"],
  ["calls we paid a publisher for but billed nobody", "calls: calls | payable is true | receivable is false"],
  [
    "revenue from calls we could bill but paid no publisher for",
    "calls: revenue | receivable is true | payable is false",
  ],
  [
    "calls over 2 minutes where we didn't pay the publisher",
    "calls: calls | duration more_than 120 | payable is false",
  ],
  ["calls nobody paid us for last week", "calls: calls | receivable is false | last week"],
  ["calls that no buyer paid for yesterday", "calls: calls | receivable is false | yesterday"],
  ["how many calls were billed but not paid out", "calls: calls | receivable is true | payable is false"],
  ["calls paid to publishers but not billed to buyers", "calls: calls | payable is true | receivable is false"],
  ["duplicates we paid publishers for", "calls: duplicate_calls | payable is true"],
  ["calls charged last week by campaign", "calls: calls by campaign | receivable is true | last week"],
  ["what has Sunny Group been charged this month", "calls: revenue | buyer is Sunny Group | this month"],
  ["total we billed Sunny Group in October", "calls: revenue | buyer is Sunny Group | October 2026"],
  ["which buyer did we charge the most", "calls: revenue by buyer | revenue desc 1"],
  ["how much went out to Red Hill in October", "calls: payout | publisher is Red Hill | October 2026"],
  ["how much money went to publishers last week", "calls: payout | last week"],
  ["what do I need to pay publishers for last month", "calls: payout | last month"],
];
it.each(paid)("buyers pay us and we pay publishers: %s", (question, line) => expect(toLine(plan(question))).toBe(line));

const owed: readonly [string, string][] = [
  ["how much do we owe Red Hill for last month", "calls: payout | publisher is Red Hill | last month"],
  ["how much does Sunny Group owe us", "calls: revenue | buyer is Sunny Group"],
  ["how much did buyers owe us for calls in October", "calls: revenue | October 2026"],
  ["who owes us the most", "calls: revenue by buyer | revenue desc 1"],
  ["how much are we owed by Sunny Group this month", "calls: revenue | buyer is Sunny Group | this month"],
];
it.each(owed)("what is still owed is not known, what it came to is: %s", (question, line) => {
  const outcome = plan(question);
  expect(toLine(outcome)).toBe(line);
  expect(outcome).toMatchObject({ notes: [expect.stringMatching(/^What has been paid since is not known/)] });
});

const waited: readonly [string, string][] = [
  ["how long do callers wait before someone picks up", "calls: avg_wait_time"],
  ["how long until someone answers", "calls: avg_wait_time"],
  ["time to pick up by target", "calls: avg_wait_time by target"],
  ["how long are callers on hold", "calls: avg_wait_time"],
  ["which target takes the longest to answer", "calls: avg_wait_time by target | avg_wait_time desc 1"],
  ["calls where we paid out but earned nothing", "calls: calls | payout more_than 0 | revenue at_most 0"],
  ["calls answered after more than 20 seconds", "calls: connected_calls | wait_time more_than 20"],
  ["calls answered within 20 seconds", "calls: connected_calls | wait_time at_most 20"],
  ["calls where the caller hung up within 10 seconds", "calls: calls | ended_by is caller | duration at_most 10"],
  ["calls that ended within 30 seconds", "calls: calls | duration at_most 30"],
];
it.each(waited)("waits and ends are said with verbs: %s", (question, line) =>
  expect(toLine(plan(question))).toBe(line),
);

it("what is within some time of something else is not understood", () => {
  expect(toLine(plan("calls converted within 20 seconds"))).toMatch(/^(refused|clarify)/);
});

const failed: readonly [string, string][] = [
  ["why did calls fail yesterday", "calls: calls by failure_reason | failed is true | yesterday"],
  ["why are our calls failing", "calls: calls by failure_reason | failed is true"],
  ["failure reasons by campaign last week", "calls: failed_calls by campaign+failure_reason | last week"],
  ["calls rejected with no eligible route", "calls: calls | failure_reason is no_eligible_route"],
];
it.each(failed)("why calls failed is known: %s", (question, line) => expect(toLine(plan(question))).toBe(line));

it("of all else it is not told why", () => {
  expect(toLine(plan("why did revenue drop yesterday"))).toContain("not why");
});

it.each([["which buyers owe us", "calls: revenue by buyer"]])(
  "what is owed is what it came to, and the answer says so: %s",
  (question, line) => {
    const outcome = plan(question);
    expect(toLine(outcome)).toBe(line);
    expect(outcome).toMatchObject({ notes: [expect.stringContaining("paid since is not known")] });
  },
);
