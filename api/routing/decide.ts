import type { SignalInput, SignalOf } from "../../ingest/signal.ts";
import type { CampaignNumber, OrgConfig } from "../config/org-config.ts";
import { isPaused } from "../config/pause.ts";
import type { Resource } from "../config/registry.ts";
import { destinationOf } from "./destination.ts";
import { buyerTerms, publisherTerms } from "./terms.ts";

/** What the incoming signal carries of the decision: whose call it is and what its publisher earns. */
export type CallTerms = Pick<
  SignalOf<"incoming">,
  "number_id" | "campaign" | "publisher" | "publisher_terms" | "webhook_ids"
>;

/** One destination to dial, with the terms it is dialed on. */
export interface Candidate {
  readonly target: Resource<"target">;
  readonly dialing: Omit<Extract<SignalInput, { kind: "dialing" }>, "kind" | "v" | "org_id" | "call_id" | "at">;
}

export interface Decision {
  readonly terms: CallTerms;
  /** In the order in which they are to be tried; empty when nothing is eligible. */
  readonly candidates: readonly Candidate[];
  /** Routes that may not be tried now, each with the first check that it fails. */
  readonly skipped: readonly { readonly route_id: string; readonly reason: string }[];
  /** Why there is no candidate (semantics 8.2). */
  readonly reason: string | null;
}

const noTerms: CallTerms = { number_id: null, campaign: null, publisher: null, publisher_terms: null, webhook_ids: [] };
const refuse = (reason: string, terms: CallTerms = noTerms): Decision => ({
  terms,
  candidates: [],
  skipped: [],
  reason,
});

/** Where a call to a tracking number goes at the time `now`: the plan's eligible targets, lowest priority number first. */
export function decide(config: OrgConfig, to: string, now: number): Decision {
  const number = config.number(to);
  if (number === undefined) return refuse("number_not_found");
  const owner = config.campaignOfNumber(number.id);
  if (owner === undefined) return refuse("number_not_found", { ...noTerms, number_id: number.id });
  const terms = toCallTerms(config, number.id, owner);
  const plan = config.get("routing_plan", owner.campaign.routing_plan_id);
  const reason = refusalOf(config, owner, now) ?? refusalByPlan(plan, owner);
  if (reason !== null || plan === undefined) return refuse(reason ?? "no_routing_plan", terms);
  const candidates: Candidate[] = [];
  const skipped: { route_id: string; reason: string }[] = [];
  for (const route of [...plan.routes].sort((one, other) => one.priority - other.priority)) {
    const tried = toCandidate(config, { owner, plan, route }, now);
    if (typeof tried === "string") skipped.push({ route_id: route.id ?? "", reason: tried });
    else candidates.push(tried);
  }
  return { terms, candidates, skipped, reason: candidates.length > 0 ? null : "no_eligible_route" };
}

/** The first check of the call that fails (semantics 8.2); null when none does. */
function refusalOf(config: OrgConfig, { campaign, item }: CampaignNumber, now: number): string | null {
  const publisher = config.get("publisher", item.publisher_id);
  if (!campaign.is_active) return "campaign_inactive";
  if (!item.is_active) return "number_inactive";
  if (isPaused(item.pause, now)) return "number_paused";
  if (publisher?.is_active === false) return "publisher_inactive";
  if (isPaused(publisher?.pause, now)) return "publisher_paused";
  return null;
}

function refusalByPlan(plan: Resource<"routing_plan"> | undefined, { item }: CampaignNumber): string | null {
  if (plan === undefined) return "no_routing_plan";
  if (!plan.is_active) return "routing_plan_inactive";
  return isAllowed(plan.allowed_publishers, item.publisher_id) ? null : "publisher_not_allowed";
}

/** An empty list allows all. */
const isAllowed = (allowed: readonly string[], id: string | undefined): boolean =>
  allowed.length === 0 || (id !== undefined && allowed.includes(id));

function toCallTerms(config: OrgConfig, numberId: string, { campaign, item }: CampaignNumber): CallTerms {
  const publisher = config.get("publisher", item.publisher_id);
  return {
    number_id: numberId,
    campaign: { id: campaign.id, name: campaign.name },
    publisher: publisher ? { id: publisher.id, name: publisher.name } : null,
    publisher_terms: publisherTerms({ campaign, item }, undefined),
    webhook_ids: campaign.outgoing_webhooks,
  };
}

interface PlannedRoute {
  readonly owner: CampaignNumber;
  readonly plan: Resource<"routing_plan">;
  readonly route: Resource<"routing_plan">["routes"][number];
}

/** What to dial for a route, or the first check of the route that fails (semantics 8.2). */
function toCandidate(config: OrgConfig, { owner, plan, route }: PlannedRoute, now: number): Candidate | string {
  if (route.action.replaceAll("_", "-") !== "route-to-target") return "unsupported_action";
  const target = config.get("target", route.target_id);
  const buyer = config.get("buyer", target?.buyer_id);
  if (target === undefined || buyer === undefined || destinationOf(target) === null) return "destination_missing";
  if (!target.is_active) return "inactive";
  if (isPaused(target.pause, now)) return "paused";
  if (!buyer.is_active) return "buyer_inactive";
  if (isPaused(buyer.pause, now)) return "buyer_paused";
  if (!isAllowed(plan.allowed_buyers, buyer.id)) return "buyer_not_allowed";
  return {
    target,
    dialing: {
      target: { id: target.id, name: target.name, type: target.type },
      buyer: { id: buyer.id, name: buyer.name },
      buyer_terms: buyerTerms(target),
      publisher_terms: publisherTerms(owner, target),
      webhook_ids: target.outgoing_webhooks,
    },
  };
}
