import { v5 as uuidOf } from "uuid";
import type { OrgId } from "../../ingest/primitives.ts";
import type { ConfigInput } from "../config/registry.ts";
import type { Company, DemoCampaign, DemoFormula } from "./company.ts";
import type { Stamp } from "./document.ts";
import { fold } from "./random.ts";

/** Numbers of each pool that pings are given, and pools that an organization may have. */
const pooledNumbers = 25;
const poolsOfCompany = 12;
const tollFree = ["822", "833", "844", "855", "866", "880"];

export const formulaId = (name: string, orgId: OrgId): string => uuidOf(`rtb/${name}`, orgId);

/** The public name of the endpoint where a placement's publisher asks. */
export const endpointId = (createdAt: string, rowId: string): string =>
  `inbound_rtb_${Date.parse(createdAt)}_${(fold(rowId) >>> 0).toString(36).padStart(6, "0").slice(-6)}`;

export const groupName = (campaign: DemoCampaign): string => `${campaign.name} bidders`;
export const formulasOf = (company: Company, campaign: DemoCampaign): readonly DemoFormula[] =>
  company.formulas.filter(({ campaigns }) => campaigns.includes(campaign.name));

/** Buyers' formulas, and the groups in which they bid for a campaign's calls. */
export const bidderDocuments = (company: Company, stamp: Stamp, receiverUrl: string): ConfigInput[] => [
  ...company.formulas.map((formula) => formulaDocument(formula, company, { stamp, receiverUrl })),
  ...company.campaigns.flatMap((campaign) => groupDocuments(campaign, company, stamp)),
];

/** Where publishers ask before they send a call; `index` is the organization's place among the demo's. */
export function endpointDocuments(company: Company, stamp: Stamp, index: number): ConfigInput[] {
  const placements = company.campaigns.flatMap((campaign) =>
    campaign.publishers.filter(({ asksFirst }) => asksFirst).map((row) => ({ campaign, row })),
  );
  return placements.flatMap((placement, at) => endpointOf(placement, stamp, index * poolsOfCompany + at));
}

/** Asks the buyer's bidding address at the receiver, which answers as the formula's figures say. */
function formulaDocument(
  { name, target, bids, answerMs }: DemoFormula,
  company: Company,
  { stamp: { id, about }, receiverUrl }: { readonly stamp: Stamp; readonly receiverUrl: string },
): ConfigInput {
  const { buyer, revenue, seconds } = company.targets.find((each) => each.name === target) ?? missing(target);
  const usual = new URLSearchParams({ usual: String(revenue), share: String(bids), ms: String(answerMs) });
  return {
    type: "rtb_formula",
    doc: {
      id: formulaId(name, about.org_id),
      ...about,
      rtb_name: name,
      buyer_id: id("buyer", buyer),
      steps: [
        {
          url: `${receiverUrl}/bids/${encodeURIComponent(name)}?${usual}`,
          method: "POST",
          body_type: "json",
          headers: [{ key: "Authorization", value: "Bearer demo-credential-not-real" }],
          body_params: [
            { key: "caller", value: "{{caller_id}}" },
            { key: "zip", value: "{{zip_code}}" },
            { key: "state", value: "{{state}}" },
          ],
          api_response: { bid: revenue, duration: seconds, phone: "+18885550100" },
        },
      ],
      mapped_response: { bid: "$.bid", duration: "$.duration", phone_number: "$.phone" },
      rtb_timeout: 1000,
    },
  };
}

function groupDocuments(campaign: DemoCampaign, company: Company, { id, about }: Stamp): ConfigInput[] {
  const formulas = formulasOf(company, campaign);
  if (formulas.length === 0) return [];
  const name = groupName(campaign);
  const rtb_formulas = formulas.map((formula) => ({
    id: id("formula_link", `${name}/${formula.name}`),
    rtb_formula_id: formulaId(formula.name, about.org_id),
  }));
  return [
    {
      type: "rtb_group",
      doc: { id: id("rtb_group", name), ...about, name, ping_timeout: 1000, minimum_bid: 5, rtb_formulas },
    },
  ];
}

interface Placement {
  readonly campaign: DemoCampaign;
  readonly row: DemoCampaign["publishers"][number];
}

/** An endpoint, and a pool of numbers that it hands out; `place` is the pool's among all. */
function endpointOf({ campaign, row }: Placement, { id, about }: Stamp, place: number): ConfigInput[] {
  const name = `${campaign.name}/${row.publisher}`;
  const campaign_id = id("campaign", campaign.name);
  const publisher_id = id("publisher", row.publisher);
  const number_pool_id = id("number_pool", name);
  return [
    {
      type: "number_pool",
      doc: {
        id: number_pool_id,
        ...about,
        name: `${campaign.name}, ${row.publisher}`,
        campaign_id,
        publisher_id,
        numbers_count: pooledNumbers,
      },
    },
    ...Array.from({ length: pooledNumbers }, (_, index): ConfigInput => {
      const number = pooledNumber(place * pooledNumbers + index);
      return {
        type: "number",
        doc: { id: id("pooled_number", `${name}/${index}`), ...about, number, number_pool_id },
      };
    }),
    {
      type: "inbound_rtb",
      doc: {
        id: endpointNumber(id("inbound_rtb", name)),
        ...about,
        campaign_id,
        publisher_id,
        rate_limit: 600,
        inbound_rtb_id: endpointId(about.created_at, id("number_group_item", name)),
        payout_percentage: row.percentage ?? 70,
      },
    },
  ];
}

/** A whole number that follows from the seed, far from those that the platform counts from 1. */
const endpointNumber = (id: string): string => String(1_000_000_000 + (fold(id) >>> 0));

/** A hundred of each area code lie in the block that is kept for fiction. */
const pooledNumber = (index: number): string =>
  `+1${tollFree[Math.floor(index / 100)]}555${String(100 + (index % 100)).padStart(4, "0")}`;

function missing(name: string): never {
  throw new Error(`demo config: no target is named ${name}`);
}
