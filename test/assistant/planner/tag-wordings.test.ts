import { expect, it } from "vitest";
import { plan, planChain, toLine } from "./plan-line.ts";

const keys: readonly [string, string][] = [
  ["revenue by utm_source tag", "calls: revenue by tag:utm_source"],
  ["calls and cvr for each lead type tag", "calls: calls+conversion_rate by tag:lead type"],
  ["top 5 utm_source tags by revenue", "calls: revenue by tag:utm_source | revenue desc 5"],
  ["revenue by the tag utm_medium", "calls: revenue by tag:utm_medium"],
  ["calls that carried the utm_medium tag cpc", "calls: calls | tag:utm_medium is cpc"],
];
it.each(keys)("“tag” beside a tag's key says that it is one: %s", (question, line) =>
  expect(toLine(plan(question))).toBe(line),
);

const values: readonly [string, string][] = [
  ["break google calls down by utm_medium", "calls: calls by tag:utm_medium | tag:utm_source is google"],
  ["google + bing calls (utm_source) by day", "calls: calls by day | tag:utm_source is google/bing"],
];
it.each(values)("a tag's value is known by itself: %s", (question, line) => expect(toLine(plan(question))).toBe(line));

const any: readonly [string, string][] = [
  ["tagged calls last month", "calls: tagged_calls | last month"],
  ["calls that are tagged last week", "calls: calls | tagged is true | last week"],
  ["revenue of tagged calls by day", "calls: revenue by day | tagged is true"],
  ["untagged calls by campaign", "calls: calls by campaign | tagged is false"],
  ["calls without any tags last month", "calls: calls | tagged is false | last month"],
  ["calls tagged with utm_source by day", "calls: calls by day | tag:utm_source not_empty "],
  ["calls tagged cpc", "calls: calls | tag:utm_medium is cpc"],
  ["calls with a tag utm_medium", "calls: calls | tag:utm_medium not_empty "],
];
it.each(any)("“tagged” is of any tag, unless one is named: %s", (question, line) =>
  expect(toLine(plan(question))).toBe(line),
);

it("a tag's value goes on from the answer before", () => {
  expect(toLine(planChain("revenue by utm_source tag", "break google down by utm_medium"))).toBe(
    "calls: revenue by tag:utm_medium | tag:utm_source is google",
  );
});

it("a tag of no such key is named, not dropped", () => {
  expect(toLine(plan("revenue by colour tag"))).toContain("I do not know “colour”");
});
