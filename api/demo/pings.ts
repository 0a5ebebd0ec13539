import { isoTime } from "../../ingest/clock.ts";
import { percentOf } from "../../ingest/money.ts";
import type { InboundRtbRequest, OutboundRtbRequest } from "../../ingest/rtb.ts";
import { askBuyers, type Execution, type Question, type Reasons, toTenths } from "./ask-buyers.ts";
import { allocationsOf, lifeLogOf, rankRoutes, stepsOf, withheldRoutes } from "./ping-records.ts";
import { chance, logNormal, pick, pickWeighted, type Random, wholeBetween } from "./random.ts";
import type { SceneFormula, SceneItem } from "./scene.ts";

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

/** A question that was answered with routes, and the bids behind the answer. */
export function answerWithRoutes(random: Random, question: Question): Answer {
  const executions = askBuyers(random, question, 1);
  const best = executions.reduce<Execution | null>((a, b) => (b.bid > (a?.bid ?? 0) ? b : a), null);
  // Without a call nothing is won; otherwise the plan's own targets still get some of them.
  const winner = question.callId !== null && best !== null && chance(random, 0.6) ? best : null;
  const ranked = rankRoutes(question, executions, (revenue) => payoutOf(question.item, revenue));
  const about = inboundOf(random, question);
  const given = ranked.slice(0, wholeBetween(random, 1, 3));
  const inbound = {
    ...about,
    outcome: "routes" as const,
    total_routes: ranked.length,
    allocated_count: given.length,
    best_payout: ranked[0]?.payout ?? null,
    processing_ms: Math.max(inboundMs(random), ...executions.map(({ ms }) => ms + 1)),
    eligible_routes: given,
    ineligible_routes: withheldRoutes(question, executions, null),
    allocations: allocationsOf(question, given),
  };
  return {
    inbound: { ...inbound, life_log: lifeLogOf(question, inbound, executions) },
    outbound: executions.map((execution) => outboundOf(question, execution, execution === winner)),
    won: winner === null ? null : { formula: winner.formula, bid: winner.bid, seconds: winner.seconds },
  };
}

/** A question that no call followed: unused routes, none to offer, a repeat, or a refusal. */
export function answerInVain(random: Random, question: Question): Answer {
  const kind = pickWeighted(random, vainAnswers, ({ weight }) => weight) ?? vainAnswers[0];
  if (kind.outcome === "routes") return answerWithRoutes(random, question);
  const executions = kind.asks ? askBuyers(random, question, 0) : [];
  const [best] = rankRoutes(question, [], (revenue) => payoutOf(question.item, revenue));
  const cached = kind.outcome === "cached";
  const about = inboundOf(random, question);
  const reason = pick(random, kind.reasons);
  const inbound = {
    ...about,
    outcome: kind.outcome,
    reason,
    total_routes: cached ? question.campaign.routes.length : 0,
    allocated_count: cached ? 1 : 0,
    best_payout: cached ? (best?.payout ?? null) : null,
    processing_ms: Math.max(inboundMs(random) * (kind.asks ? 1 : 0.3), ...executions.map(({ ms }) => ms + 1)),
    eligible_routes: [],
    ineligible_routes: [],
    allocations: [],
    ...(kind.outcome === "no_routes" ? { ineligible_routes: withheldRoutes(question, executions, reason) } : {}),
  };
  return {
    inbound: { ...inbound, life_log: lifeLogOf(question, inbound, executions) },
    outbound: executions.map((execution) => outboundOf(question, execution, false)),
    won: null,
  };
}

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

const inboundMs = (random: Random): number => toTenths(logNormal(random, 3.2, 0.5));

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
    steps: stepsOf(question, execution),
  };
}
