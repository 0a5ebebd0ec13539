import { inSpan, type Tracing } from "../../../ingest/tracing.ts";
import { eligibleRoutes } from "../eligibility.ts";
import type { RouteDestination } from "../route.ts";
import { type AuctionRequest, runAuction } from "./auction.ts";
import { type BidRequest, type BidRequestDeps, noBounds, requestBid } from "./bid-request.ts";
import { compiledPlanOf, type PlannedRoute, type Quotable } from "./compiled-plan.ts";
import type { Unquoted } from "./quote.ts";
import type { QuoteContext, QuoteResult } from "./quote-context.ts";

/** A destination to ask, and the route that names it; null where a menu does. */
export interface QuoteRequest {
  readonly routeId: string | null;
  readonly to: RouteDestination | null;
}

/** Asks destinations for quotes: a target has its own terms, an RTB formula bids, a group holds an auction. */
export function createAsk(deps: BidRequestDeps) {
  const { tracing = null } = deps;
  const auction = (request: AuctionRequest, context: QuoteContext): Promise<QuoteResult> =>
    tracing === null ? runAuction(deps, request, context) : traceAuction(tracing, deps, request, context);

  /**
   * Returns the quote of a destination that has passed the checks. It never throws: failures are part of the result,
   * which a target gives at once.
   */
  function quote(quotable: Quotable, context: QuoteContext): QuoteResult | Promise<QuoteResult> {
    const { routeId, to, group, compiled } = quotable;
    if (quotable.quote !== null) return { quotes: [quotable.quote], unquoted: [], tags: {} };
    // A menu gives no quote: a call that is routed to one comes back with a choice.
    if (to === null || to.kind === "ivr") return refused(quotable, { reason: "unsupported_action", detail: null });
    if (group !== null) return auction({ ...group, routeId }, context);
    const { route } = compiled;
    if (route?.destination.kind !== "rtb_formula") {
      return refused(quotable, { reason: "destination_missing", detail: null });
    }
    return bidOf(deps, { routeId, formula: route.destination.doc, buyer: route.buyer }, context);
  }

  /** Judges a destination, and asks it where it may be asked. */
  async function ask({ routeId, to }: QuoteRequest, context: QuoteContext): Promise<QuoteResult> {
    const quotable = compiledPlanOf(context).quotable(routeId, to);
    const refusal = quotable.compiled.refusal(context);
    const asked = refusal === null ? await quote(quotable, context) : refused(quotable, refusal);
    for (const unquoted of asked.unquoted) context.trace.note("route.skipped", { ...unquoted });
    return asked;
  }

  return { ask, quote };
}
export type Ask = ReturnType<typeof createAsk>;

/** A destination that gives no quote, and why. */
export const unquotedOf = (
  { routeId, to }: QuoteRequest,
  { reason, detail }: Pick<Unquoted, "reason" | "detail">,
): Unquoted => ({ route_id: routeId, kind: to?.kind ?? null, id: to?.id ?? null, reason, detail, bid: null });

const refused = (request: QuoteRequest, refusal: Pick<Unquoted, "reason" | "detail">): QuoteResult => ({
  quotes: [],
  tags: {},
  unquoted: [unquotedOf(request, refusal)],
});

const traceAuction = (tracing: Tracing, deps: BidRequestDeps, request: AuctionRequest, context: QuoteContext) =>
  inSpan(
    tracing,
    { name: "auction", kind: "internal", attributes: { "trunkline.rtb_group_id": request.group.id } },
    async (span) => {
      const result = await runAuction(deps, request, context);
      span?.set({ "trunkline.bids": result.quotes.length, "trunkline.refused": result.unquoted.length });
      return result;
    },
  );

async function bidOf(
  deps: BidRequestDeps,
  bidder: Pick<BidRequest, "routeId" | "formula" | "buyer">,
  context: QuoteContext,
): Promise<QuoteResult> {
  const limits = { callerDeadlineAt: context.deadlineAt };
  const bidRequest = { ...bidder, groupId: null, bounds: noBounds, limits };
  const { outcome, request, tags } = await requestBid(deps, bidRequest, context);
  context.trace.addPing({ ...request, won: outcome.kind === "quote" && context.callId !== null });
  return outcome.kind === "quote"
    ? { quotes: [outcome.quote], unquoted: [], tags }
    : { quotes: [], unquoted: [outcome.unquoted], tags };
}

/** Returns the plan's routes but those that underperform; each is judged by the other checks when it is asked. */
export function routesOf(context: QuoteContext): readonly PlannedRoute[] {
  const { routes } = compiledPlanOf(context);
  const compared = routes.filter(({ predictive }) => predictive !== undefined);
  if (compared.length === 0) return routes;
  const behind = eligibleRoutes(compared, context).refused.filter(
    ({ refusal }) => refusal.reason === "underperforming",
  );
  for (const { route, refusal } of behind) context.trace.note("route.skipped", { ...unquotedOf(route, refusal) });
  const left = new Set(behind.map(({ route }) => route));
  return routes.filter((route) => !left.has(route));
}
