import { expect, it } from "vitest";
import { plan, toLine } from "./plan-line.ts";

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
  // A call is a list of its own.
  [
    "timeline of call 01a0a1a3-50f9-74a3-b88f-19162077a1e4",
    "calls: list | call is 01a0a1a3-50f9-74a3-b88f-19162077a1e4 | 100",
  ],
];
it.each(questions)("the grammar reads: %s", (question, line) => expect(toLine(plan(question))).toBe(line));
