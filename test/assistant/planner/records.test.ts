import { expect, it } from "vitest";
import { plan, toLine } from "./plan-line.ts";

const methods: readonly [string, string][] = [
  [
    "outgoing webhooks using GET, daily, last week",
    "outgoing_webhook_requests: deliveries by day | method is GET | last week",
  ],
  ["webhook deliveries that were not GET", "outgoing_webhook_requests: deliveries | method is_not GET"],
  ["incoming webhook requests via put by type", "incoming_webhook_requests: requests by type | method is PUT"],
  ["get calls by campaign", "calls: calls by campaign"],
  ["GET CALLS BY STATE", "calls: calls by state"],
];

const changes: readonly [string, string][] = [
  ["changes to campaigns last week", "audit_logs: changes | entity_type is campaign | last week"],
  ["change in revenue by month", "calls: revenue by month"],
];

it.each(methods)("a method is one in capitals, or behind its word: %s", (question, line) =>
  expect(toLine(plan(question))).toBe(line),
);
it.each(changes)("a change to something is a record, one in a figure is growth: %s", (question, line) =>
  expect(toLine(plan(question))).toBe(line),
);
