import type { Resource } from "../../config/registry.ts";
import type { FormulaLink } from "../../config/resources/rtb-group.ts";
import { eligibleRoutes } from "../eligibility.ts";
import { type Measured, measure, measuredSince } from "../predictive.ts";
import { holderOf } from "../route.ts";
import { type BidRequestDeps, type BidResult, type Bounds, requestBid } from "./bid-request.ts";
import type { CompiledGroup, Member } from "./compiled-plan.ts";
import type { Quote, Unquoted } from "./quote.ts";
import { type QuoteContext, type QuoteResult, triedKey } from "./quote-context.ts";

/** A formula's bid in its group, with what it has brought so far where that is asked. */
export interface Bidder {
  readonly link: FormulaLink;
  /** Dollars. */
  readonly bid: number;
  /** Undefined where the group does not predict. */
  readonly measured: Measured | undefined;
}

export type Scored<T> = T & { readonly score: number };

/** Best first: by score, then by bid; among equals by their place in the group. */
export const rank = <T extends Bidder>(bidders: readonly T[]): Scored<T>[] =>
  bidders
    .map((bidder) => ({ ...bidder, score: scoreOf(bidder) }))
    .sort((one, other) => other.score - one.score || other.bid - one.bid);

/**
 * The score that the auction compares: the bid, or in a predictive group the expected dollars, changed by the link's
 * modifier. It never changes what is owed.
 */
export function scoreOf({ link, bid, measured }: Bidder): number {
  if (measured === undefined) return bid;
  const expected = bid * (measured.measured ? measured.conversionRate : 1);
  const { routing_modifier_type: type, routing_modifier_value: value = 0, routing_modifier } = link;
  if (type === "amount") return expected + value;
  return expected * (1 + (type === "percentage" ? value : routing_modifier) / 100);
}

/** Returns the greater of the group's and the link's minimum; a maximum of 0 is none. */
export const boundsOf = (group: { readonly minimum_bid: number }, link: FormulaLink): Bounds => ({
  minimum: Math.max(group.minimum_bid, link.minimum_bid_per_target ?? 0),
  maximum: link.maximum_bid_per_target || null,
});

export interface AuctionRequest extends CompiledGroup {
  readonly routeId: string | null;
}

interface Bidding extends Bidder {
  readonly quote: Quote;
}

/**
 * Runs an auction among the group's formulas: all that may be asked are asked at once, each with its own deadline, and the
 * bids are ranked. The winner comes first; the others follow for when it does not take the call.
 */
export async function runAuction(
  deps: BidRequestDeps,
  { group, members, routeId }: AuctionRequest,
  context: QuoteContext,
): Promise<QuoteResult> {
  const isTried = ({ link }: Member) =>
    context.tried?.includes(triedKey({ kind: "rtb_formula", id: link.rtb_formula_id })) === true;
  const { eligible, refused } = eligibleRoutes(
    members.filter((member) => !isTried(member)),
    context,
  );
  const asked = await Promise.all(
    eligible.flatMap((member) => {
      const { compiled, link } = member;
      if (compiled.route?.destination.kind !== "rtb_formula") return [];
      const { destination, buyer } = compiled.route;
      const bidRequest = { routeId, groupId: group.id, formula: destination.doc, buyer, bounds: boundsOf(group, link) };
      const limits = limitsOf(group, link, context);
      return [requestBid(deps, { ...bidRequest, limits }, context).then((answer) => ({ answer, member }))];
    }),
  );
  const bidders = asked.flatMap(({ answer, member }): Bidding[] => {
    if (answer.outcome.kind === "unquoted") return [];
    const { quote } = answer.outcome;
    return [{ quote, link: member.link, bid: quote.won?.bid ?? 0, measured: measuredOf(member, context) }];
  });
  const ranking = rank(bidders);
  recordBids(ranking, { group, context, answers: asked.map(({ answer }) => answer) });
  const notAsked = refused.map(({ route, refusal }): Unquoted => {
    return { route_id: routeId, kind: "rtb_formula", id: route.link.rtb_formula_id, ...refusal, bid: null };
  });
  const lost = asked.flatMap(({ answer: { outcome } }) => (outcome.kind === "unquoted" ? [outcome.unquoted] : []));
  return {
    quotes: ranking.map(({ quote, score }) => ({ ...quote, score })),
    unquoted: [...notAsked, ...lost],
    // A winner's tags go with its bid; those of losers are no part of the call.
    tags: {},
  };
}

const limitsOf = (group: Resource<"rtb_group">, link: FormulaLink, { deadlineAt }: QuoteContext) => ({
  groupTimeoutMs: group.ping_timeout,
  linkTimeoutMs: link.ping_timeout_per_target,
  callerDeadlineAt: deadlineAt,
});

function measuredOf({ compiled: { route }, predictive }: Member, { stats, call }: QuoteContext): Bidder["measured"] {
  if (predictive === undefined || route === null) return undefined;
  return measure(stats.performance(holderOf(route.destination), measuredSince(predictive, call.now)), predictive);
}

interface AuctionResult {
  readonly group: Resource<"rtb_group">;
  readonly context: QuoteContext;
  readonly answers: readonly BidResult[];
}

/** Adds the record of every buyer that was asked; in a ping nobody has won before the call comes. */
function recordBids(ranking: readonly Scored<Bidding>[], { group, context, answers }: AuctionResult): void {
  const [winner] = ranking;
  const scores = new Map(ranking.map(({ quote, score }) => [quote.request_id, score]));
  for (const { request } of answers) {
    const isFirst = request.id === winner?.quote.request_id;
    const score = scores.get(request.id) ?? null;
    const isLost = score !== null && !isFirst;
    const won = isFirst && context.callId !== null;
    // The auction's part of a record that was made for it.
    context.trace.addPing(Object.assign(request, { score, won, reason: isLost ? "lost_auction" : request.reason }));
  }
  if (winner === undefined) return;
  const { bid, score, quote } = winner;
  context.trace.note("auction.won", { rtb_group_id: group.id, rtb_id: quote.id, bid, score, bids: ranking.length });
}
