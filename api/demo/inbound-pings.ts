import { isoTime } from "../../ingest/clock.ts";
import { percentOf } from "../../ingest/money.ts";
import type { InboundRtbRequest, OutboundRtbRequest } from "../../ingest/rtb.ts";
import type { TraceLine } from "../../ingest/trace.ts";
import type { Formula, NumberItem, Route } from "./organization.ts";
import { type Execution, type Ping, pingBuyers, type Reasons, toOutboundRecord, toTenths } from "./outbound-pings.ts";
import { chance, logNormal, pick, pickWeighted, type Random, wholeBetween } from "./random.ts";

export interface WonBid {
  readonly formula: Formula;
  /** Dollars, and the connected seconds that it takes to earn them. */
  readonly bid: number;
  readonly seconds: number;
}

/** The records of a ping and of the bids behind its answer. */
export interface PingRecords {
  readonly inbound: InboundRtbRequest;
  readonly outbound: readonly OutboundRtbRequest[];
  readonly won: WonBid | null;
}

/** A number is held for the caller longer than any call of the demo comes after its ping. */
const heldMs = 60_000;

/** A ping that is answered with routes; with a call, one of the bids may win it. */
export function answerWithRoutes(random: Random, ping: Ping): PingRecords {
  const executions = pingBuyers(random, ping, 1);
  const best = executions.reduce<Execution | null>((a, b) => (b.bid > (a?.bid ?? 0) ? b : a), null);
  // Without a call nothing is won; otherwise the plan's own targets still get some of them.
  const winner = ping.callId !== null && best !== null && chance(random, 0.6) ? best : null;
  const ranked = rankRoutes(ping, executions);
  const about = inboundOf(random, ping);
  const given = ranked.slice(0, wholeBetween(random, 1, 3));
  const inbound = {
    ...about,
    outcome: "routes" as const,
    total_routes: ranked.length,
    allocated_count: given.length,
    best_payout: ranked[0]?.payout ?? null,
    processing_ms: Math.max(inboundMs(random), ...executions.map(({ ms }) => ms + 1)),
    eligible_routes: given,
    ineligible_routes: withheldRoutes(ping, executions, null),
    allocations: given.map(({ route_id }) => ({
      number: ping.item.number,
      route_id,
      expires_at: isoTime(ping.at + heldMs),
    })),
  };
  return {
    inbound: { ...inbound, life_log: lifeLogOf(ping, inbound, executions) },
    outbound: executions.map((execution) => toOutboundRecord(ping, execution, execution === winner)),
    won: winner,
  };
}

/** A ping that no call follows: unused routes, none to offer, a repeat, or a refusal. */
export function answerWithoutCall(random: Random, ping: Ping): PingRecords {
  const kind = pickWeighted(random, answersWithoutCall, ({ weight }) => weight) ?? answersWithoutCall[0];
  if (kind.outcome === "routes") return answerWithRoutes(random, ping);
  const executions = kind.asks ? pingBuyers(random, ping, 0) : [];
  const cached = kind.outcome === "cached";
  const about = inboundOf(random, ping);
  const reason = pick(random, kind.reasons);
  const inbound = {
    ...about,
    outcome: kind.outcome,
    reason,
    total_routes: cached ? ping.campaign.routes.length : 0,
    allocated_count: cached ? 1 : 0,
    best_payout: cached ? (rankRoutes(ping, [])[0]?.payout ?? null) : null,
    processing_ms: Math.max(inboundMs(random) * (kind.asks ? 1 : 0.3), ...executions.map(({ ms }) => ms + 1)),
    eligible_routes: [],
    ineligible_routes: kind.outcome === "no_routes" ? withheldRoutes(ping, executions, reason) : [],
    allocations: [],
  };
  return {
    inbound: { ...inbound, life_log: lifeLogOf(ping, inbound, executions) },
    outbound: executions.map((execution) => toOutboundRecord(ping, execution, false)),
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
const answersWithoutCall = [
  { outcome: "routes", weight: 50, reasons: [null] as Reasons, asks: true },
  { outcome: "no_routes", weight: 28, reasons: noRoutes, asks: true },
  { outcome: "cached", weight: 10, reasons: [null] as Reasons, asks: false },
  { outcome: "rate_limited", weight: 7, reasons: ["rate_limited"] as Reasons, asks: false },
  { outcome: "refused", weight: 4, reasons: refusals, asks: false },
  { outcome: "error", weight: 1, reasons: ["internal_error"] as Reasons, asks: false },
] as const;

const inboundMs = (random: Random): number => toTenths(logNormal(random, 3.2, 0.5));

function inboundOf(random: Random, { at, id, organization, campaign, item, caller, callId }: Ping) {
  return {
    kind: "inbound" as const,
    v: 1 as const,
    org_id: organization.org_id,
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

type OfferedRoute = InboundRtbRequest["eligible_routes"][number];
type WithheldRoute = InboundRtbRequest["ineligible_routes"][number];

const toTarget = ({ id, target }: Route) => ({
  route_id: id,
  destination_type: "target",
  destination_id: target.id,
});
const toBuyer = ({ formula }: Execution) => ({
  route_id: null,
  destination_type: "rtb_formula",
  destination_id: formula.id,
});

/** Every route that the ping could be offered, best first. */
function rankRoutes({ campaign, item }: Ping, executions: readonly Execution[]): OfferedRoute[] {
  const offer = (buyer_id: string, revenue: number) => ({ buyer_id, payout: payoutOf(item, revenue), revenue });
  return [
    ...campaign.routes.map((route) => ({
      ...toTarget(route),
      ...offer(route.target.buyer.id, route.target.terms.revenue),
    })),
    ...executions
      .filter(({ bid }) => bid > 0)
      .map((execution) => ({ ...toBuyer(execution), ...offer(execution.formula.target.buyer.id, execution.bid) })),
  ].toSorted((one, other) => other.payout - one.payout);
}

const payoutOf = ({ terms }: NumberItem, revenue: number): number =>
  terms.percentage === null ? terms.payout : percentOf(revenue, terms.percentage);

/** The buyers that made no bid, and the plan's own routes where `reason` excluded them all. */
function withheldRoutes({ campaign }: Ping, executions: readonly Execution[], reason: string | null): WithheldRoute[] {
  // Only a buyer can fail to bid: then the targets were closed.
  const ofTargets = reason === "no_bid" ? "closed" : reason;
  const because = (why: string) => ({ reason: why, detail: null, bid: null });
  return [
    ...(ofTargets === null ? [] : campaign.routes.map((route) => ({ ...toTarget(route), ...because(ofTargets) }))),
    ...executions.flatMap((execution) =>
      execution.bid > 0 || execution.reason === null ? [] : { ...toBuyer(execution), ...because(execution.reason) },
    ),
  ];
}

/** The trace of a ping in the few lines by which they differ. */
function lifeLogOf(
  { at }: Ping,
  record: Omit<InboundRtbRequest, "life_log">,
  executions: readonly Execution[],
): TraceLine[] {
  const after = (ms: number) => isoTime(Math.floor(at + ms));
  const { processing_ms, outcome, total_routes, allocations } = record;
  return [
    { occurred_at: after(0), event: "ping.received", detail: {} },
    ...executions
      .filter((execution) => execution.outcome !== "skipped")
      .toSorted((one, other) => one.ms - other.ms)
      .map(({ formula, reason, bid, ms }) => ({
        occurred_at: after(ms),
        event: "ping.result" as const,
        detail: { rtb_id: formula.id, rtb_name: formula.name, outcome: reason ?? "bid", bid: bid > 0 ? bid : null },
      })),
    ...allocations.slice(0, 1).map(({ expires_at }) => ({
      occurred_at: after(processing_ms),
      event: "numbers.allocated" as const,
      detail: { count: allocations.length, expires_at },
    })),
    { occurred_at: after(processing_ms), event: "ping.answered", detail: { outcome, total_routes } },
  ];
}
