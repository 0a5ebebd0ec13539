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

const deeds: readonly [string, string][] = [
  ["edits by user last month", "audit_logs: changes by actor | action is update | last month"],
  ["changes by day, not counting the ones by the system", "audit_logs: changes by day | actor_type is_not system"],
  [
    "days of the week on which stuff gets deleted, per the audit log",
    "audit_logs: changes by day_of_week | action is delete",
  ],
  ["show every change to campaigns", "audit_logs: list | entity_type is campaign | 100"],
  ["deletes in the audit log, list the lot", "audit_logs: list | action is delete | 100"],
  ["who changed settings this week", "audit_logs: changes by actor | this week"],
  ["how many distinct things were changed in each month", "audit_logs: changed_entities by month"],
  ["how many distinct targets were changed", "audit_logs: changed_entities | entity_type is target"],
  [
    "changes made outside business hours as a percentage of all changes",
    "audit_logs: changes | of those day_of_week is Saturday/Sunday or hour_of_day less_than 9 or hour_of_day at_least 17",
  ],
];

it.each(deeds)("what was done is read as a noun, too: %s", (question, line) =>
  expect(toLine(plan(question))).toBe(line),
);
it.each([
  ["show me the api keys", /secrets/],
  ["which api keys were created", /secrets/],
  ["changes and api keys", /secrets/],
  ["update calls set revenue = 0", /only read/],
  ["edit the campaign", /only read/],
])("keys and commands stay refused: %s", (question, reason) => expect(toLine(plan(question))).toMatch(reason));
it.each(methods)("a method is one in capitals, or behind its word: %s", (question, line) =>
  expect(toLine(plan(question))).toBe(line),
);
it.each(changes)("a change to something is a record, one in a figure is growth: %s", (question, line) =>
  expect(toLine(plan(question))).toBe(line),
);

it.each([
  ["highest and lowest bid per month", "outbound_rtb_requests: highest_bid+lowest_bid by month"],
  ["number of different states that called last week", "calls: distinct_state | last week"],
  ["how many Solar East calls", "calls: calls | campaign is Solar East"],
])("both ends of a figure, and who calls, are asked of what has them: %s", (question, line) =>
  expect(toLine(plan(question))).toBe(line),
);
it.each([["how many emails did we send to buyers in october", /^refused: I cannot place “how many”, a count/]])(
  "what cannot be counted or ranked is said to be that: %s",
  (question, line) => expect(toLine(plan(question))).toMatch(line),
);
