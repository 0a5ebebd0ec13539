import { v5 as uuidOf } from "uuid";
import { isoTime } from "../../ingest/clock.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import type { ConfigInput } from "../config/registry.ts";
import type { Company, DemoCampaign, DemoPlacement } from "./company.ts";
import { copperMesa } from "./copper-mesa.ts";
import type { Stamp } from "./document.ts";
import { harborline } from "./harborline.ts";
import { bidderDocuments, endpointDocuments, formulasOf, groupName } from "./world-rtb.ts";
import { incomingTypes, webhookDocuments } from "./world-webhooks.ts";

export interface WorldOptions {
  readonly seed: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Where outgoing webhooks go, without a slash at the end. */
  readonly receiverUrl: string;
}

export interface DemoOrganization {
  readonly org_id: OrgId;
  readonly name: string;
  readonly timezone: string;
  /** What is referred to comes before what refers to it. */
  readonly documents: readonly ConfigInput[];
  /** How it behaves, for the history. */
  readonly company: Company;
}

export interface DemoWorld {
  readonly organizations: readonly DemoOrganization[];
}

/** The config was there a month before the ninety days of calls begin. */
const configAgeMs = 120 * 24 * 60 * 60 * 1000;

/** The config of two invented organizations. Ids follow from the seed alone, so links stay good from run to run. */
export function demoWorld({ seed, now, receiverUrl }: WorldOptions): DemoWorld {
  const created = isoTime(now - configAgeMs);
  const organizations = [harborline, copperMesa].map((company, index) => {
    const id = (kind: string, name: string) =>
      uuidOf(`trunkline demo/${seed}/${company.name}/${kind}/${name}`, uuidOf.URL);
    const org_id = id("organization", company.name) as OrgId;
    const stamp: Stamp = { id, about: { org_id, created_at: created, updated_at: created } };
    const documents = [
      ...partyDocuments(company, stamp),
      ...tagDocuments(stamp),
      ...targetDocuments(company, stamp, index === 0 ? "800" : "888"),
      ...webhookDocuments(company, stamp, receiverUrl),
      ...numberDocuments(company, stamp),
      ...bidderDocuments(company, stamp, receiverUrl),
      ...company.campaigns.flatMap((campaign) => campaignDocuments(campaign, company, stamp)),
      ...endpointDocuments(company, stamp, index),
    ];
    return { org_id, name: company.name, timezone: company.timezone, documents, company };
  });
  return { organizations };
}

function partyDocuments(company: Company, { id, about }: Stamp): ConfigInput[] {
  return [
    ...company.buyers.map((name): ConfigInput => ({ type: "buyer", doc: { id: id("buyer", name), ...about, name } })),
    ...company.publishers.map(
      ({ name }): ConfigInput => ({ type: "publisher", doc: { id: id("publisher", name), ...about, name } }),
    ),
  ];
}

/** What the lead forms of the history send; a tag that is nobody's is not kept. */
const tagDocuments = ({ id, about }: Stamp): ConfigInput[] =>
  [
    { key: "lead_type" },
    { key: "age_band" },
    { key: "language" },
    { key: "lead_score", data_type: "number" as const },
  ].map((tag) => ({ type: "custom_tag", doc: { id: id("custom_tag", tag.key), ...about, ...tag } }));

/** Toll-free numbers of exchange 555, so that no real desk rings. */
function targetDocuments(company: Company, { id, about }: Stamp, tollFreeCode: string): ConfigInput[] {
  return company.targets.map(({ name, buyer, revenue, seconds, sip }, index) => ({
    type: "target",
    doc: {
      id: id("target", name),
      ...about,
      name,
      buyer_id: id("buyer", buyer),
      ...(sip
        ? { type: "sip", sip_endpoint: `sip:desk${index + 1}@pbx.example.com` }
        : { type: "number", number: `+1${tollFreeCode}555${String(100 + index).padStart(4, "0")}` }),
      connection_timeout: 25,
      timezone: company.timezone,
      revenue,
      payout_condition: seconds === 0 ? "call_successfully_connected" : "call_length_connected",
      ...(seconds === 0 ? {} : { payout_condition_duration: seconds }),
    },
  }));
}

/** Tracking numbers lie in 555-0100 to 555-0199, which are kept for fiction. */
function numberDocuments(company: Company, { id, about }: Stamp): ConfigInput[] {
  const placements = company.campaigns.flatMap(({ name, publishers }) => publishers.map((row) => ({ name, row })));
  return placements.map(({ name, row }, index) => ({
    type: "number",
    doc: {
      id: id("number", `${name}/${row.publisher}`),
      ...about,
      number: `+1${row.areaCode}555${String(100 + index).padStart(4, "0")}`,
    },
  }));
}

function campaignDocuments(campaign: DemoCampaign, company: Company, { id, about }: Stamp): ConfigInput[] {
  const planId = id("routing_plan", campaign.name);
  const { name } = campaign;
  const routes = campaign.routes.map(([target, priority, weight]) => ({
    id: id("route", `${name}/${target}`),
    action: "route-to-target",
    target_id: id("target", target),
    priority,
    weight,
  }));
  const group = groupRoute(campaign, company, id);
  return [
    { type: "routing_plan", doc: { id: planId, ...about, name: `${name} plan`, routes: [...routes, ...group] } },
    {
      type: "campaign",
      doc: {
        id: id("campaign", name),
        ...about,
        name,
        routing_plan_id: planId,
        payout: campaign.payout,
        timezone: company.timezone,
        number_group_items: campaign.publishers.map((row) => ({
          id: id("number_group_item", `${name}/${row.publisher}`),
          number_id: id("number", `${name}/${row.publisher}`),
          publisher_id: id("publisher", row.publisher),
          ...itemTerms(row, campaign),
        })),
        outgoing_webhooks: campaign.webhooks.map((webhook) => id("outgoing_webhook", webhook)),
        incoming_webhooks: incomingTypes.map((type) => id("incoming_webhook", type)),
      },
    },
  ];
}

/** Bidders take their share of a campaign's calls beside the targets that go first. */
function groupRoute(campaign: DemoCampaign, company: Company, id: Stamp["id"]) {
  if (formulasOf(company, campaign).length === 0) return [];
  const name = groupName(campaign);
  const about = { id: id("route", `${campaign.name}/${name}`), action: "route-to-rtb-group" };
  return [{ ...about, rtb_group_id: id("rtb_group", name), priority: 0, weight: 30 }];
}

/** A share of the revenue is owed when the buyer pays; a fixed amount after the campaign's seconds. */
function itemTerms({ percentage }: DemoPlacement, { payout, payoutSeconds }: DemoCampaign) {
  if (percentage !== undefined) return { payout_percentage: percentage, payout_condition: "call_converted" as const };
  return { payout, payout_condition: "call_length_connected" as const, payout_condition_duration: payoutSeconds };
}
