import { describe, expect, it } from "vitest";
import { plan, toLine } from "./plan-line.ts";

const fractions: readonly [string, string, readonly string[]][] = [
  ["how many out of all calls converted last month", "calls: conversion_rate | last month", []],
  ["how many calls out of all converted last month", "calls: conversion_rate | last month", []],
  ["how many of every 100 calls converted by campaign", "calls: conversion_rate by campaign", []],
  [
    "one in how many calls converted last month",
    "calls: conversion_rate | last month",
    ['I show "one in how many calls" as a percentage.'],
  ],
  [
    "out of every 10 calls, how many were answered last month",
    "calls: connect_rate | last month",
    ['I show "out of every 10 calls , how many" as a percentage.'],
  ],
];

describe("a part of all calls", () => {
  it.each(fractions)("is a percentage, however it is asked for: %s", (question, line, notes) => {
    const outcome = plan(question);
    expect(toLine(outcome)).toBe(line);
    expect(outcome).toMatchObject({ notes });
  });
  it("has the conditions that stand behind it", () => {
    expect(plan("one in how many calls from Texas converted last month")).toMatchObject({
      plan: { filters: [{ field: "state" }], portion: [{ field: "converted", values: [true] }] },
    });
  });
  it.each([
    "x of every y calls converted",
    "how many of every 7 calls converted",
    "how many in 100 campaigns converted",
  ])("is handed back where it is none that we know: %s", (question) =>
    expect(toLine(plan(question))).toMatch(/^(refused: I (do not know|cannot place)|clarify)/),
  );
});
