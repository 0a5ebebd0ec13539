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
