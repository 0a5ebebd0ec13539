import { v5 as uuidOf } from "uuid";
import type { OrgId } from "../../ingest/primitives.ts";
import type { BuyerTerms, PublisherTerms } from "../../ingest/terms.ts";
import { type Resource, toDocument } from "../config/registry.ts";
import type {
  Company,
  CompanyCampaign,
  CompanyFormula,
  CompanyPlacement,
  CompanyPublisher,
  CompanyTarget,
  CompanyWebhook,
} from "./company.ts";
import { fold } from "./random.ts";

/** A company with ids, terms and its references followed: its config and its history are both made from this. */
export interface Organization {
  readonly org_id: OrgId;
  readonly name: string;
  readonly timezone: string;
  readonly size: number;
  readonly firstPool: number;
  readonly buyers: readonly Named[];
  readonly publishers: readonly Publisher[];
  readonly targets: readonly Target[];
  readonly formulas: readonly Formula[];
  readonly outgoing: readonly Resource<"outgoing_webhook">[];
  readonly incoming: readonly IncomingWebhook[];
  readonly campaigns: readonly Campaign[];
}

interface Named {
  readonly id: string;
  readonly name: string;
}

export type Publisher = CompanyPublisher & Named;

export interface Target extends Omit<CompanyTarget, "buyer">, Named {
  readonly buyer: Named;
  readonly type: "sip" | "number";
  /** A SIP address, or a number in E.164. */
  readonly destination: string;
  readonly terms: BuyerTerms & { readonly condition: Resource<"target">["payout_condition"] };
}

export interface Formula extends Omit<CompanyFormula, "target">, Named {
  readonly target: Target;
  /** The buyer's bidding address at the receiver. */
  readonly url: string;
}

const incomingTypes = ["call_data", "update_revenue", "update_tags", "update_fields"] as const;

export interface IncomingWebhook extends Named {
  readonly type: (typeof incomingTypes)[number];
}

export interface Campaign extends Pick<CompanyCampaign, "traffic" | "states" | "payout" | "tags">, Named {
  /** Id of its routing plan. */
  readonly planId: string;
  readonly items: readonly NumberItem[];
  readonly routes: readonly Route[];
  readonly formulas: readonly Formula[];
  readonly outgoing: readonly Resource<"outgoing_webhook">[];
}

/** A tracking number and the publisher that advertises it. */
export interface NumberItem extends Omit<CompanyPlacement, "publisher"> {
  readonly id: string;
  readonly publisher: Publisher;
  readonly numberId: string;
  readonly number: string;
  readonly terms: PublisherTerms;
  /** Public name of the endpoint where the publisher pings. */
  readonly inboundRtbId: string;
}

export interface Route {
  /** Null for the destination of a bid, to which no route of the plan leads. */
  readonly id: string | null;
  readonly priority: number;
  readonly weight: number;
  readonly target: Target;
}

/** The id of a named thing: the same for the same seed. */
export type IdOf = (kind: string, name: string) => string;

export interface OrganizationOptions {
  readonly idOf: IdOf;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Address of the receiver of webhooks and bids, without a slash at the end. */
  readonly receiverUrl: string;
}

export function toOrganization(company: Company, options: OrganizationOptions): Organization {
  const { name, timezone, size, firstPool } = company;
  const { idOf, receiverUrl } = options;
  const org_id = idOf("organization", name) as OrgId;
  const withId = <T extends { readonly name: string }>(kind: string, row: T) => ({ ...row, id: idOf(kind, row.name) });
  const buyers = company.buyers.map((buyer) => ({ id: idOf("buyer", buyer), name: buyer }));
  const publishers = company.publishers.map((publisher) => withId("publisher", publisher));
  const targets = company.targets.map(
    (target, index): Target => ({
      ...withId("target", target),
      buyer: named(buyers, target.buyer),
      type: target.sip ? "sip" : "number",
      destination: target.sip
        ? `sip:desk${index + 1}@pbx.example.com`
        : fictionalNumber(company.tollFreeCode, 100 + index),
      terms: buyerTermsOf(target),
    }),
  );
  const formulas = company.formulas.map((formula): Formula => {
    const target = named(targets, formula.target);
    return {
      ...formula,
      id: uuidOf(`rtb/${formula.name}`, org_id),
      target,
      url: biddingAddress(formula, target, receiverUrl),
    };
  });
  const outgoing = company.webhooks.map((webhook) => toOutgoingWebhook(webhook, org_id, options));
  const incoming = incomingTypes.map((type) => ({
    id: idOf("incoming_webhook", type),
    name: `${name}: ${type.replace("_", " ")}`,
    type,
  }));
  const campaigns = company.campaigns.map(
    (campaign, index): Campaign => ({
      ...withId("campaign", campaign),
      planId: idOf("routing_plan", campaign.name),
      items: campaign.publishers.map((placement, place) => ({
        ...toItem(campaign, placement, options),
        publisher: named(publishers, placement.publisher),
        number: fictionalNumber(placement.areaCode, 100 + placementsBefore(company, index) + place),
      })),
      routes: campaign.routes.map(([target, priority, weight]) => ({
        id: idOf("route", `${campaign.name}/${target}`),
        priority,
        weight,
        target: named(targets, target),
      })),
      formulas: (campaign.bidders ?? []).map((bidder) => named(formulas, bidder)),
      outgoing: campaign.webhooks.map((webhook) => named(outgoing, webhook)),
    }),
  );
  const settings = { org_id, name, timezone, size, firstPool };
  return { ...settings, buyers, publishers, targets, formulas, outgoing, incoming, campaigns };
}

const placementsBefore = ({ campaigns }: Company, index: number): number =>
  campaigns.slice(0, index).reduce((sum, { publishers }) => sum + publishers.length, 0);

function toItem(campaign: CompanyCampaign, placement: CompanyPlacement, { idOf, createdAt }: OrganizationOptions) {
  const name = `${campaign.name}/${placement.publisher}`;
  const id = idOf("number_group_item", name);
  const code = unsigned(id).toString(36).padStart(6, "0").slice(-6);
  return {
    ...placement,
    id,
    numberId: idOf("number", name),
    terms: publisherTermsOf(placement, campaign),
    inboundRtbId: `inbound_rtb_${Date.parse(createdAt)}_${code}`,
  };
}

/** A number of exchange 555: 0100 to 0199 are kept for fiction, so that no real phone rings. */
export const fictionalNumber = (areaCode: string, line: number): string =>
  `+1${areaCode}555${String(line).padStart(4, "0")}`;

/** A whole number that follows from the text, below 2^32. */
export const unsigned = (text: string): number => fold(text) >>> 0;

const buyerTermsOf = ({ revenue, seconds }: CompanyTarget): Target["terms"] => ({
  revenue,
  condition: seconds === 0 ? "call_successfully_connected" : "call_length_connected",
  condition_seconds: seconds,
});

/** A share of the revenue is owed when the buyer pays; a fixed amount after the campaign's seconds. */
const publisherTermsOf = ({ percentage }: CompanyPlacement, { payout }: CompanyCampaign): PublisherTerms =>
  percentage === undefined
    ? {
        payout: payout.dollars,
        percentage: null,
        condition: "call_length_connected",
        condition_seconds: payout.seconds,
      }
    : { payout: 0, percentage, condition: "call_converted", condition_seconds: 0 };

/** The receiver answers there as the formula's figures say. */
function biddingAddress({ name, bids, answerMs }: CompanyFormula, { revenue }: Target, receiverUrl: string): string {
  const query = new URLSearchParams({ usual: String(revenue), share: String(bids), ms: String(answerMs) });
  return `${receiverUrl}/bids/${encodeURIComponent(name)}?${query}`;
}

/** A stand-in that looks like what customers put into a header template and opens nothing. */
export const fakeCredential = "Bearer demo-credential-not-real";

/** The webhook as config keeps it, since deliveries of the history are filled from it. */
function toOutgoingWebhook(
  webhook: CompanyWebhook,
  org_id: OrgId,
  { idOf, createdAt, receiverUrl }: OrganizationOptions,
): Resource<"outgoing_webhook"> {
  const { name, event, path, method = "POST" } = webhook;
  return toDocument("outgoing_webhook", {
    id: idOf("outgoing_webhook", name),
    org_id,
    created_at: createdAt,
    updated_at: createdAt,
    name,
    description: `Tells the customer's ${path.split("/")[1]} system of every ${event}.`,
    event_type_id: event,
    url: `${receiverUrl}${path}?call=[CALL_ID]`,
    method,
    headers: { Authorization: fakeCredential },
    ...(method === "GET"
      ? { params: { campaign: "[CAMPAIGN_NAME]", state: "[CALLER_STATE]" } }
      : { body: bodyOf(event) }),
  });
}

/** Figures are settled at the end of a call, so only the last events ask for them. */
function bodyOf(event: CompanyWebhook["event"]): Record<string, string> {
  const call = {
    call: "[CALL_ID]",
    at: "[EVENT_TIMESTAMP]",
    campaign: "[CAMPAIGN_NAME]",
    publisher: "[PUBLISHER_NAME]",
    caller: "[CALLER_ID]",
    state: "[CALLER_STATE]",
    utm_source: "[UTM_SOURCE]",
    lead_type: "[LEAD_TYPE]",
  };
  if (event === "call.incoming" || event === "call.failure") return call;
  const connected = { ...call, target: "[TARGET_NAME]", buyer: "[BUYER_NAME]" };
  if (event !== "call.converted" && event !== "call.completed") return connected;
  return {
    ...connected,
    seconds: "[DURATION]",
    converted: "[CONVERTED]",
    revenue: "[REVENUE_PAID_OUT]",
    payout: "[PUBLISHER_PAID_OUT]",
    ended_by: "[CALL_TERMINATION_BY]",
  };
}

function named<T extends { readonly name: string }>(all: readonly T[], name: string): T {
  const one = all.find((candidate) => candidate.name === name);
  if (one === undefined) throw new Error(`demo data: nothing is named ${name}`);
  return one;
}
