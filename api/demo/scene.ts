import type { OrgId } from "../../ingest/primitives.ts";
import { type BuyerTerms, buyerTermsSchema, type PublisherTerms } from "../../ingest/terms.ts";
import { type Resource, type ResourceInput, toDocument } from "../config/registry.ts";
import { publisherTerms } from "../routing/terms.ts";
import type { DemoCampaign, DemoFormula, DemoPlacement, DemoPublisher } from "./company.ts";
import type { DemoOrganization } from "./world.ts";
import { endpointId, formulaId } from "./world-rtb.ts";

/** One organization with its references followed: what its config says, beside how it behaves. */
export interface Scene {
  readonly orgId: OrgId;
  readonly timezone: string;
  readonly size: number;
  readonly campaigns: readonly SceneCampaign[];
  readonly incoming: readonly Resource<"incoming_webhook">[];
}

export interface SceneCampaign {
  readonly id: string;
  readonly name: string;
  readonly traits: DemoCampaign;
  readonly items: readonly SceneItem[];
  readonly routes: readonly SceneRoute[];
  readonly outgoing: readonly Resource<"outgoing_webhook">[];
  readonly formulas: readonly SceneFormula[];
}

/** A tracking number and the publisher that advertises it. */
export interface SceneItem {
  readonly traits: DemoPlacement;
  readonly publisher: DemoPublisher & { readonly id: string };
  readonly numberId: string;
  readonly number: string;
  readonly terms: PublisherTerms;
  readonly inboundRtbId: string;
}

export interface SceneRoute {
  /** Null for a bid's destination, which no route of the plan leads to. */
  readonly id: string | null;
  readonly priority: number;
  readonly weight: number;
  readonly target: SceneTarget;
}

export interface SceneTarget {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly destination: string;
  readonly buyer: { readonly id: string; readonly name: string };
  readonly terms: BuyerTerms;
  readonly answers: number;
}

export interface SceneFormula {
  readonly id: string;
  readonly name: string;
  readonly traits: DemoFormula;
  readonly target: SceneTarget;
}

/** The kinds of config that the demo has. */
type Kind =
  | "buyer"
  | "publisher"
  | "target"
  | "campaign"
  | "routing_plan"
  | "number"
  | "outgoing_webhook"
  | "incoming_webhook";
type Documents = { readonly [T in Kind]: ReadonlyMap<string, Resource<T>> };

export function toScene({ org_id, timezone, company, documents }: DemoOrganization): Scene {
  const all = parseDocuments(documents);
  const targets = new Map([...all.target.values()].map((doc) => [doc.name, toTarget(doc, all, company.targets)]));
  return {
    orgId: org_id,
    timezone,
    size: company.size,
    incoming: [...all.incoming_webhook.values()],
    campaigns: [...all.campaign.values()].map((doc) => {
      const plan = found(all.routing_plan, doc.routing_plan_id);
      return {
        id: doc.id,
        name: doc.name,
        traits: named(company.campaigns, doc.name),
        items: doc.number_group_items.map((item) => toItem(item, doc, all, company)),
        // The history's bids are drawn by `pings.ts`, not by the plan's route to its bidders.
        routes: plan.routes.flatMap(({ id, priority, weight, target_id }) =>
          target_id === undefined
            ? []
            : [{ id: id ?? null, priority, weight, target: found(targets, found(all.target, target_id).name) }],
        ),
        outgoing: doc.outgoing_webhooks.map((id) => found(all.outgoing_webhook, id)),
        formulas: company.formulas
          .filter(({ campaigns }) => campaigns.includes(doc.name))
          .map((traits) => ({
            id: formulaId(traits.name, org_id),
            name: traits.name,
            traits,
            target: found(targets, traits.target),
          })),
      };
    }),
  };
}

function parseDocuments(documents: DemoOrganization["documents"]): Documents {
  const of = <T extends Kind>(type: T): ReadonlyMap<string, Resource<T>> =>
    new Map(
      documents
        .filter((document) => document.type === type)
        .map(({ doc }) => [doc.id, toDocument(type, doc as ResourceInput<T>)]),
    );
  return {
    buyer: of("buyer"),
    publisher: of("publisher"),
    target: of("target"),
    campaign: of("campaign"),
    routing_plan: of("routing_plan"),
    number: of("number"),
    outgoing_webhook: of("outgoing_webhook"),
    incoming_webhook: of("incoming_webhook"),
  };
}

function toTarget(
  doc: Resource<"target">,
  all: Documents,
  traits: DemoOrganization["company"]["targets"],
): SceneTarget {
  const { id, name } = found(all.buyer, doc.buyer_id);
  return {
    id: doc.id,
    name: doc.name,
    type: doc.type,
    destination: doc.number ?? doc.sip_endpoint ?? "",
    buyer: { id, name },
    terms: buyerTermsSchema.parse({
      revenue: doc.revenue ?? 0,
      condition: doc.payout_condition,
      condition_seconds: doc.payout_condition_duration ?? 0,
    }),
    answers: named(traits, doc.name).answers,
  };
}

function toItem(
  item: Resource<"campaign">["number_group_items"][number],
  campaign: Resource<"campaign">,
  all: Documents,
  company: DemoOrganization["company"],
): SceneItem {
  const publisher = found(all.publisher, item.publisher_id);
  const traits = named(company.campaigns, campaign.name).publishers.find((row) => row.publisher === publisher.name);
  if (traits === undefined) throw new Error(`demo config: ${publisher.name} is not placed on ${campaign.name}`);
  const terms = publisherTerms({ campaign, item }, undefined);
  if (terms === null) throw new Error(`demo config: ${campaign.name} pays ${publisher.name} nothing`);
  return {
    traits,
    publisher: { ...named(company.publishers, publisher.name), id: publisher.id },
    numberId: item.number_id,
    number: found(all.number, item.number_id).number,
    terms,
    inboundRtbId: endpointId(campaign.created_at, item.id ?? item.number_id),
  };
}

function found<T>(documents: ReadonlyMap<string, T>, id: string | undefined): T {
  const document = documents.get(id ?? "");
  if (document === undefined) throw new Error(`demo config: nothing has the id or name ${id}`);
  return document;
}

function named<T extends { readonly name: string }>(all: readonly T[], name: string): T {
  const one = all.find((candidate) => candidate.name === name);
  if (one === undefined) throw new Error(`demo config: nothing is named ${name}`);
  return one;
}
