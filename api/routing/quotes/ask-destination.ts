import { eligibleRoutes, routeRefusal } from "../eligibility.ts";
import { buyerTerms } from "../payout.ts";
import { destinationOfRoute, type RouteDestination } from "../route.ts";
import { runAuction } from "./auction.ts";
import { type BidRequestDeps, noBounds, requestBid } from "./bid-request.ts";
import type { Quote, Unquoted } from "./quote.ts";
import type { AskRoute, QuoteContext, QuoteResult, Route } from "./quote-context.ts";
import { predictiveRules, toCandidate } from "./quote-context.ts";

/** A destination to ask, and the route that names it; null where a menu does. */
export interface QuoteRequest {
  readonly routeId: string | null;
  readonly to: RouteDestination | null;
}

/** Asks destinations for quotes: a target has its own terms, an RTB formula bids, a group holds an auction. */
export function createAsk(deps: BidRequestDeps) {
  async function ask(request: QuoteRequest, context: QuoteContext): Promise<QuoteResult> {
    const asked = await askDestination(deps, request, context);
    for (const unquoted of asked.unquoted) context.trace.note("route.skipped", { ...unquoted });
    return asked;
  }
  const askRoute: AskRoute = (route, context) =>
    ask({ routeId: route.id ?? null, to: destinationOfRoute(route) }, context);
  return { ask, askRoute };
}
export type Ask = ReturnType<typeof createAsk>;

async function askDestination(
  deps: BidRequestDeps,
  { to, routeId }: QuoteRequest,
  context: QuoteContext,
): Promise<QuoteResult> {
  const refuse = (refusal: Pick<Unquoted, "reason" | "detail">): QuoteResult => ({
    quotes: [],
    tags: {},
    unquoted: [{ route_id: routeId, kind: to?.kind ?? null, id: to?.id ?? null, ...refusal, bid: null }],
  });
  // A menu gives no quote: a call that is routed to one comes back with a choice.
  if (to === null || to.kind === "ivr") return refuse({ reason: "unsupported_action", detail: null });
  if (to.kind === "rtb_group") {
    const group = context.config.get("rtb_group", to.id);
    return group
      ? runAuction(deps, { group, routeId }, context)
      : refuse({ reason: "destination_missing", detail: null });
  }
  const subject = toCandidate({ kind: to.kind, id: to.id }, context);
  const refusal = routeRefusal(subject, context.stats);
  const { destination, buyer } = subject;
  if (refusal !== null) return refuse(refusal);
  if (destination === undefined || buyer === undefined) return refuse({ reason: "destination_missing", detail: null });
  if (destination.kind === "target") {
    const quote: Quote = {
      route_id: routeId,
      plan_id: context.plan?.id ?? null,
      kind: "target",
      id: destination.doc.id,
      rtb_group_id: null,
      buyer_id: buyer.id,
      buyer_terms: buyerTerms(destination.doc),
      won: null,
      minimum_bid: 0,
      request_id: null,
      score: null,
      publisher_terms: null,
      usable_until: null,
    };
    return { quotes: [quote], unquoted: [], tags: {} };
  }
  const bidRequest = { routeId, groupId: null, formula: destination.doc, buyer, bounds: noBounds };
  const { outcome, request, tags } = await requestBid(
    deps,
    { ...bidRequest, limits: { callerDeadlineAt: context.deadlineAt } },
    context,
  );
  context.trace.addPing({ ...request, won: outcome.kind === "quote" && context.callId !== null });
  return outcome.kind === "quote"
    ? { quotes: [outcome.quote], unquoted: [], tags }
    : { quotes: [], unquoted: [outcome.unquoted], tags };
}

export interface PlannedRoutes {
  /** In the plan's order. */
  readonly routes: readonly Route[];
  readonly unquoted: readonly Unquoted[];
}

/** Returns the plan's routes but those that underperform (R10); each is judged by the other checks when it is asked. */
export function routesOf(
  plan: { readonly routes: readonly Route[] } & Predicted,
  context: QuoteContext,
): PlannedRoutes {
  const rulesOf = (route: Route) =>
    predictiveRules(context, route.predictive_routing_plan_id ?? plan.predictive_routing_plan_id);
  const judged = plan.routes.flatMap((route) => {
    const to = destinationOfRoute(route);
    const rules = rulesOf(route);
    if (rules === undefined || (to?.kind !== "target" && to?.kind !== "rtb_formula")) return [];
    return [{ route, to, ...toCandidate({ kind: to.kind, id: to.id }, context, rules) }];
  });
  const behind = eligibleRoutes(judged, context.stats).refused.filter(
    ({ refusal }) => refusal.reason === "underperforming",
  );
  const left = new Set(behind.map(({ route }) => route.route));
  const unquoted = behind.map(({ route: { route, to }, refusal }): Unquoted => {
    return { route_id: route.id ?? null, kind: to.kind, id: to.id ?? null, ...refusal, bid: null };
  });
  for (const each of unquoted) context.trace.note("route.skipped", { ...each });
  return { routes: plan.routes.filter((route) => !left.has(route)), unquoted };
}
interface Predicted {
  readonly predictive_routing_plan_id?: string | undefined;
}
