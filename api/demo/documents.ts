import { v5 as uuidOf } from "uuid";
import { isoTime } from "../../ingest/clock.ts";
import type { ConfigInput, ResourceInput, ResourceType } from "../config/registry.ts";
import { copperMesa } from "./copper-mesa.ts";
import { harborline } from "./harborline.ts";
import {
  type Campaign,
  type Formula,
  fakeCredential,
  fictionalNumber,
  type IdOf,
  type IncomingWebhook,
  type NumberItem,
  type Organization,
  type Target,
  toOrganization,
  unsigned,
} from "./organization.ts";

export interface DemoOptions {
  readonly seed: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Address of the receiver of webhooks and bids, without a slash at the end. */
  readonly receiverUrl: string;
}

export interface DemoOrganization extends Organization {
  /** Its config; what is referred to comes before what refers to it. */
  readonly documents: readonly ConfigInput[];
}

/** The config was there a month before the ninety days of calls begin. */
const configAgeMs = 120 * 24 * 60 * 60 * 1000;

/** The two invented organizations. Ids follow from the seed alone, so links stay good from run to run. */
export function demoOrganizations({ seed, now, receiverUrl }: DemoOptions): readonly DemoOrganization[] {
  const createdAt = isoTime(now - configAgeMs);
  return [harborline, copperMesa].map((company) => {
    const idOf: IdOf = (kind, name) => uuidOf(`trunkline demo/${seed}/${company.name}/${kind}/${name}`, uuidOf.URL);
    const organization = toOrganization(company, { idOf, createdAt, receiverUrl });
    const about = { org_id: organization.org_id, created_at: createdAt, updated_at: createdAt };
    const documents = toRows(organization, idOf).map(
      ({ type, doc: { id, ...fields } }) => ({ type, doc: { id, ...about, ...fields } }) as ConfigInput,
    );
    return { ...organization, documents };
  });
}

/** A document without what all documents of an organization have in common. */
type Row = {
  [T in ResourceType]: {
    readonly type: T;
    readonly doc: Omit<ResourceInput<T>, "org_id" | "created_at" | "updated_at">;
  };
}[ResourceType];

function toRows(organization: Organization, idOf: IdOf): Row[] {
  const { buyers, publishers, targets, outgoing, incoming, campaigns, formulas, timezone } = organization;
  const items = campaigns.flatMap((campaign) => campaign.items.map((item) => ({ campaign, item })));
  const pinged = items.filter(({ item }) => item.asksFirst);
  return [
    ...buyers.map(({ id, name }): Row => ({ type: "buyer", doc: { id, name } })),
    ...publishers.map(({ id, name }): Row => ({ type: "publisher", doc: { id, name } })),
    ...customTags.map((tag): Row => ({ type: "custom_tag", doc: { id: idOf("custom_tag", tag.key), ...tag } })),
    ...targets.map((target) => targetRow(target, timezone)),
    ...outgoing.map(({ id, name, description, event_type_id, url, method, headers, params, body }): Row => {
      const content = method === "GET" ? { params } : { body };
      return {
        type: "outgoing_webhook",
        doc: { id, name, description, event_type_id, url, method, headers, ...content },
      };
    }),
    ...incoming.map((webhook) => incomingRow(webhook, idOf)),
    ...items.map(({ item: { numberId: id, number } }): Row => ({ type: "number", doc: { id, number } })),
    ...formulas.map(formulaRow),
    ...campaigns.flatMap((campaign) => groupRows(campaign, idOf)),
    ...campaigns.flatMap((campaign) => campaignRows(campaign, organization, idOf)),
    ...pinged.flatMap(({ campaign, item }, index) =>
      endpointRows(campaign, item, { place: organization.firstPool + index, idOf }),
    ),
  ];
}

/** The keys that the lead forms of the history send; a tag of a key that config lacks is not kept. */
const customTags = [
  { key: "lead_type" },
  { key: "age_band" },
  { key: "language" },
  { key: "lead_score", data_type: "number" as const },
];

function targetRow({ id, name, buyer, type, destination, revenue, terms }: Target, timezone: string): Row {
  const address = type === "sip" ? { sip_endpoint: destination } : { number: destination };
  const seconds = terms.condition_seconds === 0 ? {} : { payout_condition_duration: terms.condition_seconds };
  return {
    type: "target",
    doc: {
      id,
      name,
      buyer_id: buyer.id,
      type,
      ...address,
      connection_timeout: 25,
      timezone,
      revenue,
      payout_condition: terms.condition,
      ...seconds,
    },
  };
}

const incomingRow = ({ id, name, type }: IncomingWebhook, idOf: IdOf): Row => ({
  type: "incoming_webhook",
  doc: { id, name, type, auth_key: idOf("auth_key", type).replaceAll("-", "") },
});

/** Asks the buyer's bidding address; the receiver answers there. */
const formulaRow = ({ id, name, url, target: { buyer, revenue, seconds } }: Formula): Row => ({
  type: "rtb_formula",
  doc: {
    id,
    rtb_name: name,
    buyer_id: buyer.id,
    steps: [
      {
        url,
        method: "POST",
        body_type: "json",
        headers: [{ key: "Authorization", value: fakeCredential }],
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
});

const groupName = ({ name }: Campaign): string => `${name} bidders`;

/** The group in which buyers bid for the campaign's calls, if some do. */
function groupRows(campaign: Campaign, idOf: IdOf): Row[] {
  if (campaign.formulas.length === 0) return [];
  const name = groupName(campaign);
  const rtb_formulas = campaign.formulas.map((formula) => ({
    id: idOf("formula_link", `${name}/${formula.name}`),
    rtb_formula_id: formula.id,
  }));
  return [
    { type: "rtb_group", doc: { id: idOf("rtb_group", name), name, ping_timeout: 1000, minimum_bid: 5, rtb_formulas } },
  ];
}

function campaignRows(campaign: Campaign, { timezone, incoming }: Organization, idOf: IdOf): Row[] {
  const { id, name, planId: routing_plan_id, items, formulas, outgoing, payout } = campaign;
  const routes = campaign.routes.map(({ id, target, priority, weight }) => ({
    id: id ?? undefined,
    action: "route-to-target",
    target_id: target.id,
    priority,
    weight,
  }));
  // Bidders take their share of the calls beside the targets that go first.
  const group = {
    id: idOf("route", `${name}/${groupName(campaign)}`),
    action: "route-to-rtb-group",
    rtb_group_id: idOf("rtb_group", groupName(campaign)),
    priority: 0,
    weight: 30,
  };
  return [
    {
      type: "routing_plan",
      doc: { id: routing_plan_id, name: `${name} plan`, routes: formulas.length === 0 ? routes : [...routes, group] },
    },
    {
      type: "campaign",
      doc: {
        id,
        name,
        routing_plan_id,
        payout: payout.dollars,
        timezone,
        number_group_items: items.map(toNumberGroupItem),
        outgoing_webhooks: outgoing.map((webhook) => webhook.id),
        incoming_webhooks: incoming.map((webhook) => webhook.id),
      },
    },
  ];
}

function toNumberGroupItem({ id, numberId, publisher, terms }: NumberItem) {
  const { payout, percentage, condition: payout_condition, condition_seconds } = terms;
  const item = { id, number_id: numberId, publisher_id: publisher.id };
  return percentage === null
    ? { ...item, payout, payout_condition, payout_condition_duration: condition_seconds }
    : { ...item, payout_percentage: percentage, payout_condition };
}

const pooledNumbers = 25;
const tollFreeCodes = ["822", "833", "844", "855", "866", "880"];

/** A publisher's endpoint, and the pool of numbers for its pings; `place` is the pool's among all. */
function endpointRows(
  campaign: Campaign,
  item: NumberItem,
  { place, idOf }: { readonly place: number; readonly idOf: IdOf },
): Row[] {
  const { publisher, percentage = 70, inboundRtbId: inbound_rtb_id } = item;
  const name = `${campaign.name}/${publisher.name}`;
  const about = { campaign_id: campaign.id, publisher_id: publisher.id };
  const number_pool_id = idOf("number_pool", name);
  const numbers = Array.from({ length: pooledNumbers }, (_, index): Row => {
    // A hundred of each area code are kept for fiction.
    const nth = place * pooledNumbers + index;
    const number = fictionalNumber(tollFreeCodes[Math.floor(nth / 100)] ?? "", 100 + (nth % 100));
    return { type: "number", doc: { id: idOf("pooled_number", `${name}/${index}`), number, number_pool_id } };
  });
  // Far from the ids that the platform counts from 1.
  const id = String(1_000_000_000 + unsigned(idOf("inbound_rtb", name)));
  return [
    {
      type: "number_pool",
      doc: { id: number_pool_id, name: `${campaign.name}, ${publisher.name}`, ...about, numbers_count: pooledNumbers },
    },
    ...numbers,
    { type: "inbound_rtb", doc: { id, ...about, rate_limit: 600, inbound_rtb_id, payout_percentage: percentage } },
  ];
}
