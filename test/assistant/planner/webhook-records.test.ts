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

const answers: readonly [string, string][] = [
  [
    "how often did receivers answer 429 by webhook",
    "outgoing_webhook_requests: deliveries by webhook | status_code is 429",
  ],
  ["how many times did receivers respond with a 503", "outgoing_webhook_requests: deliveries | status_code is 503"],
  ["which receivers answered with 503", "outgoing_webhook_requests: deliveries by host | status_code is 503"],
  ["incoming webhooks with answer 401", "incoming_webhook_requests: requests | status_code is 401"],
  ["how quickly do we answer incoming webhooks by type", "incoming_webhook_requests: avg_response_time by type"],
  ["how long do receivers take to answer by host", "outgoing_webhook_requests: avg_response_time by host"],
  ["how fast do bidders respond by rtb", "outbound_rtb_requests: avg_time by rtb"],
  ["outgoing webhooks the other side refused", "outgoing_webhook_requests: deliveries | outcome is refused"],
  [
    "list the undelivered conversion postbacks",
    "outgoing_webhook_requests: list | failed is true | event_type is call.converted | 100",
  ],
  [
    "list revenue updates that matched no call",
    "incoming_webhook_requests: list | type is update_revenue | matched is false | 100",
  ],
];

const attempts: readonly [string, string][] = [
  [
    "what share of webhook deliveries went through on the first try",
    "outgoing_webhook_requests: deliveries | of those delivered is true | of those first_attempt is true",
  ],
  [
    "share of deliveries that were on the first attempt",
    "outgoing_webhook_requests: deliveries | of those first_attempt is true",
  ],
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

const exchanged: readonly [string, string][] = [
  [
    "average latency of /crm/calls postbacks by hour of day",
    "outgoing_webhook_requests: avg_response_time by hour_of_day | path is /crm/calls",
  ],
  [
    "last 20 failed deliveries to /ads/conversions",
    "outgoing_webhook_requests: list | failed is true | path is /ads/conversions | 20",
  ],
  ["success rate on the first try vs on retries", "outgoing_webhook_requests: delivery_rate by first_attempt"],
  [
    "how did the webhooks do this week, delivered vs failed per day",
    "outgoing_webhook_requests: delivered_attempts+failed_deliveries by day | this week",
  ],
  ["how many outbound hooks fired yesterday", "outgoing_webhook_requests: deliveries | yesterday"],
  ["429 answers from receivers per week", "outgoing_webhook_requests: deliveries by week | status_code is 429"],
  [
    "second most used webhook last month",
    "outgoing_webhook_requests: deliveries by webhook | last month | deliveries desc 1 | behind 1",
  ],
  [
    "which webhook has the second most failed attempts",
    "outgoing_webhook_requests: failed_deliveries by webhook | failed_deliveries desc 1 | behind 1",
  ],
  [
    "time to first byte of outgoing webhooks, p90 by method",
    "outgoing_webhook_requests: p90_first_byte_time by method",
  ],
  [
    "how many webhook deliveries per notified call per month",
    "outgoing_webhook_requests: deliveries_per_notified_calls by month",
  ],
  [
    "how many webhook deliveries needed at least three attempts last month, by webhook",
    "outgoing_webhook_requests: messages by webhook | attempt at_least 3 | last month",
  ],
  ["how many deliveries needed more than one attempt", "outgoing_webhook_requests: messages | attempt more_than 1"],
  ["webhooks that were retried more than twice", "outgoing_webhook_requests: messages | attempt more_than 3"],
  [
    "of all 5xx errors on outgoing webhooks in October, how many were 500s and how many 503s",
    "outgoing_webhook_requests: deliveries by status_code | error_class is http_5xx | status_code is 500/503 | October 2026",
  ],
  [
    "of all failed deliveries how many were timeouts and how many network errors",
    "outgoing_webhook_requests: deliveries by outcome | failed is true | outcome is timeout/network_error",
  ],
  [
    "what share of incoming tag updates was answered with a 409",
    "incoming_webhook_requests: requests | type is update_tags | of those status_code is 409",
  ],
  [
    "average response time of the incoming call data webhook by day",
    "incoming_webhook_requests: avg_response_time by day | type is call_data",
  ],
  [
    "incoming requests that were refused as unauthorized, list them all",
    "incoming_webhook_requests: list | failed is true | reason is unauthorized | 100",
  ],
  [
    "conflicts on incoming webhooks this month, show me the records",
    "incoming_webhook_requests: list | reason is conflict | this month | 100",
  ],
  [
    "incoming webhook errors by status code and month",
    "incoming_webhook_requests: refused_requests by month+status_code",
  ],
  ["which transactions were sent twice", "incoming_webhook_requests: requests by transaction | requests is 2"],
  [
    "ratio of accepted to refused incoming webhook requests",
    "incoming_webhook_requests: accepted_requests_per_refused_requests",
  ],
];

const auctions: readonly [string, string][] = [
  ["highest payout we have ever quoted to pinging publishers", "inbound_rtb_requests: highest_best_payout"],
  ["pings where the offered payout was 30 or more", "inbound_rtb_requests: pings | best_payout at_least 30"],
  [
    "what share of Acme Media's calls came via auction",
    "calls: calls | publisher is Acme Media | of those sold_by_auction is true",
  ],
  [
    "what share of Acme Media's calls came from pings",
    "calls: calls | publisher is Acme Media | of those from_ping is true",
  ],
  [
    "bid requests we sent buyers and how many of those came back with a bid",
    "outbound_rtb_requests: outbound_pings+bids",
  ],
  [
    "ratio of filled to unfilled pings per publisher",
    "inbound_rtb_requests: filled_pings_per_unfilled_pings by publisher",
  ],
  ["inbound pings answered from cache by day", "inbound_rtb_requests: pings by day | outcome is cached"],
  [
    "what portion of the bids were above $40 last month",
    "outbound_rtb_requests: bids | of those bid more_than 40 | last month",
  ],
  [
    "bids over $50 that lost, listed with formula and reason, newest first",
    "outbound_rtb_requests: list | bid more_than 50 | lost is true | 100",
  ],
  [
    "which bidders answered with an unreadable response or an HTTP error more than 15 times",
    "outbound_rtb_requests: outbound_pings by buyer | outcome is parse_error/http_error | outbound_pings more_than 15",
  ],
  ["which formula answers quickest, median?", "outbound_rtb_requests: median_time by rtb | median_time asc 1"],
  ["slowest bidder in October, by p95", "outbound_rtb_requests: p95_time by buyer | October 2026 | p95_time desc 1"],
  ["who bids fastest", "outbound_rtb_requests: avg_time by buyer | avg_time asc 1"],
  ["who answers our bid requests fastest", "outbound_rtb_requests: avg_time by buyer | avg_time asc 1"],
  ["bids we couldn't read by buyer", "outbound_rtb_requests: parse_errors by buyer"],
  ["skipped rtb formulas by reason", "outbound_rtb_requests: skipped_pings by reason"],
  [
    "calls sent to bidders and how many converted, by rtb",
    "outbound_rtb_requests: calls_to_bidders+bidder_conversions by rtb",
  ],
  ["of all bids last month, how many won and how many lost", "outbound_rtb_requests: bids+wins+losses | last month"],
];

it.each([...statuses, ...answers, ...attempts, ...sides, ...exchanged, ...auctions])("reads %s", (question, line) =>
  expect(toLine(plan(question))).toBe(line),
);
it.each(told)("counts the calls that webhooks told of: %s", (question, period) =>
  expect(toLine(plan(question))).toBe(`outgoing_webhook_requests: notified_calls | ${period}`),
);
it.each(["what share of bids over $50 won", "webhook deliveries that got nothing", "which campaigns got calls twice"])(
  "does not guess: %s",
  (question) => expect(plan(question).kind).not.toBe("plan"),
);
