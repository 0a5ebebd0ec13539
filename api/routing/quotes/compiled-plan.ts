import type { OrgConfig } from "../../config/org-config.ts";
import type { Resource } from "../../config/registry.ts";
import type { FormulaLink } from "../../config/resources/rtb-group.ts";
import { type Comparable, type CompiledRoute, compileRoute, unjudged } from "../eligibility.ts";
import { buyerTerms } from "../payout.ts";
import type { PredictiveRules } from "../predictive.ts";
import { destinationOfRoute, type ResolvedDestination, type RouteDestination } from "../route.ts";
import type { Quote } from "./quote.ts";

type Plan = Resource<"routing_plan">;
export type Route = Plan["routes"][number];

/** A formula as a member of its group. */
export interface Member extends Comparable {
  readonly link: FormulaLink;
}
export interface CompiledGroup {
  readonly group: Resource<"rtb_group">;
  readonly members: readonly Member[];
}

/** A destination to be asked for quotes, and the route that names it. */
export interface Quotable extends Comparable {
  /** Null where a menu names it. */
  readonly routeId: string | null;
  readonly to: RouteDestination | null;
  /** A target's own terms. */
  readonly quote: Quote | null;
  /** Null for what is no group, or one that is gone. */
  readonly group: CompiledGroup | null;
}
export interface PlannedRoute extends Quotable {
  readonly row: Route;
}

/** The destinations of one plan and campaign, made ready to be judged: for as long as no config changes. */
export interface CompiledPlan {
  /** In the plan's order. */
  readonly routes: readonly PlannedRoute[];
  destination(kind: "target" | "rtb_formula", id: string | undefined): CompiledRoute;
  quotable(routeId: string | null, to: RouteDestination | null): Quotable;
}

/** The campaign and the plan by which its calls are routed; without a plan for a menu's destination. */
export interface PlanOwner {
  readonly config: OrgConfig;
  readonly plan: Plan | undefined;
  readonly campaign: Resource<"campaign">;
}

interface Compiled {
  readonly version: number;
  readonly plans: Map<string, PlanOwner & { readonly compiled: CompiledPlan }>;
}
const compiledByConfig = new WeakMap<OrgConfig, Compiled>();

/** Returns the compiled plan, compiled anew after any change of the organization's config. */
export function compiledPlanOf(owner: PlanOwner): CompiledPlan {
  const { config, plan, campaign } = owner;
  let all = compiledByConfig.get(config);
  if (all?.version !== config.version) {
    all = { version: config.version, plans: new Map() };
    compiledByConfig.set(config, all);
  }
  const key = plan === undefined ? campaign.id : `${campaign.id} ${plan.id}`;
  const known = all.plans.get(key);
  if (known?.plan === plan && known?.campaign === campaign) return known.compiled;
  const compiled = compilePlan(owner);
  all.plans.set(key, { config, plan, campaign, compiled });
  return compiled;
}

function compilePlan({ config, plan, campaign }: PlanOwner): CompiledPlan {
  const destinations = new Map<string, CompiledRoute>();

  function destination(kind: "target" | "rtb_formula", id: string | undefined): CompiledRoute {
    const key = `${kind} ${id}`;
    const known = destinations.get(key);
    if (known !== undefined) return known;
    const found = findDestination(config, kind, id);
    const compiled = compileRoute({
      destination: found,
      buyer: config.get("buyer", found?.doc.buyer_id),
      allowedBuyers: plan?.allowed_buyers ?? [],
      campaign,
      organizationTimezone: config.organization.timezone,
    });
    destinations.set(key, compiled);
    return compiled;
  }

  function toMember(link: FormulaLink, predictive: PredictiveRules | undefined): Member {
    return { link, predictive, compiled: destination("rtb_formula", link.rtb_formula_id) };
  }

  function compileGroup(id: string | undefined): CompiledGroup | null {
    const group = config.get("rtb_group", id);
    if (group === undefined) return null;
    const rules = rulesOfGroup(config, group);
    return { group, members: group.rtb_formulas.map((link) => toMember(link, rules)) };
  }

  function quotable(routeId: string | null, to: RouteDestination | null): Quotable {
    const about = { routeId, to, predictive: undefined };
    if (to?.kind === "rtb_group") return { ...about, compiled: unjudged, quote: null, group: compileGroup(to.id) };
    if (to?.kind !== "target" && to?.kind !== "rtb_formula") {
      return { ...about, compiled: unjudged, quote: null, group: null };
    }
    const compiled = destination(to.kind, to.id);
    return { ...about, compiled, quote: quoteOf(routeId, plan, compiled), group: null };
  }

  const routes = (plan?.routes ?? []).map((row): PlannedRoute => {
    const made = quotable(row.id ?? null, destinationOfRoute(row));
    const rules = activeRules(config, row.predictive_routing_plan_id ?? plan?.predictive_routing_plan_id);
    const isCompared = made.to?.kind === "target" || made.to?.kind === "rtb_formula";
    return { ...made, row, predictive: isCompared ? rules : undefined };
  });
  return { routes, destination, quotable };
}

export function findDestination(
  config: OrgConfig,
  kind: "target" | "rtb_formula",
  id: string | undefined,
): ResolvedDestination | undefined {
  if (kind === "target") {
    const doc = config.get("target", id);
    return doc && { kind, doc };
  }
  const doc = config.get("rtb_formula", id);
  return doc && { kind, doc };
}

/** The rules of a predictive routing plan; undefined where it is not named, gone or inactive. */
function activeRules(config: OrgConfig, id: string | undefined): PredictiveRules | undefined {
  const plan = config.get("predictive_routing_plan", id);
  return plan?.is_active ? plan : undefined;
}

/** Returns the group's own rules, or those of the predictive plan that it names, which switches prediction on. */
const rulesOfGroup = (config: OrgConfig, group: Resource<"rtb_group">): PredictiveRules | undefined =>
  activeRules(config, group.predictive_routing_plan_id) ?? (group.predictive_routing_enabled ? group : undefined);

/** A target is its own terms; null for a formula, which bids, and for what leads nowhere. */
function quoteOf(routeId: string | null, plan: Plan | undefined, { route }: CompiledRoute): Quote | null {
  if (route?.destination.kind !== "target") return null;
  return {
    route_id: routeId,
    plan_id: plan?.id ?? null,
    kind: "target",
    id: route.destination.doc.id,
    rtb_group_id: null,
    buyer_id: route.buyer.id,
    buyer_terms: buyerTerms(route.destination.doc),
    won: null,
    minimum_bid: 0,
    request_id: null,
    score: null,
    publisher_terms: null,
    usable_until: null,
  };
}
