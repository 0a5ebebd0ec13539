import { expect, it } from "vitest";
import { plan, toLine } from "./plan-line.ts";

const listed: readonly [string, string][] = [
  ["last 24 hours: calls, connected, converted", "calls: calls+connected_calls+converted_calls | last 24 hours"],
  ["calls, connected and billable by campaign", "calls: calls+connected_calls+receivable_calls by campaign"],
  ["yesterday: calls, answered, revenue", "calls: calls+connected_calls+revenue | yesterday"],
  ["webhook deliveries and failed ones by day", "outgoing_webhook_requests: deliveries+failed_deliveries by day"],
];
it.each(listed)("a list of counts has one column each: %s", (question, line) =>
  expect(toLine(plan(question))).toBe(line),
);

it("facts of calls that no comma parts from them are conditions", () => {
  expect(toLine(plan("calls answered and converted"))).toBe("calls: connected_calls | converted is true");
});

const single: readonly [string, string][] = [
  ["campaigns with an average duration over 2 minutes", "calls: avg_duration by campaign | avg_duration more_than 120"],
  ["shortest talk time per buyer", "calls: min_connect_duration by buyer"],
  ["longest talk time by target", "calls: max_connect_duration by target"],
  ["percentage of billable calls per target", "calls: receivable_rate by target"],
  ["margin % this month", "calls: margin | this month"],
  ["number of different states that called us last week", "calls: distinct_state | last week"],
  ["calls nobody answered by target", "calls: calls by target | failed is true"],
  ["calls where nobody answered by target", "calls: calls by target | failed is true"],
  ["calls where the caller hung up before anyone answered", "calls: calls | failure_reason is caller_hangup"],
  ["how many calls were sold through rtb, per buyer", "calls: calls by buyer | sold_by_auction is true"],
  ["on average how long were callers waiting until somebody picked up last month", "calls: avg_wait_time | last month"],
];
it.each(single)("the calls themselves are meant: %s", (question, line) => expect(toLine(plan(question))).toBe(line));

const lists: readonly [string, string][] = [
  ["list every call from Texas last week", "calls: list | state is TX | last week | 100"],
  ["show each converted call yesterday", "calls: list | converted is true | yesterday | 100"],
];
it.each(lists)("every and each list all: %s", (question, line) => expect(toLine(plan(question))).toBe(line));

it("names side by side are grouped by", () => {
  expect(toLine(plan("Acme Media and Red Hill side by side: calls, cvr, last month"))).toBe(
    "calls: calls+conversion_rate by publisher | publisher is Acme Media/Red Hill | last month",
  );
});

it("what is pointed at may be the groups of the same question", () => {
  expect(toLine(plan("targets that took over 50 connected calls, with their average talk time"))).toBe(
    "calls: connected_calls+acl by target | connected_calls more_than 50",
  );
});

it("the same stretch is that of a period that still runs", () => {
  expect(toLine(plan("month to date revenue vs the same stretch of last month"))).toContain("last month, same part");
  expect(toLine(plan("revenue MTD against same period last month"))).toContain("last month, same part");
  expect(toLine(plan("revenue in September vs the same stretch of last month"))).toContain(
    "I cannot hold those two periods",
  );
});

it("a word before the period to compare with is named, not dropped", () => {
  expect(toLine(plan("revenue this month vs the xyzzy last month"))).toContain("I do not know “xyzzy”");
});

const parts: readonly [string, string][] = [
  ["percentage of billable calls by campaign", "calls: receivable_rate by campaign"],
  ["percentage of billable calls last month", "calls: receivable_rate | last month"],
  ["share of billable calls by campaign", "calls: receivable_calls by campaign"],
  ["percentage of billable calls from Texas", "calls: calls | receivable is true | of those state is TX"],
  ["percentage of duplicate calls that converted", "calls: calls | duplicate is true | of those converted is true"],
  ["calls, connected ones only, by day", "calls: calls by day | connected is true"],
];
it.each(parts)("a percentage of some calls is a rate unless a condition says of what: %s", (question, line) =>
  expect(toLine(plan(question))).toBe(line),
);

const different: readonly [string, string][] = [
  ["how many different states did people call from last month", "calls: distinct_state | last month"],
  ["how many states did our callers come from by week", "calls: distinct_state by week"],
  [
    "number of distinct publishers that sent calls yesterday by campaign",
    "calls: active_publishers by campaign | yesterday",
  ],
  ["how many publishers were active last month", "calls: active_publishers | last month"],
  [
    "how many different buyers bought calls from Acme Media this month",
    "calls: active_buyers | publisher is Acme Media | this month",
  ],
  [
    "how many different states did Texas Roofs get calls from last month",
    "calls: distinct_state | campaign is Texas Roofs | last month",
  ],
  ["which publisher had calls from the most states", "calls: distinct_state by publisher | distinct_state desc 1"],
  [
    "how many different campaigns did inbound pings come in for yesterday",
    "inbound_rtb_requests: distinct_campaign | yesterday",
  ],
  [
    "how many different states had more than 100 calls last month",
    "calls: calls by state | count of groups | calls more_than 100 | last month",
  ],
  ["how many people called yesterday", "calls: unique_callers | yesterday"],
  ["how many people made changes last week", "audit_logs: actors | last week"],
];
it.each(different)("different values are counted: %s", (question, line) => expect(toLine(plan(question))).toBe(line));
