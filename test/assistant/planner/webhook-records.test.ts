import { expect, it } from "vitest";
import { plan, toLine } from "./plan-line.ts";

const statuses: readonly [string, string][] = [
  ["list incoming webhook requests that got a 401", "incoming_webhook_requests: list | status_code is 401 | 100"],
  ["409s on incoming webhooks by month", "incoming_webhook_requests: requests by month | status_code is 409"],
  [
    "webhook deliveries that returned 500 or 503 by webhook",
    "outgoing_webhook_requests: deliveries by webhook | status_code is 500/503",
  ],
  ["outgoing webhooks that used POST", "outgoing_webhook_requests: deliveries | method is POST"],
  ["calls longer than 300s by state", "calls: calls by state | duration more_than 300"],
];

const attempts: readonly [string, string][] = [
  [
    "success rate of first attempts by webhook",
    "outgoing_webhook_requests: delivery_rate by webhook | first_attempt is true",
  ],
  ["webhook deliveries on attempt 4 or later", "outgoing_webhook_requests: deliveries | attempt at_least 4"],
  [
    "outgoing webhook response codes, failures only",
    "outgoing_webhook_requests: deliveries by status_code | failed is true",
  ],
  ["webhook deliveries and failed ones by day", "outgoing_webhook_requests: deliveries+failed_deliveries by day"],
];

const told: readonly [string, string][] = [
  ["how many distinct calls did our webhooks notify about yesterday", "yesterday"],
  ["how many different calls did our webhooks tell anyone about yesterday", "yesterday"],
  ["calls notified by webhook yesterday", "yesterday"],
  ["how many calls were notified by hooks yesterday", "yesterday"],
  ["number of calls we sent a webhook for yesterday", "yesterday"],
];

const sides: readonly [string, string][] = [
  [
    "incoming webhooks: accepted and refused per type",
    "incoming_webhook_requests: accepted_requests+refused_requests by type",
  ],
  [
    "incoming webhook requests we couldn't match to a call by type",
    "incoming_webhook_requests: requests by type | matched is false",
  ],
  ["bidder http errors by week", "outbound_rtb_requests: http_errors by week"],
  ["publisher pings that turned into calls by campaign", "inbound_rtb_requests: pings by campaign | called is true"],
  ["average best payout we quoted by campaign", "inbound_rtb_requests: avg_best_payout by campaign"],
];

it.each([...statuses, ...attempts, ...sides])("reads %s", (question, line) =>
  expect(toLine(plan(question))).toBe(line),
);
it.each(told)("counts the calls that webhooks told of: %s", (question, period) =>
  expect(toLine(plan(question))).toBe(`outgoing_webhook_requests: notified_calls | ${period}`),
);
