import { expect, it } from "vitest";
import { plan, toLine } from "./plan-line.ts";

const units: readonly [string, string, readonly string[]][] = [
  ["p95 webhook latency by webhook, ms", "outgoing_webhook_requests: p95_response_time by webhook", []],
  ["average duration by campaign in seconds", "calls: avg_duration by campaign", []],
  ["revenue by campaign in dollars", "calls: revenue by campaign", []],
  [
    "talk time by buyer in minutes",
    "calls: talk_time by buyer",
    ["Times are read in that unit; in the table it is in seconds."],
  ],
];
it.each(units)("the unit of a figure may stand at the end: %s", (question, line, notes) => {
  const outcome = plan(question);
  expect(toLine(outcome)).toBe(line);
  expect(outcome).toMatchObject({ notes });
});

it.each(["calls by campaign, seconds", "calls by campaign, dollars"])(
  "a unit that no figure has is named: %s",
  (question) => expect(toLine(plan(question))).not.toMatch(/^calls:/),
);
