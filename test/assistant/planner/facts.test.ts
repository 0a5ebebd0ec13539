import { expect, it } from "vitest";
import { plan, toLine } from "./plan-line.ts";

const grouped: readonly [string, string][] = [
  ["calls by converted", "calls: calls by converted"],
  ["calls by campaign and converted", "calls: calls by campaign+converted"],
  ["revenue by repeat vs new callers", "calls: revenue by repeat"],
  ["duplicates vs non-duplicates", "calls: calls by duplicate"],
  ["converted vs unconverted calls by campaign", "calls: calls by campaign+converted"],
  ["converted vs not converted calls", "calls: calls by converted"],
  ["average duration of converted vs not converted calls", "calls: avg_duration by converted"],
  ["won and not won bids by buyer", "outbound_rtb_requests: outbound_pings by buyer+won"],
];

const counted: readonly [string, string][] = [
  ["filled vs unfilled pings", "inbound_rtb_requests: filled_pings+unfilled_pings"],
  ["revenue by campaign and converted calls", "calls: revenue+converted_calls by campaign"],
];

it.each(grouped)("a fact that is grouped by has two sides: %s", (question, line) =>
  expect(toLine(plan(question))).toBe(line),
);
it.each(counted)("what has a figure of its own is counted: %s", (question, line) =>
  expect(toLine(plan(question))).toBe(line),
);
