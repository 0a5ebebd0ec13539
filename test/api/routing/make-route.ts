import { type Resource, type ResourceInput, toDocument } from "../../../api/config/registry.ts";
import { type CallStats, type EarlierCall, noCallStats } from "../../../api/routing/call-stats.ts";
import { createDecision, type Decision } from "../../../api/routing/decision.ts";
import type { DuplicateVerdict } from "../../../api/routing/duplicates.ts";
import { type Comparable, compileRoute, eligibleRoutes, type RouteRefusal } from "../../../api/routing/eligibility.ts";
import { createFilterBudget } from "../../../api/routing/filters.ts";
import type { RouteCandidate } from "../../../api/routing/route.ts";
import { orgOne, secondsIn, startOfTime } from "../../make.ts";

/** Makers of what routing judges: each whole and eligible, with what a test cares about changed. */

const about = { org_id: orgOne, created_at: secondsIn(0), updated_at: secondsIn(0) };

export const aTarget = (given: Partial<ResourceInput<"target">> = {}): Resource<"target"> =>
  toDocument("target", {
    ...about,
    id: "tgt-1",
    name: "Sunny Roofs",
    buyer_id: "buy-1",
    type: "number",
    number: "+18885550101",
    ...given,
  });

export const aFormula = (given: Partial<ResourceInput<"rtb_formula">> = {}): Resource<"rtb_formula"> =>
  toDocument("rtb_formula", {
    ...about,
    id: "rtb-1",
    rtb_name: "Sunny bids",
    buyer_id: "buy-1",
    steps: [{ url: "https://bids.sunny.example", method: "POST", api_response: {} }],
    ...given,
  });

export const aBuyer = (given: Partial<ResourceInput<"buyer">> = {}): Resource<"buyer"> =>
  toDocument("buyer", { ...about, id: "buy-1", name: "Sunny Group", ...given });

export const aPublisher = (given: Partial<ResourceInput<"publisher">> = {}): Resource<"publisher"> =>
  toDocument("publisher", { ...about, id: "pub-1", name: "Blue Lake Media", ...given });

export const aCampaign = (given: Partial<ResourceInput<"campaign">> = {}): Resource<"campaign"> =>
  toDocument("campaign", { ...about, id: "cmp-1", name: "Solar East", ...given });

export const aPlan = (given: Partial<ResourceInput<"routing_plan">> = {}): Resource<"routing_plan"> =>
  toDocument("routing_plan", { ...about, id: "plan-1", name: "East", ...given });

/** A candidate with the call that it is judged for, and with what it is compared by. */
export type AskedRoute = RouteCandidate &
  Pick<Decision, "call" | "callId" | "filterBudget"> &
  Pick<Comparable, "predictive">;

export const aRoute = (given: Partial<AskedRoute> = {}): AskedRoute => ({
  destination: { kind: "target", doc: aTarget() },
  buyer: aBuyer(),
  allowedBuyers: [],
  campaign: aCampaign(),
  call: {
    caller: "+12125550123",
    zip: "10001",
    state: "NY",
    number: "+18005550100",
    tags: {},
    now: startOfTime,
    publisher: { id: "pub-1", name: "Blue Lake Media" },
    campaign: { id: "cmp-1", name: "Solar East" },
  },
  filterBudget: createFilterBudget(),
  callId: "call-1",
  organizationTimezone: "UTC",
  predictive: undefined,
  ...given,
});

export const aDecision = (stats: CallStats = noCallStats, given: Partial<AskedRoute> = {}): Decision => {
  const { call, callId, filterBudget } = aRoute(given);
  return createDecision({ call, callId, filterBudget, stats });
};

export const refusalOf = (route: AskedRoute, stats: CallStats): RouteRefusal | null =>
  compileRoute(route).refusal(aDecision(stats, route));

export const duplicateVerdictOf = (route: AskedRoute, stats: CallStats): DuplicateVerdict =>
  compileRoute(route).duplicateVerdict(aDecision(stats, route));

/** Routes that are judged together, for the call of the first. */
export const judgeTogether = (routes: readonly AskedRoute[], stats: CallStats) =>
  eligibleRoutes(
    routes.map((route) => ({ ...route, compiled: compileRoute(route) })),
    aDecision(stats, routes[0]),
  );

/** A call of yesterday that connected and converted. */
export const anEarlierCall = (given: Partial<EarlierCall> = {}): EarlierCall => ({
  call_id: "earlier",
  at: startOfTime - 86_400_000,
  status: "completed",
  campaign_id: "cmp-1",
  publisher_id: "pub-1",
  target_id: "tgt-1",
  rtb_id: null,
  buyer_id: "buy-1",
  whole_seconds: 70,
  connected_seconds: 60,
  converted: true,
  ...given,
});

export const someStats = (given: Partial<CallStats> = {}): CallStats => ({ ...noCallStats, ...given });
