import { isoTime } from "../../ingest/clock.ts";
import type { OutboundRtbRequest } from "../../ingest/rtb.ts";
import { slug } from "./attribution.ts";
import type { Caller } from "./callers.ts";
import type { Campaign, Formula, NumberItem, Organization } from "./organization.ts";
import { between, chance, logNormal, pick, pickWeighted, type Random } from "./random.ts";

/** A publisher's ping before it sends a call; `callId` is the call that followed. */
export interface Ping {
  readonly at: number;
  readonly id: string;
  readonly organization: Organization;
  readonly campaign: Campaign;
  readonly item: NumberItem;
  readonly caller: Caller;
  readonly callId: string | null;
}

/** A ping to one buyer and its result. */
export interface Execution {
  readonly formula: Formula;
  readonly id: string;
  readonly outcome: OutboundRtbRequest["outcome"];
  readonly reason: string | null;
  /** 0 without a bid. */
  readonly bid: number;
  readonly seconds: number;
  readonly ms: number;
}

const pingTimeoutMs = 1000;
/** Each formula is eligible (hours, caps, filters) for so many of the pings. */
const eligibleShare = 0.9;

/** Pings the campaign's buyers; `interest` scales how often they bid: 0 when nobody wants the call. */
export function pingBuyers(random: Random, { id, campaign }: Ping, interest: number): Execution[] {
  const eligible = campaign.formulas.filter(() => chance(random, eligibleShare));
  return eligible.map((formula, index) => {
    const { revenue, condition_seconds } = formula.target.terms;
    const kind = pickWeighted(random, outcomes, ({ weight, outcome }) =>
      outcome === "bid" ? formula.bids * 100 * interest : weight,
    );
    const { outcome, reasons } = kind ?? outcomes[1];
    const ms = logNormal(random, formula.answerMs, 0.45);
    return {
      formula,
      id: `${id}-${index + 1}`,
      outcome,
      reason: pick(random, reasons),
      bid: outcome === "bid" ? Math.round(revenue * between(random, 0.75, 1.3) * 4) / 4 : 0,
      seconds: condition_seconds,
      ms: durationOf(outcome, Math.min(ms, pingTimeoutMs - 5), between(random, 0, 12)),
    };
  });
}

/** One of the reasons is drawn; null for none. */
export type Reasons = readonly [string | null, ...(string | null)[]];

const outcomes = [
  { outcome: "bid", weight: 0, reasons: [null] as Reasons },
  { outcome: "no_bid", weight: 26, reasons: ["no_bid", "no_bid", "not_accepted"] as Reasons },
  { outcome: "timeout", weight: 8, reasons: ["ping_timeout"] as Reasons },
  { outcome: "http_error", weight: 5, reasons: ["ping_http_error", "ping_http_error", "ping_unreachable"] as Reasons },
  { outcome: "parse_error", weight: 2, reasons: ["ping_parse_error"] as Reasons },
  { outcome: "skipped", weight: 2, reasons: ["ping_backoff", "ping_rate_limited"] as Reasons },
] as const;

function durationOf(outcome: Execution["outcome"], answerMs: number, extraMs: number): number {
  if (outcome === "skipped") return 0;
  return toTenths(outcome === "timeout" ? pingTimeoutMs + extraMs : answerMs);
}

export const toTenths = (ms: number): number => Math.round(ms * 10) / 10;

export function toOutboundRecord(ping: Ping, execution: Execution, won: boolean): OutboundRtbRequest {
  const { formula, outcome, bid } = execution;
  const { buyer, destination } = formula.target;
  const isBid = outcome === "bid";
  return {
    kind: "outbound",
    v: 1,
    org_id: ping.organization.org_id,
    created_at: isoTime(ping.at + 1),
    id: execution.id,
    rtb_id: formula.id,
    rtb_name: formula.name,
    buyer_id: buyer.id,
    buyer_name: buyer.name,
    rtb_group_id: null,
    campaign_id: ping.campaign.id,
    campaign_name: ping.campaign.name,
    call_id: ping.callId,
    inbound_request_id: ping.id,
    outcome,
    reason: isBid && !won ? "lost_auction" : execution.reason,
    bid: isBid ? bid : null,
    effective_bid: isBid ? bid : null,
    duration: isBid ? execution.seconds : null,
    phone_number: isBid ? destination : null,
    score: isBid ? bid : null,
    won,
    total_ms: execution.ms,
    steps_count: outcome === "skipped" ? 0 : 1,
    steps: outcome === "skipped" ? [] : [toStep(ping, execution)],
  };
}

/** The one request that each of the demo's formulas makes, with its response. */
function toStep({ caller }: Ping, execution: Execution): OutboundRtbRequest["steps"][number] {
  const { formula, ms } = execution;
  const [status_code, response_body, error = null] = responseOf(execution);
  return {
    index: 0,
    attempt: 1,
    method: "POST",
    url: `https://bids.${slug(formula.target.buyer.name)}.example/ping`,
    request_headers: { "content-type": "application/json", authorization: "***" },
    request_body: JSON.stringify({ caller: caller.number, zip: caller.zip }),
    status_code,
    response_body,
    error,
    truncated: false,
    duration_ms: ms,
    unresolved: caller.zip === null ? ["zip"] : [],
    script_skipped: false,
  };
}

type Response = readonly [status: number | null, body: string | null, error?: string];

function responseOf({ outcome, reason, bid, seconds, formula }: Execution): Response {
  switch (outcome) {
    case "bid":
      return [200, JSON.stringify({ bid, duration: seconds, phone_number: formula.target.destination })];
    case "timeout":
      return [null, null, "No complete answer in time."];
    case "http_error":
      return reason === "ping_unreachable"
        ? [null, null, "connect ECONNREFUSED"]
        : [503, "Service Unavailable", "The buyer answered with status 503."];
    case "parse_error":
      return [200, "<html>OK</html>", "The answer has a bid that is no amount."];
    default:
      return reason === "not_accepted"
        ? [200, '{"accepted":false}', "The answer does not fulfil the step's target_selection_criteria."]
        : [200, '{"bid":0}'];
  }
}
