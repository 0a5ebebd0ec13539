import { isoTime } from "../../ingest/clock.ts";
import { percentOf } from "../../ingest/money.ts";
import type { InboundRtbRequest, OutboundRtbRequest } from "../../ingest/rtb.ts";
import type { Caller } from "./callers.ts";
import { between, chance, logNormal, pick, pickWeighted, type Random, wholeBetween } from "./random.ts";
import type { Scene, SceneCampaign, SceneFormula, SceneItem } from "./scene.ts";

/** A publisher's question before it sends a call; `callId` is the call that came of it. */
export interface Question {
  readonly at: number;
  readonly id: string;
  readonly scene: Scene;
  readonly campaign: SceneCampaign;
  readonly item: SceneItem;
  readonly caller: Caller;
  readonly callId: string | null;
}

export interface WonBid {
  readonly formula: SceneFormula;
  /** Dollars, and the connected seconds that it takes to earn them. */
  readonly bid: number;
  readonly seconds: number;
}

export interface Answer {
  readonly inbound: InboundRtbRequest;
  readonly outbound: readonly OutboundRtbRequest[];
  readonly won: WonBid | null;
}

/** How long formulas are waited for, in ms. */
const pingTimeoutMs = 1000;
/** Each formula is eligible (hours, caps, filters) for so many of the pings. */
const eligibleShare = 0.9;

/** A question that was answered with routes, and the bids behind the answer. */
export function answerWithRoutes(random: Random, question: Question): Answer {
  const executions = askBuyers(random, question, 1);
  const best = executions.reduce<Execution | null>((a, b) => (b.bid > (a?.bid ?? 0) ? b : a), null);
  // Without a call nothing is won; otherwise the plan's own targets still get some of them.
  const winner = question.callId !== null && best !== null && chance(random, 0.6) ? best : null;
  const revenues = [...question.campaign.routes.map(({ target }) => target.terms.revenue), best?.bid ?? 0];
  const total = question.campaign.routes.length + executions.filter(({ bid }) => bid > 0).length;
  return {
    inbound: {
      ...inboundOf(random, question),
      outcome: "routes",
      total_routes: total,
      allocated_count: Math.min(total, wholeBetween(random, 1, 3)),
      best_payout: payoutOf(question.item, Math.max(...revenues)),
      processing_ms: Math.max(inboundMs(random), ...executions.map(({ ms }) => ms + 1)),
    },
    outbound: executions.map((execution) => outboundOf(question, execution, execution === winner)),
    won: winner === null ? null : { formula: winner.formula, bid: winner.bid, seconds: winner.seconds },
  };
}

/** A question that no call followed: unused routes, none to offer, a repeat, or a refusal. */
export function answerInVain(random: Random, question: Question): Answer {
  const kind = pickWeighted(random, vainAnswers, ({ weight }) => weight) ?? vainAnswers[0];
  if (kind.outcome === "routes") return answerWithRoutes(random, question);
  const executions = kind.asks ? askBuyers(random, question, 0) : [];
  const cached = kind.outcome === "cached";
  return {
    inbound: {
      ...inboundOf(random, question),
      outcome: kind.outcome,
      reason: pick(random, kind.reasons),
      total_routes: cached ? question.campaign.routes.length : 0,
      allocated_count: cached ? 1 : 0,
      best_payout: cached ? payoutOf(question.item, question.campaign.routes[0]?.target.terms.revenue ?? 0) : null,
      processing_ms: Math.max(inboundMs(random) * (kind.asks ? 1 : 0.3), ...executions.map(({ ms }) => ms + 1)),
    },
    outbound: executions.map((execution) => outboundOf(question, execution, false)),
    won: null,
  };
}

type Reasons = readonly [string | null, ...(string | null)[]];
const refusals: Reasons = ["tcpa_blocked", "caller_id_invalid", "publisher_paused"];
const noRoutes: Reasons = [
  "filter_mismatch",
  "filter_mismatch",
  "closed",
  "cap_reached",
  "concurrency_reached",
  "no_bid",
];
const vainAnswers = [
  { outcome: "routes", weight: 50, reasons: [null] as Reasons, asks: true },
  { outcome: "no_routes", weight: 28, reasons: noRoutes, asks: true },
  { outcome: "cached", weight: 10, reasons: [null] as Reasons, asks: false },
  { outcome: "rate_limited", weight: 7, reasons: ["rate_limited"] as Reasons, asks: false },
  { outcome: "refused", weight: 4, reasons: refusals, asks: false },
  { outcome: "error", weight: 1, reasons: ["internal_error"] as Reasons, asks: false },
] as const;

interface Execution {
  readonly formula: SceneFormula;
  readonly id: string;
  readonly outcome: OutboundRtbRequest["outcome"];
  readonly reason: string | null;
  /** 0 without a bid. */
  readonly bid: number;
  readonly seconds: number;
  readonly ms: number;
}

/** `interest` scales how often buyers bid: 0 when nobody wants the call. */
function askBuyers(random: Random, { id, campaign }: Question, interest: number): Execution[] {
  const asked = campaign.formulas.filter(() => chance(random, eligibleShare));
  return asked.map((formula, index) => {
    const { revenue, condition_seconds } = formula.target.terms;
    const kind = pickWeighted(random, outcomes, ({ weight, outcome }) =>
      outcome === "bid" ? formula.traits.bids * 100 * interest : weight,
    );
    const { outcome, reasons } = kind ?? outcomes[1];
    const ms = logNormal(random, formula.traits.answerMs, 0.45);
    return {
      formula,
      id: `${id}-${index + 1}`,
      outcome,
      reason: pick(random, reasons),
      bid: outcome === "bid" ? Math.round(revenue * between(random, 0.75, 1.3) * 4) / 4 : 0,
      seconds: condition_seconds,
      ms: timeOf(outcome, Math.min(ms, pingTimeoutMs - 5), between(random, 0, 12)),
    };
  });
}

const outcomes = [
  { outcome: "bid", weight: 0, reasons: [null] as Reasons },
  { outcome: "no_bid", weight: 26, reasons: ["no_bid", "no_bid", "not_accepted"] as Reasons },
  { outcome: "timeout", weight: 8, reasons: ["ping_timeout"] as Reasons },
  { outcome: "http_error", weight: 5, reasons: ["ping_http_error", "ping_http_error", "ping_unreachable"] as Reasons },
  { outcome: "parse_error", weight: 2, reasons: ["ping_parse_error"] as Reasons },
  { outcome: "skipped", weight: 2, reasons: ["ping_backoff", "ping_rate_limited"] as Reasons },
] as const;

function timeOf(outcome: Execution["outcome"], answerMs: number, extraMs: number): number {
  if (outcome === "skipped") return 0;
  return toTenths(outcome === "timeout" ? pingTimeoutMs + extraMs : answerMs);
}

const inboundMs = (random: Random): number => toTenths(logNormal(random, 3.2, 0.5));
const toTenths = (ms: number): number => Math.round(ms * 10) / 10;

function payoutOf({ terms }: SceneItem, revenue: number): number {
  return terms.percentage === null ? terms.payout : percentOf(revenue, terms.percentage);
}

function inboundOf(random: Random, { at, id, scene, campaign, item, caller, callId }: Question) {
  return {
    kind: "inbound" as const,
    v: 1 as const,
    org_id: scene.orgId,
    created_at: isoTime(at),
    request_id: id,
    inbound_rtb_id: item.inboundRtbId,
    campaign_id: campaign.id,
    campaign_name: campaign.name,
    publisher_id: item.publisher.id,
    publisher_name: item.publisher.name,
    caller_id: caller.number,
    zip_code: caller.zip,
    state: caller.state,
    params: { subid: `sub-${wholeBetween(random, 101, 118)}` },
    reason: null,
    call_id: callId,
    ...{ eligible_routes: [], ineligible_routes: [], allocations: [], life_log: [] },
  };
}

function outboundOf(question: Question, execution: Execution, won: boolean): OutboundRtbRequest {
  const { formula, outcome, bid } = execution;
  const isBid = outcome === "bid";
  return {
    kind: "outbound",
    v: 1,
    org_id: question.scene.orgId,
    created_at: isoTime(question.at + 1),
    id: execution.id,
    rtb_id: formula.id,
    rtb_name: formula.name,
    buyer_id: formula.target.buyer.id,
    buyer_name: formula.target.buyer.name,
    rtb_group_id: null,
    campaign_id: question.campaign.id,
    campaign_name: question.campaign.name,
    call_id: question.callId,
    inbound_request_id: question.id,
    outcome,
    reason: isBid && !won ? "lost_auction" : execution.reason,
    bid: isBid ? bid : null,
    effective_bid: isBid ? bid : null,
    duration: isBid ? execution.seconds : null,
    phone_number: isBid ? formula.target.destination : null,
    score: isBid ? bid : null,
    won,
    total_ms: execution.ms,
    steps_count: outcome === "skipped" ? 0 : 1,
    steps: [],
  };
}
