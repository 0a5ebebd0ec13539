import { destinationOfRoute, type RouteDestination } from "../actions.ts";
import { eligibleRoutes, routeRefusal } from "../eligibility.ts";
import { buyerTerms } from "../payout.ts";
import { type AskDeps, askFormula } from "./ask-formula.ts";
import { askGroup } from "./ask-group.ts";
import type { Asked, Asking, AskRoute, Route } from "./asking.ts";
import { noBounds } from "./auction.ts";
import type { Quote, Unquoted } from "./quote.ts";
import { predictiveRules, toCandidate } from "./subject.ts";

/** A place to ask, and the route that led there; null where a menu did. */
export interface Question {
  readonly routeId: string | null;
  readonly to: RouteDestination | null;
}

/** Asks places for quotes: a target has its own terms, an RTB formula bids, a group holds an auction. */
export function createAsk(deps: AskDeps) {
  async function ask(question: Question, asking: Asking): Promise<Asked> {
    const asked = await askPlace(deps, question, asking);
    for (const unquoted of asked.unquoted) asking.trace.note("route.skipped", { ...unquoted });
    return asked;
  }
  const askRoute: AskRoute = (route, asking) =>
    ask({ routeId: route.id ?? null, to: destinationOfRoute(route) }, asking);
  return { ask, askRoute };
}
export type Ask = ReturnType<typeof createAsk>;

async function askPlace(deps: AskDeps, { to, routeId }: Question, asking: Asking): Promise<Asked> {
  const refuse = (refusal: Pick<Unquoted, "reason" | "detail">): Asked => ({
    quotes: [],
    tags: {},
    unquoted: [{ route_id: routeId, kind: to?.kind ?? null, id: to?.id ?? null, ...refusal, bid: null }],
  });
  // A menu gives no quote: a call that a route sends there is asked by the menu first.
  if (to === null || to.kind === "ivr") return refuse({ reason: "unsupported_action", detail: null });
  if (to.kind === "rtb_group") {
    const group = asking.config.get("rtb_group", to.id);
    return group ? askGroup(deps, { group, routeId }, asking) : refuse({ reason: "destination_missing", detail: null });
  }
  const subject = toCandidate({ kind: to.kind, id: to.id }, asking);
  const refusal = routeRefusal(subject, asking.stats);
  const { destination, buyer } = subject;
  if (refusal !== null) return refuse(refusal);
  if (destination === undefined || buyer === undefined) return refuse({ reason: "destination_missing", detail: null });
  if (destination.kind === "target") {
    const quote: Quote = {
      route_id: routeId,
      plan_id: asking.plan?.id ?? null,
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
  const question = { routeId, groupId: null, formula: destination.doc, buyer, bounds: noBounds };
  const { outcome, request, tags } = await askFormula(
    deps,
    { ...question, limits: { callerDeadlineAt: asking.deadlineAt } },
    asking,
  );
  asking.trace.addPing({ ...request, won: outcome.kind === "quote" && asking.callId !== null });
  return outcome.kind === "quote"
    ? { quotes: [outcome.quote], unquoted: [], tags }
    : { quotes: [], unquoted: [outcome.unquoted], tags };
}

export interface PlannedRoutes {
  /** In the plan's order. */
  readonly routes: readonly Route[];
  readonly unquoted: readonly Unquoted[];
}

/** The plan's routes but those that earn too little beside the others (R10); each is judged by the rest when asked. */
export function routesOf(plan: { readonly routes: readonly Route[] } & Predicted, asking: Asking): PlannedRoutes {
  const rulesOf = (route: Route) =>
    predictiveRules(asking, route.predictive_routing_plan_id ?? plan.predictive_routing_plan_id);
  const judged = plan.routes.flatMap((route) => {
    const to = destinationOfRoute(route);
    const rules = rulesOf(route);
    if (rules === undefined || (to?.kind !== "target" && to?.kind !== "rtb_formula")) return [];
    return [{ route, to, ...toCandidate({ kind: to.kind, id: to.id }, asking, rules) }];
  });
  const behind = eligibleRoutes(judged, asking.stats).refused.filter(
    ({ refusal }) => refusal.reason === "underperforming",
  );
  const left = new Set(behind.map(({ route }) => route.route));
  const unquoted = behind.map(({ route: { route, to }, refusal }): Unquoted => {
    return { route_id: route.id ?? null, kind: to.kind, id: to.id ?? null, ...refusal, bid: null };
  });
  for (const each of unquoted) asking.trace.note("route.skipped", { ...each });
  return { routes: plan.routes.filter((route) => !left.has(route)), unquoted };
}
interface Predicted {
  readonly predictive_routing_plan_id?: string | undefined;
}
