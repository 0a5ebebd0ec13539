import { describe, expect, it } from "vitest";
import { plan, toLine } from "./plan-line.ts";

const fractions: readonly [string, string, readonly string[]][] = [
  ["how many out of all calls converted last month", "calls: conversion_rate | last month", []],
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
