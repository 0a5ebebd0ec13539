import type { SignalInput, SignalOf } from "../../ingest/signal.ts";
import type { BuyerTerms, PublisherTerms } from "../../ingest/terms.ts";
import type { CampaignNumber, OrgConfig } from "../config/org-config.ts";
import type { Resource } from "../config/registry.ts";

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
  /** Why there is no candidate (semantics 8.2). */
  readonly reason: string | null;
}

const noTerms: CallTerms = { number_id: null, campaign: null, publisher: null, publisher_terms: null, webhook_ids: [] };
const refuse = (reason: string, terms: CallTerms = noTerms): Decision => ({ terms, candidates: [], reason });

/** Where a call to a tracking number goes: the plan's active targets, lowest priority number first. */
export function decide(config: OrgConfig, to: string): Decision {
  const number = config.number(to);
  if (number === undefined) return refuse("number_not_found");
  const owner = config.campaignOfNumber(number.id);
  if (owner === undefined) return refuse("number_not_found", { ...noTerms, number_id: number.id });
  const terms = toCallTerms(config, number.id, owner);
  const { campaign, item } = owner;
  if (!campaign.is_active) return refuse("campaign_inactive", terms);
  if (!item.is_active) return refuse("number_inactive", terms);
  if (config.get("publisher", item.publisher_id)?.is_active === false) return refuse("publisher_inactive", terms);
  const plan = config.get("routing_plan", campaign.routing_plan_id);
  if (plan === undefined) return refuse("no_routing_plan", terms);
  if (!plan.is_active) return refuse("routing_plan_inactive", terms);
  const candidates = [...plan.routes]
    .sort((one, other) => one.priority - other.priority)
    .flatMap((route) => toCandidate(config, owner, config.get("target", route.target_id)) ?? []);
  return candidates.length > 0 ? { terms, candidates, reason: null } : refuse("no_eligible_route", terms);
}

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

function toCandidate(
  config: OrgConfig,
  owner: CampaignNumber,
  target: Resource<"target"> | undefined,
): Candidate | null {
  if (target === undefined || !target.is_active || destinationOf(target) === null) return null;
  const buyer = config.get("buyer", target.buyer_id);
  if (buyer?.is_active !== true) return null;
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

const buyerTerms = (target: Resource<"target">): BuyerTerms => ({
  revenue: target.revenue ?? 0,
  condition: target.payout_condition,
  condition_seconds: target.payout_condition_duration ?? 0,
});

/** What the publisher earns: the number's own terms, else the target's, else the campaign's (semantics 8.11). */
export function publisherTerms(
  { campaign, item }: CampaignNumber,
  target: Resource<"target"> | undefined,
): PublisherTerms | null {
  if (item.publisher_id === undefined) return null;
  const own = item.payout !== undefined || item.payout_percentage !== undefined;
  const payout = item.payout ?? (own ? 0 : (target?.payout ?? campaign.payout));
  if (payout === undefined) return null;
  return {
    payout,
    percentage: item.payout_percentage ?? null,
    condition: item.payout_condition ?? target?.payout_condition ?? "call_successfully_connected",
    condition_seconds: item.payout_condition_duration ?? target?.payout_condition_duration ?? 0,
  };
}

export type Destination =
  | { readonly type: "number"; readonly number: string; readonly target_id: string; readonly timeout_seconds: number }
  | {
      readonly type: "sip";
      readonly sip_endpoint: string;
      readonly sip_username: string | null;
      readonly sip_headers: Readonly<Record<string, string>>;
      readonly target_id: string;
      readonly timeout_seconds: number;
    };

const defaultRingSeconds = 30;

/** What a switch dials; null when the target lacks the address that its type calls for. */
export function destinationOf(target: Resource<"target">): Destination | null {
  const about = { target_id: target.id, timeout_seconds: target.connection_timeout ?? defaultRingSeconds };
  if (target.type === "number" || target.type === "phone") {
    return target.number ? { type: "number", number: target.number, ...about } : null;
  }
  if (!target.sip_endpoint) return null;
  const { sip_endpoint, sip_username = null, sip_headers = {} } = target;
  return { type: "sip", sip_endpoint, sip_username, sip_headers, ...about };
}
