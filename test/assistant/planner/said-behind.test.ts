import { describe, expect, it } from "vitest";
import { plan, toLine } from "./plan-line.ts";

const firstFew: readonly [string, string][] = [
  ["calls by state last month, first 20", "calls: calls by state | last month | calls desc 20"],
  ["for every buyer the profit, only the first 3", "calls: profit by buyer | profit desc 3"],
  ["from which states come the most calls? only ten first", "calls: calls by state | calls desc 10"],
  ["lowest margin by publisher, the first 5", "calls: margin by publisher | margin asc 5"],
];

const listed: readonly [string, string][] = [
  ["missed calls yesterday, list them", "calls: list | failed is true | yesterday | 100"],
  [
    "converted calls over 5 minutes yesterday, list em",
    "calls: list | converted is true | duration more_than 300 | yesterday | 100",
  ],
  ["refused incoming webhook requests, last 10", "incoming_webhook_requests: list | failed is true | 10"],
  ["converted calls from Texas, the last 10", "calls: list | converted is true | state is TX | 10"],
  ["list the failed calls of yesterday and the reason", "calls: list | failed is true | yesterday | 100"],
];

const whichIsIt: readonly [string, string][] = [
  [
    "buyer with the second best conversion rate last month, which is it?",
    "calls: conversion_rate by buyer | last month | conversion_rate desc 1 | behind 1",
  ],
  ["the publisher with the most calls last month, who was it", "calls: calls by publisher | last month | calls desc 1"],
  ["targets with more than 50 calls, which are they", "calls: calls by target | calls more_than 50"],
];

const relatives: readonly [string, string][] = [
  ["calls which lasted more than 10 minutes", "calls: calls | duration more_than 600"],
  ["the calls which more than 10 minutes lasted, how many were that", "calls: calls | duration more_than 600"],
  ["how many calls which came from Texas converted", "calls: calls | state is TX | converted is true"],
  ["publishers which sent more than 50 calls", "calls: calls by publisher | calls more_than 50"],
  ["calls more as 5 minutes since begin of November", "calls: calls | duration more_than 300 | since November 2026"],
];

describe("what is said behind the question", () => {
  it.each(firstFew)("says how many are shown: %s", (question, line) => expect(toLine(plan(question))).toBe(line));
  it.each(listed)("asks for the records themselves: %s", (question, line) => expect(toLine(plan(question))).toBe(line));
  it.each(whichIsIt)("asks for the name of what is ranked or bounded: %s", (question, line) =>
    expect(toLine(plan(question))).toBe(line),
  );
  it.each(["calls by day, first 5", "revenue last month, the first 10", "calls yesterday, which is it"])(
    "is no guess where there is nothing to pick from: %s",
    (question) => expect(plan(question).kind).not.toBe("plan"),
  );
  it("lists no records where they are counted", () =>
    expect(plan("how many missed calls yesterday, list them").kind).not.toBe("plan"));
});

describe("which", () => {
  it.each(relatives)("only leads on behind what it is of: %s", (question, line) =>
    expect(toLine(plan(question))).toBe(line),
  );
  it("asks before a kind", () =>
    expect(toLine(plan("calls last month, which publisher sent the most"))).toBe(
      "calls: calls by publisher | last month | calls desc 1",
    ));
});
