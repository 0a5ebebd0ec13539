import { expect, it } from "vitest";
import { plan, toLine } from "./plan-line.ts";

const often: readonly [string, string][] = [
  ["callers who called more than twice", "calls: calls by caller | calls more_than 2"],
  ["callers who called at least 4 times last month", "calls: calls by caller | calls at_least 4 | last month"],
  ["callers that called twice or more", "calls: calls by caller | calls at_least 2"],
  ["callers with 3 or more calls", "calls: calls by caller | calls at_least 3"],
  ["who called us the most last month", "calls: calls by caller | last month | calls desc 1"],
  ["which number called us most often", "calls: calls by caller | calls desc 1"],
  ["top 5 callers", "calls: calls by caller | calls desc 5"],
];
it.each(often)("callers are told by how often they called: %s", (question, line) =>
  expect(toLine(plan(question))).toBe(line),
);

const verbs: readonly [string, string][] = [
  ["days when revenue dropped below 1000", "calls: revenue by day | revenue less_than 1000"],
  ["days when conversion rate fell under 30%", "calls: conversion_rate by day | conversion_rate less_than 30"],
  ["weeks when profit exceeded 2000", "calls: profit by week | profit more_than 2000"],
  ["days when calls stayed under 5", "calls: calls by day | calls less_than 5"],
  ["states where calls dropped below 5 last week", "calls: calls by state | calls less_than 5 | last week"],
];
it.each(verbs)("a condition on groups may be said with a verb: %s", (question, line) =>
  expect(toLine(plan(question))).toBe(line),
);

const asked: readonly [string, readonly string[]][] = [
  ["which numbers get no calls", ["calls: calls by number | calls asc 10", "calls: calls by number"]],
  [
    "publishers that sent no calls yesterday",
    ["calls: calls by publisher | yesterday | calls asc 10", "calls: calls by publisher | yesterday"],
  ],
  ["inactive buyers", ["calls: calls by buyer | calls asc 10", "calls: calls by buyer"]],
  [
    "when do we get the most calls",
    ["calls: calls by hour_of_day | calls desc 1", "calls: calls by day_of_week | calls desc 1"],
  ],
  ["total minutes by buyer", ["calls: talk_time by buyer", "calls: total_duration by buyer"]],
];
it.each(asked)("what cannot be told is asked back in questions that can be: %s", (question, lines) => {
  const outcome = plan(question);
  if (outcome.kind !== "clarify") throw new Error(toLine(outcome));
  expect(outcome.options.map((text) => toLine(plan(text)))).toEqual(lines);
});
