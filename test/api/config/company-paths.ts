import { ownNumber } from "../../make.ts";
import { aStep, type Company } from "../company.ts";

export type Kind = Exclude<keyof Company, "row" | "spare_number" | "pooled_number" | "public_inbound_rtb">;

export const paths: Readonly<Record<Kind, string>> = {
  buyer: "buyers",
  publisher: "publishers",
  target: "targets",
  campaign: "campaigns",
  custom_tag: "custom-tags",
  outgoing_webhook: "outgoing-webhooks",
  incoming_webhook: "incoming-webhooks",
  inbound_rtb: "inbound-rtb",
  rtb_formula: "rtbs",
  rtb_group: "rtb-groups",
  routing_plan: "routing-plans",
  number: "numbers",
  number_pool: "number-pools",
  ivr: "ivrs",
  call_flow: "call-flows",
  predictive_routing_plan: "predictive-routing-plans",
  blocked_caller: "blocked-callers",
};

/** The least body of a create request of each kind. */
export const leastBody = (ids: Company, kind: Kind): Record<string, unknown> => {
  const named = { name: "Another" };
  const bodies: Readonly<Record<Kind, Record<string, unknown>>> = {
    buyer: named,
    publisher: named,
    campaign: named,
    routing_plan: named,
    number_pool: named,
    rtb_group: named,
    incoming_webhook: named,
    custom_tag: { key: "another" },
    number: { number: ownNumber(ids.number, 199) },
    target: { ...named, buyer_id: ids.buyer, type: "number" },
    outgoing_webhook: { ...named, event_type_id: "call.incoming", url: "https://a.example" },
    rtb_formula: { rtb_name: "Another", buyer_id: ids.buyer, steps: [aStep] },
    inbound_rtb: { campaign_id: ids.campaign, publisher_id: ids.publisher },
    ivr: { ...named, greeting: "Press 1." },
    call_flow: { ...named, steps: [{ type: "hangup" }] },
    predictive_routing_plan: named,
    blocked_caller: { number: "+12125550199" },
  };
  return bodies[kind];
};
