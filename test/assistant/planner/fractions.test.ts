import { describe, expect, it } from "vitest";
import { plan, toLine } from "./plan-line.ts";

const of = (whole: string) => `calls: calls | ${whole} | of those`;

const fractions: readonly [string, string, readonly string[]][] = [
  [
    "what percentage of the first attempts at our outgoing webhooks made it through",
    "outgoing_webhook_requests: deliveries | first_attempt is true | of those delivered is true",
    [],
  ],
  [
    "what part of the revenue of Acme Media comes from Texas",
    "calls: revenue | publisher is Acme Media | of those state is TX",
    [],
  ],
  [
    "what share of Acme Media's revenue came from Texas",
    "calls: revenue | publisher is Acme Media | of those state is TX",
    [],
  ],
  [
    "Of our October payout, how much went to Acme Media?",
    "calls: payout | of those publisher is Acme Media | October 2026",
    [],
  ],
  ["of all we paid out in October, how much went to each publisher", "calls: payout by publisher | October 2026", []],
  [
    "Of our revenue in October, what percentage came from calls that were sold by auction?",
    "calls: revenue | of those sold_by_auction is true | October 2026",
    [],
  ],
  ["of those who called us from Texas, how many converted", "calls: calls | state is TX | converted is true", []],
  ["share of revenue from Texas", "calls: revenue | of those state is TX", []],
  ["what percent of calls on weekends converted", `${of("day_of_week is Saturday/Sunday")} converted is true`, []],
  ["what percent of weekend calls converted", `${of("day_of_week is Saturday/Sunday")} converted is true`, []],
  ["what percent of calls converted on weekends", "calls: conversion_rate | day_of_week is Saturday/Sunday", []],
  ["what percentage of calls over 5 minutes came from Texas", `${of("duration more_than 300")} state is TX`, []],
  ["what percentage of calls lasted over 5 minutes from Texas", `${of("state is TX")} duration more_than 300`, []],
  ["what percent of calls that converted came from Texas", `${of("converted is true")} state is TX`, []],
  [
    "what share of calls that came in on weekends were from Texas",
    `${of("day_of_week is Saturday/Sunday")} state is TX`,
    [],
  ],
  ["what percentage of the calls we got from Texas were answered", `${of("state is TX")} connected is true`, []],
  ["share of calls over 5 minutes that did not convert", `${of("duration more_than 300")} converted is false`, []],
  ["share of calls whose failure reason was busy", "calls: calls | of those failure_reason is busy", []],
  [
    "Of all the calls Acme Media got, what percent lasted under 90 seconds?",
    `${of("publisher is Acme Media")} duration less_than 90`,
    [],
  ],
  [
    "Of our converted calls in October, what share came from Texas?",
    `${of("converted is true")} state is TX | October 2026`,
    [],
  ],
  [
    "Of the connected calls from Texas, how many lasted over 2 minutes?",
    "calls: calls | connected is true | state is TX | duration more_than 120",
    [],
  ],
  [
    "Among calls over two minutes, which share did the buyer not pay for?",
    `${of("duration more_than 120")} receivable is false`,
    [],
  ],
];

describe("a part of all calls", () => {
  it.each(fractions)("is a percentage, however it is asked for: %s", (question, line, notes) => {
    const outcome = plan(question);
    expect(toLine(outcome)).toBe(line);
    expect(outcome).toMatchObject({ notes });
  });
  it.each([
    "x of every y calls converted",
    "how many of every 7 calls converted",
    "how many in 100 campaigns converted",
  ])("is handed back where it is none that we know: %s", (question) =>
    expect(toLine(plan(question))).toMatch(/^(refused: I (do not know|cannot place)|clarify)/),
  );
  it.each([
    "what percentage of calls failed because of no route",
    "what percentage of webhook deliveries failed with a timeout",
    "what percentage of our failed webhook deliveries were server errors (5xx)?",
  ])("is not taken of those that failed for a reason, which all failed: %s", (question) =>
    expect(plan(question).kind).not.toBe("plan"),
  );
});
