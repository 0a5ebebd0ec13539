import { type Clock, isoTime } from "../../../ingest/clock.ts";
import type { OutboundRtbRequest } from "../../../ingest/rtb.ts";
import type { Tracing } from "../../../ingest/tracing.ts";
import { uuidv7 } from "../../../ingest/uuid.ts";
import { bidTerms } from "../payout.ts";
import type { ResolvedRoute } from "../route.ts";
import type { Formula, PingTimeLimits } from "../rtb/formula.ts";
import type { Bid, Execution, NotAsked, Ping } from "../rtb/ping.ts";
import { boundSteps, outcomeOf } from "../rtb/ping-record.ts";
import type { Quote, QuoteReason, Unquoted } from "./quote.ts";
import type { QuoteContext } from "./quote-context.ts";
import { toPingContext } from "./quote-context.ts";

/** Dollars that a bid must lie between, both included. */
export interface Bounds {
  readonly minimum: number;
  /** Null for none. */
  readonly maximum: number | null;
}

/** A bid is for sale from 0 dollars on where no group says more. */
export const noBounds: Bounds = { minimum: 0, maximum: null };

/** A bid out of bounds is refused, not cut: it would be another price than the buyer has in its books. */
export function refusalByBounds(
  bid: number,
  { minimum, maximum }: Bounds,
): "bid_below_minimum" | "bid_above_maximum" | null {
  if (bid < minimum) return "bid_below_minimum";
  return maximum !== null && bid > maximum ? "bid_above_maximum" : null;
}

/** Time that a loser's bid holds, for when the winner does not take the call. */
const bidHoldsMs = 60_000;

export interface BidRequest {
  readonly routeId: string | null;
  readonly groupId: string | null;
  readonly formula: Formula;
  readonly buyer: ResolvedRoute["buyer"];
  readonly bounds: Bounds;
  readonly limits: PingTimeLimits;
}

/** The result of context one buyer, with the record of the ping, to which the auction adds its part. */
export interface BidResult {
  readonly outcome:
    | { readonly kind: "quote"; readonly quote: Quote }
    | { readonly kind: "unquoted"; readonly unquoted: Unquoted };
  readonly request: OutboundRtbRequest;
  readonly tags: Readonly<Record<string, string>>;
}

export interface BidRequestDeps {
  readonly ping: Ping;
  readonly clock: Clock;
  readonly tracing?: Tracing | null;
}

/** Asks the buyer of a formula that is eligible, and judges the bid by its bounds. */
export async function requestBid(
  { ping, clock }: BidRequestDeps,
  bidRequest: BidRequest,
  context: QuoteContext,
): Promise<BidResult> {
  const { formula, groupId, limits } = bidRequest;
  const now = clock.now();
  const [id, created_at] = [uuidv7(now), isoTime(now)];
  const about = { rtb_id: formula.id, rtb_name: formula.rtb_name, request_id: id };
  const answer = await ping(formula, toPingContext(context), {
    ...limits,
    onSent: () => context.trace.note("ping.sent", { ...about, rtb_group_id: groupId }),
  });
  const bid = answer.kind === "not_asked" ? null : answer.bid;
  const reason = reasonOf(answer, bid, bidRequest.bounds);
  const total_ms = answer.kind === "not_asked" ? 0 : answer.total_ms;
  if (answer.kind !== "not_asked") {
    context.trace.note("ping.result", { ...about, outcome: reason ?? "bid", bid, total_ms });
  }
  const record = toRecord({ id, created_at, bidRequest, context, answer, reason });
  const tags = answer.kind === "not_asked" ? {} : answer.tags;
  if (reason === null && answer.kind === "bid") {
    const quote = toQuote(bidRequest, context, { id, bid: answer, usableUntil: clock.now() + bidHoldsMs });
    return { outcome: { kind: "quote", quote }, request: record, tags };
  }
  const refused = { kind: "rtb_formula", id: formula.id, reason: reason ?? "no_bid", detail: null, bid } as const;
  return {
    outcome: { kind: "unquoted", unquoted: { route_id: bidRequest.routeId, ...refused } },
    request: record,
    tags,
  };
}

/** Bounds before a missing number: what is out of bounds is not for sale, wherever it would go. */
function reasonOf(answer: Execution | NotAsked, bid: number | null, bounds: Bounds): QuoteReason | null {
  if (answer.kind === "not_asked") return answer.reason;
  const outOfBounds = bid === null ? null : refusalByBounds(bid, bounds);
  return outOfBounds ?? (answer.kind === "refused" ? answer.reason : null);
}

interface Given {
  /** Id of the ping's record. */
  readonly id: string;
  readonly bid: Bid;
  readonly usableUntil: number;
}

function toQuote(
  { formula, routeId, groupId, bounds, buyer }: BidRequest,
  { plan }: QuoteContext,
  { id, bid: { bid, duration, phone_number, captured, tags }, usableUntil }: Given,
): Quote {
  return {
    route_id: routeId,
    plan_id: plan?.id ?? null,
    kind: "rtb_formula",
    id: formula.id,
    rtb_group_id: groupId,
    buyer_id: buyer.id,
    buyer_terms: bidTerms(bid, duration),
    won: { bid, duration, phone_number, captured, tags },
    minimum_bid: bounds.minimum,
    request_id: id,
    score: null,
    publisher_terms: null,
    usable_until: usableUntil,
  };
}

interface AskedBuyer {
  readonly id: string;
  readonly created_at: string;
  readonly bidRequest: BidRequest;
  readonly context: QuoteContext;
  readonly answer: Execution | NotAsked;
  readonly reason: QuoteReason | null;
}

function toRecord({ id, created_at, bidRequest, context, answer, reason }: AskedBuyer): OutboundRtbRequest {
  const { formula, buyer, groupId } = bidRequest;
  const ran = answer.kind === "not_asked" ? { steps: [], total_ms: 0, bid: null } : answer;
  const terms = answer.kind === "bid" ? answer : null;
  return {
    kind: "outbound",
    v: 1,
    org_id: context.config.organization.id,
    created_at,
    id,
    rtb_id: formula.id,
    rtb_name: formula.rtb_name,
    buyer_id: buyer.id,
    buyer_name: buyer.name,
    rtb_group_id: groupId,
    campaign_id: context.campaign.id,
    campaign_name: context.campaign.name,
    call_id: context.callId,
    inbound_request_id: context.inboundRequestId,
    // Bids that are out of bounds stay bids.
    outcome: outcomeOf(answer.kind === "bid" ? null : answer.reason),
    reason,
    bid: ran.bid,
    effective_bid: reason === null ? ran.bid : null,
    won: false,
    score: null,
    duration: terms?.duration ?? null,
    phone_number: terms?.phone_number ?? null,
    total_ms: ran.total_ms,
    steps_count: ran.steps.length,
    steps: boundSteps(ran.steps),
  };
}
