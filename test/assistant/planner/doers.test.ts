import { describe, expect, it } from "vitest";
import { plan, toLine } from "./plan-line.ts";

const asked: readonly [string, string][] = [
  ["who pays the most per call", "calls: rpc by buyer | rpc desc 1"],
  [
    "which buyer pays the least per conversion",
    "calls: revenue_per_conversion by buyer | revenue_per_conversion asc 1",
  ],
  ["which buyers pay over $30 per call", "calls: rpc by buyer | rpc more_than 30"],
  ["which buyer spends the most", "calls: revenue by buyer | revenue desc 1"],
  ["how much has Sunny Group paid last month", "calls: revenue | buyer is Sunny Group | last month"],
  ["what did buyers pay last month", "calls: revenue | last month"],
  ["who do we pay the most", "calls: payout by publisher | payout desc 1"],
  ["who gets paid the most", "calls: payout by publisher | payout desc 1"],
  ["who costs us the most per conversion", "calls: payout_per_conversion by publisher | payout_per_conversion desc 1"],
  ["which publisher do we pay most per call", "calls: payout_per_call by publisher | payout_per_call desc 1"],
  ["which publisher converts best", "calls: conversion_rate by publisher | conversion_rate desc 1"],
  ["which publisher converts the most", "calls: converted_calls by publisher | converted_calls desc 1"],
];

const agents: readonly [string, string][] = [
  ["calls that no target answered last week", "calls: calls | failed is true | last week"],
  ["the pings of yesterday which got no route", "inbound_rtb_requests: pings | filled is false | yesterday"],
  ["the average payout which we quoted to each publisher", "inbound_rtb_requests: avg_best_payout by publisher"],
  ["how many calls turned out to be billable", "calls: calls | receivable is true"],
  [
    "deliveries refused by the receiver in October",
    "outgoing_webhook_requests: deliveries | outcome is refused | October 2026",
  ],
  [
    "deliveries refused in October by receiver",
    "outgoing_webhook_requests: deliveries by host | outcome is refused | October 2026",
  ],
  ["calls answered by the target yesterday", "calls: connected_calls | yesterday"],
  ["calls answered by target yesterday", "calls: connected_calls by target | yesterday"],
  ["calls grouped by the target", "calls: calls by target"],
  [
    "how many incoming requests were declined last week",
    "incoming_webhook_requests: requests | failed is true | last week",
  ],
  ["have calls declined last week", "calls: calls | last week | against the period before"],
];

const divided: readonly [string, string][] = [
  ["the profit we make per conversion by publisher", "calls: profit_per_conversion by publisher"],
  ["how much do we pay for an average call by publisher", "calls: payout_per_call by publisher"],
  ["cost per lead by publisher", "calls: payout_per_call by publisher"],
  ["cpl by campaign", "calls: payout_per_call by campaign"],
  ["which campaign makes the most per call", "calls: rpc by campaign | rpc desc 1"],
  ["average payout per converted call by publisher", "calls: payout_per_conversion by publisher"],
  ["profit per conversion by buyer", "calls: profit_per_conversion by buyer"],
  ["average duration per converted call by buyer", "calls: avg_duration by buyer | converted is true"],
];

describe("who answers", () => {
  it.each(agents)("is no group where it is said who did it: %s", (question, line) =>
    expect(toLine(plan(question))).toBe(line),
  );
});

describe("who does it", () => {
  it.each(asked)("tells what is meant: %s", (question, line) => expect(toLine(plan(question))).toBe(line));
  it.each([
    ["which buyer pays best", "which buyer pays the most per call"],
    ["best paying buyers last month", "best buyers by revenue per call last month"],
    ["which campaign pays the most", "which campaign has the most payout"],
  ])("is asked back where it may be two things: %s", (question, option) => {
    const outcome = plan(question);
    expect(outcome).toMatchObject({ kind: "clarify", options: expect.arrayContaining([option]) });
    if (outcome.kind === "clarify") for (const each of outcome.options) expect(plan(each).kind, each).toBe("plan");
  });
});

describe("a figure per record", () => {
  it.each(divided)("is the measure that divides: %s", (question, line) => expect(toLine(plan(question))).toBe(line));
  it.each(["talk time per converted call", "calls per conversion by publisher", "routes offered per ping"])(
    "is missed where the catalog has none: %s",
    (question) => expect(toLine(plan(question))).toMatch(/^refused: I have no such figure per/),
  );
});

const idle: readonly [string, string][] = [
  ["which weekdays do people change campaigns", "audit_logs: changes by day_of_week | entity_type is campaign"],
  ["on which days do users change targets", "audit_logs: changes by day | entity_type is target"],
  ["what time of day do people make changes", "audit_logs: changes by hour_of_day"],
  ["which people paused campaigns", "audit_logs: changes by actor | action is pause | entity_type is campaign"],
];
it.each(idle)("people who do something are no grouping, unless they are asked for: %s", (question, line) =>
  expect(toLine(plan(question))).toBe(line),
);
