import { expect, it } from "vitest";
import { plan, planChain, toLine } from "./plan-line.ts";

const questions: readonly (readonly [question: string, line: string])[] = [
  // All of an exclusion list is excluded, whatever its members are.
  [
    "calls last month excluding weekends and duplicates",
    "calls: calls | day_of_week is_not Saturday/Sunday | duplicate is false | last month",
  ],
  [
    "calls by campaign excluding repeat callers and Acme Media",
    "calls: calls by campaign | repeat is false | publisher is_not Acme Media",
  ],
  ["revenue without Texas or Florida", "calls: revenue | state is_not TX/FL"],
  // The part of a whole under a condition.
  ["what percentage of failed calls were busy", "calls: calls | failed is true | of those failure_reason is busy"],
  [
    "what percentage of converted calls were repeat callers",
    "calls: calls | converted is true | of those repeat is true",
  ],
  // What is asked of the top few.
  ["calls by state for the top publisher", "calls: calls by publisher+state | calls desc 1"],
  ["top 2 publishers per campaign by revenue", "calls: revenue by publisher+campaign | revenue desc 2"],
  // What grew or fell the most.
  [
    "which publisher grew the most in revenue last month",
    "calls: revenue by publisher | last month | against the period before | revenue desc 1",
  ],
  [
    "which campaign dropped the most in calls last month",
    "calls: calls by campaign | last month | against the period before | calls asc 1",
  ],
  ["who made the most changes last month", "audit_logs: changes by actor | last month | changes desc 1"],
  ["calls that converted but were duplicates", "calls: calls | converted is true | duplicate is true"],
  // One figure divided by another.
  ["ratio of payout to revenue by campaign", "calls: payout_per_revenue by campaign"],
  ["payout as a percentage of revenue", "calls: payout_percent_of_revenue"],
  // A call is a list of its own.
  [
    "timeline of call 01a0a1a3-50f9-74a3-b88f-19162077a1e4",
    "calls: list | call is 01a0a1a3-50f9-74a3-b88f-19162077a1e4 | 100",
  ],
];
it.each(questions)("the grammar reads: %s", (question, line) => expect(toLine(plan(question))).toBe(line));

it.each([
  ["which publisher sent the most calls and when", /"and when"/],
  ["who made the most changes last week and to what", /"and to what"/],
  ["calls by state and when", /"and when"/],
  ["webhooks failing right now", /"right now"/],
  ["currently failing webhooks", /"currently"/],
  ["7 day moving average of calls", /"moving"/],
])("what no plan can say is named: %s", (question, named) => {
  const outcome = plan(question);
  expect(outcome.kind).not.toBe("plan");
  expect(toLine(outcome)).toMatch(named);
});

it("a follow-up for the records' own thing keeps the figure", () =>
  expect(toLine(planChain("failed deliveries yesterday", "which hook"))).toBe(
    "outgoing_webhook_requests: failed_deliveries by webhook | yesterday",
  ));
