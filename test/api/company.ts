import { v4 as uuidv4 } from "uuid";
import type { ConfigInput } from "../../api/config/registry.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import { ownNumber } from "../make.ts";
import type { Member } from "./use-platform.ts";

/** The ids of an organization's config, one of each kind. */
export interface Company {
  readonly buyer: string;
  readonly publisher: string;
  readonly target: string;
  readonly outgoing_webhook: string;
  readonly incoming_webhook: string;
  readonly rtb_formula: string;
  readonly rtb_group: string;
  readonly predictive_routing_plan: string;
  readonly routing_plan: string;
  readonly ivr: string;
  readonly call_flow: string;
  readonly number: string;
  /** A number that no campaign and no pool has. */
  readonly spare_number: string;
  readonly number_pool: string;
  /** The number that is in the pool. */
  readonly pooled_number: string;
  readonly campaign: string;
  /** The id of the campaign's number row. */
  readonly row: string;
  readonly inbound_rtb: string;
  /** As pings name it. */
  readonly public_inbound_rtb: string;
  readonly custom_tag: string;
  readonly blocked_caller: string;
}

export const aStep = { url: "https://bids.example/ping", method: "POST", api_response: { bid: 12 } };

/** The phone numbers of an organization's company. */
export const phonesOf = (orgId: OrgId) => ({
  number: ownNumber(orgId, 150),
  spare: ownNumber(orgId, 151),
  pooled: ownNumber(orgId, 152),
});

/** Whole numbers far from those that the platform gives by itself. */
let nextInboundRtb = 1_000_000_000;

/** Fills an organization with one of each kind, all of them connected, every name with `mark` in it. */
export async function foundCompany(member: Member, mark = "Sunny"): Promise<Company> {
  const ids: Company = {
    buyer: uuidv4(),
    publisher: uuidv4(),
    target: uuidv4(),
    outgoing_webhook: uuidv4(),
    number: uuidv4(),
    incoming_webhook: uuidv4(),
    rtb_formula: uuidv4(),
    rtb_group: uuidv4(),
    routing_plan: uuidv4(),
    predictive_routing_plan: uuidv4(),
    ivr: uuidv4(),
    call_flow: uuidv4(),
    spare_number: uuidv4(),
    number_pool: uuidv4(),
    pooled_number: uuidv4(),
    campaign: uuidv4(),
    row: uuidv4(),
    inbound_rtb: String(nextInboundRtb++),
    custom_tag: uuidv4(),
    public_inbound_rtb: `inbound_rtb_${nextInboundRtb}_sunny0`,
    blocked_caller: uuidv4(),
  };
  const kinds = [parties, routing, voice, numbers];
  await member.save(kinds.flatMap((documentsOf) => documentsOf(member, ids, mark)));
  return ids;
}

const aboutOf = ({ id: org_id }: Member, id: string) => ({
  id,
  org_id,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
});

function parties(member: Member, ids: Company, mark: string): ConfigInput[] {
  const about = (id: string) => aboutOf(member, id);
  const to = { event_type_id: "call.completed", url: "https://crm.example/calls" } as const;
  return [
    { type: "buyer", doc: { ...about(ids.buyer), name: `${mark} buyer` } },
    { type: "publisher", doc: { ...about(ids.publisher), name: `${mark} publisher` } },
    { type: "outgoing_webhook", doc: { ...about(ids.outgoing_webhook), name: `${mark} out`, ...to } },
    { type: "incoming_webhook", doc: { ...about(ids.incoming_webhook), name: `${mark} in`, type: "call_data" } },
    { type: "blocked_caller", doc: { ...about(ids.blocked_caller), number: "+12125550187", reason: mark } },
    { type: "custom_tag", doc: { ...about(ids.custom_tag), key: "sunny_tag", name: `${mark} tag` } },
  ];
}

function routing(member: Member, ids: Company, mark: string): ConfigInput[] {
  const about = (id: string) => aboutOf(member, id);
  const line = { type: "number", number: "+18885550101", revenue: 30 } as const;
  const links = [{ id: uuidv4(), rtb_formula_id: ids.rtb_formula, maximum_bid_per_target: 50 }];
  const routes = [
    { id: uuidv4(), action: "route-to-target", target_id: ids.target, priority: 1 },
    { id: uuidv4(), action: "route-to-rtb", rtb_formula_id: ids.rtb_formula, priority: 2 },
    { id: uuidv4(), action: "route-to-rtb-group", rtb_group_id: ids.rtb_group, priority: 3 },
  ];
  const bidders = { rtb_formulas: links, predictive_routing_plan_id: ids.predictive_routing_plan };
  const allowed = { allowed_publishers: [ids.publisher], allowed_buyers: [ids.buyer] };
  const buyer_id = ids.buyer;
  return [
    { type: "target", doc: { ...about(ids.target), name: `${mark} target`, buyer_id, ...line } },
    { type: "rtb_formula", doc: { ...about(ids.rtb_formula), rtb_name: `${mark} bids`, buyer_id, steps: [aStep] } },
    { type: "predictive_routing_plan", doc: { ...about(ids.predictive_routing_plan), name: `${mark} prediction` } },
    { type: "rtb_group", doc: { ...about(ids.rtb_group), name: `${mark} group`, ...bidders } },
    { type: "routing_plan", doc: { ...about(ids.routing_plan), name: `${mark} plan`, routes, ...allowed } },
  ];
}

/** A menu that leads back to itself, and a flow that begins with it. */
function voice(member: Member, ids: Company, mark: string): ConfigInput[] {
  const about = (id: string) => aboutOf(member, id);
  const menu = [
    { id: uuidv4(), digit: "1", label: "solar", destination: { rtb_group_id: ids.rtb_group } },
    { id: uuidv4(), digit: "*", destination: { ivr_id: ids.ivr } },
  ] as const;
  const steps = [
    { id: uuidv4(), type: "ivr", ivr_id: ids.ivr },
    { id: uuidv4(), type: "routing_plan", routing_plan_id: ids.routing_plan },
  ] as const;
  return [
    { type: "ivr", doc: { ...about(ids.ivr), name: `${mark} menu`, greeting: "Press 1.", menu: [...menu] } },
    { type: "call_flow", doc: { ...about(ids.call_flow), name: `${mark} flow`, steps: [...steps] } },
  ];
}

function numbers(member: Member, ids: Company, mark: string): ConfigInput[] {
  const about = (id: string) => aboutOf(member, id);
  const { campaign: campaign_id, publisher: publisher_id } = ids;
  const items = [{ id: ids.row, number_id: ids.number, publisher_id }];
  const webhooks = { outgoing_webhooks: [ids.outgoing_webhook], incoming_webhooks: [ids.incoming_webhook] };
  const ways = { routing_plan_id: ids.routing_plan, call_flow_id: ids.call_flow };
  const plan = { ...ways, payout: 20, number_group_items: items, ...webhooks };
  const pooled = { number_pool_id: ids.number_pool };
  const pool = { campaign_id, publisher_id, numbers_count: 1 };
  return [
    { type: "number", doc: { ...about(ids.number), number: phonesOf(member.id).number } },
    { type: "number", doc: { ...about(ids.spare_number), number: phonesOf(member.id).spare } },
    { type: "number", doc: { ...about(ids.pooled_number), number: phonesOf(member.id).pooled, ...pooled } },
    { type: "campaign", doc: { ...about(campaign_id), name: `${mark} campaign`, ...plan } },
    { type: "number_pool", doc: { ...about(ids.number_pool), name: `${mark} pool`, ...pool } },
    {
      type: "inbound_rtb",
      doc: { ...about(ids.inbound_rtb), inbound_rtb_id: ids.public_inbound_rtb, campaign_id, publisher_id },
    },
  ];
}
