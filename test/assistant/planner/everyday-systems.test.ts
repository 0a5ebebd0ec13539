import { describe, expect, it } from "vitest";
import { plan, planChain, toLine } from "./plan-line.ts";

const call = "01a0a1a3-50f9-74a3-b88f-19162077a1e4";
const understood: readonly (readonly [string, string])[] = [
  // Who, of bids, is a buyer; a bid that failed is none.
  ["who won the most auctions", "outbound_rtb_requests: wins by buyer | wins desc 1"],
  ["which bidder rejects us the most", "outbound_rtb_requests: no_bids by buyer | no_bids desc 1"],
  ["how many bids timed out yesterday", "outbound_rtb_requests: timeouts | yesterday"],
  ["how many bids failed yesterday", "outbound_rtb_requests: failed_pings | yesterday"],
  ["how often do bidders time out", "outbound_rtb_requests: timeouts"],
  ["what share of bids do we win by campaign", "outbound_rtb_requests: win_rate by campaign"],
  // Slow are groups, where a time is named or the group is no record.
  [
    "slowest webhooks by p95 latency",
    "outgoing_webhook_requests: p95_response_time by webhook | p95_response_time desc 10",
  ],
  ["slowest 3 bidders", "outbound_rtb_requests: avg_time by buyer | avg_time desc 3"],
  ["p95 response time by rtb", "outbound_rtb_requests: p95_time by rtb"],
  ["slowest webhooks", "outgoing_webhook_requests: list | response_time desc 10"],
  // Reasons, and why.
  ["no-bid reasons by buyer", "outbound_rtb_requests: no_bids by buyer+reason"],
  ["most common no bid reason", "outbound_rtb_requests: no_bids by reason | no_bids desc 1"],
  ["refusal reasons by publisher", "inbound_rtb_requests: unfilled_pings by publisher+reason"],
  ["why were pings rejected yesterday", "inbound_rtb_requests: pings by reason | outcome is refused | yesterday"],
  // What one gets comes in, what one sends goes out.
  ["how many pings did we get yesterday", "inbound_rtb_requests: pings | yesterday"],
  ["how many pings did we send out yesterday", "outbound_rtb_requests: outbound_pings | yesterday"],
  // Deliveries are counted once, whatever attempts they took.
  ["deliveries that needed more than 3 attempts", "outgoing_webhook_requests: messages | attempt more_than 3"],
  ["webhooks that were retried more than twice", "outgoing_webhook_requests: messages | attempt more_than 3"],
  ["which webhooks needed at least 2 attempts", "outgoing_webhook_requests: messages by webhook | attempt at_least 2"],
  ["attempts with attempt number over 3", "outgoing_webhook_requests: deliveries | attempt more_than 3"],
  ["average attempts per delivery by webhook", "outgoing_webhook_requests: attempts_per_delivery by webhook"],
  ["non-2xx deliveries by host", "outgoing_webhook_requests: deliveries by host | delivered is false"],
  ["duplicate transactions by webhook", "incoming_webhook_requests: repeated_requests by webhook"],
  ["rejected incoming webhooks by reason", "incoming_webhook_requests: refused_requests by reason"],
  ["which webhooks failed yesterday", "outgoing_webhook_requests: deliveries by webhook | failed is true | yesterday"],
  ["which webhooks got 429s", "outgoing_webhook_requests: deliveries by webhook | status_code is 429"],
  [
    "which of our webhooks fails the most, as a percentage",
    "outgoing_webhook_requests: delivery_failure_rate by webhook | delivery_failure_rate desc 1",
  ],
  ["anything that didn't get delivered today", "outgoing_webhook_requests: deliveries | delivered is false | today"],
  // A webhook by a part of its name, and what is said beside it.
  ["p95 latency of the CRM endpoint", "outgoing_webhook_requests: p95_response_time | webhook is CRM push"],
  ["how long does the CRM hook take to answer", "outgoing_webhook_requests: avg_response_time | webhook is CRM push"],
  [
    "how long does the CRM server take to respond",
    "outgoing_webhook_requests: avg_response_time | webhook is CRM push",
  ],
  [
    "how many CRM pushes timed out today",
    "outgoing_webhook_requests: deliveries | webhook is CRM push | outcome is timeout | today",
  ],
  [
    "conversions sent to the CRM",
    "outgoing_webhook_requests: deliveries | event_type is call.converted | webhook is CRM push",
  ],
  [
    "average number of attempts it takes to deliver to the CRM",
    "outgoing_webhook_requests: attempts_per_delivery | webhook is CRM push",
  ],
  [
    "field updates that were invalid",
    "incoming_webhook_requests: requests | type is update_fields | reason is invalid",
  ],
  ["tag updates without a call", "incoming_webhook_requests: requests | type is update_tags | matched is false"],
  // Whom we ask for a bid, and what comes back.
  ["how many times did we ask Acme for a bid", "outbound_rtb_requests: outbound_pings | buyer is Acme"],
  ["how often did we ask for bids, by day", "outbound_rtb_requests: outbound_pings by day"],
  [
    "how often did Acme not answer in time",
    "outbound_rtb_requests: outbound_pings | buyer is Acme | outcome is timeout",
  ],
  ["how many bids did we get and what share won", "outbound_rtb_requests: bids+win_rate"],
  [
    "how many bid requests today and what percentage timed out",
    "outbound_rtb_requests: outbound_pings+timeout_rate | today",
  ],
  [
    "which of our bidders times out the most",
    "outbound_rtb_requests: outbound_pings by buyer | outcome is timeout | outbound_pings desc 10",
  ],
  ["who pings us the most", "inbound_rtb_requests: pings by publisher | pings desc 1"],
  ["how much money came out of Red Hill pings", "inbound_rtb_requests: revenue_from_pings | publisher is Red Hill"],
  // Of those that are named, in percent.
  [
    "how many of Red Hill's pings were filled today, in percent",
    "inbound_rtb_requests: pings | publisher is Red Hill | of those filled is true | today",
  ],
  [
    "how many of Acme Media's calls converted, in percent",
    "calls: calls | publisher is Acme Media | of those converted is true",
  ],
  // One call.
  [`did any webhook fail for call ${call}`, `outgoing_webhook_requests: deliveries | failed is true | call is ${call}`],
  [`show call ${call}`, `calls: list | call is ${call} | 100`],
  // The audit log.
  ["what changed yesterday", "audit_logs: list | yesterday | 100"],
  [
    "how many api keys were created yesterday",
    "audit_logs: changed_entities | entity_type is api_key | action is create | yesterday",
  ],
  [
    "how many campaigns were created yesterday",
    "audit_logs: changed_entities | entity_type is campaign | action is create | yesterday",
  ],
  ["did anyone touch a campaign today", "audit_logs: changes | entity_type is campaign | today"],
  ["who has been touching targets today", "audit_logs: changes by actor | entity_type is target | today"],
  ["who messed with the routing plans", "audit_logs: changes by actor | entity_type is routing_plan"],
  [
    "who has been pausing and resuming targets",
    "audit_logs: changes by actor | action is pause/resume | entity_type is target",
  ],
  ["which campaigns were touched today", "audit_logs: changes by entity | entity_type is campaign | today"],
  [
    "who edited routing plans today, and what was done",
    "audit_logs: changes by actor+action | action is update | entity_type is routing_plan | today",
  ],
  [
    "who paused targets, and when? Show me the entries",
    "audit_logs: list | action is pause | entity_type is target | 100",
  ],
  ["when were targets paused", "audit_logs: list | entity_type is target | action is pause | 100"],
  ["changes by user, humans only", "audit_logs: changes by actor | actor_type is user"],
  ["how many campaign changes yesterday", "audit_logs: changes | entity_type is campaign | yesterday"],
];

const declined: readonly (readonly [string, RegExp])[] = [
  ["why is our fill rate so low", /not why/],
  ["why?", /not why/],
  ["deliveries with fewer than 3 attempts", /ask for the requests themselves/],
  ["show me the api key that was created", /secrets/],
  ["which api keys were created", /secrets/],
  ["thanks", /welcome/],
];

const chains: readonly (readonly [readonly string[], string])[] = [
  [["failed webhooks yesterday", "why?"], "outgoing_webhook_requests: failed_deliveries by error_class | yesterday"],
  [
    ["failed webhooks yesterday", "same for incoming webhooks"],
    "incoming_webhook_requests: refused_requests | yesterday",
  ],
  [
    ["failed webhooks yesterday", "show me those"],
    "outgoing_webhook_requests: list | failed is true | yesterday | 100",
  ],
  [["calls by campaign yesterday", "same for webhooks"], 'refused: Webhook deliveries have no "campaign".'],
  [["calls with the highest wait time", "same for changes"], 'refused: Changes have no "wait time".'],
  [["calls with the highest talk time last month", "same for changes"], 'refused: Changes have no "connected time".'],
  [["calls by campaign yesterday", "no, by publisher"], "calls: calls by publisher | yesterday"],
  [["calls by campaign yesterday", "thanks, and by day?"], "calls: calls by day | yesterday"],
  [
    ["deliveries by webhook yesterday", "sort by volume"],
    "outgoing_webhook_requests: deliveries by webhook | yesterday | deliveries desc",
  ],
];

describe("everyday questions about pings, bids, webhooks and changes", () => {
  it.each(understood)("understands: %s", (question, line) => {
    expect(toLine(plan(question))).toBe(line);
  });
  it.each(declined)("declines: %s", (question, reason) => {
    expect(toLine(plan(question))).toMatch(reason);
  });
  it.each(chains)("goes on: %j", (turns, line) => {
    expect(toLine(planChain(...turns))).toBe(line);
  });
  it.each(["percent of pings we rejected and why", "what share of calls failed and why"])(
    "a share and its reasons are two questions: %s",
    (question) => expect(toLine(plan(question))).toMatch(/^refused: I can show what happened but not why/),
  );
  it("says that it does not see rows when one is pointed at", () => {
    expect(toLine(planChain("calls by campaign yesterday", "drill into the first one"))).toMatch(/by its name/);
  });
});
