import {
  alwaysReadOnly,
  amount,
  choice,
  count,
  externalId,
  flag,
  fresh,
  integer,
  name,
  ofLength,
  reference,
  references,
  rowId,
  rows,
  type Table,
  text,
} from "./kinds.ts";

const leastPlan = () => ({ name: "Best buyers first" });

export const routingPlan: Table = {
  title: "Routing plan",
  path: "routing-plans",
  least: leastPlan,
  fields: {
    name,
    description: text({ max: 2000 }),
    is_active: flag(true),
    allowed_publishers: references((ids) => ids.publisher),
    allowed_buyers: references((ids) => ids.buyer),
    predictive_routing_plan_id: reference((ids) => ids.predictive_routing_plan),
    external_id: externalId,
    routes: rows(() => [[]]),
  },
  readOnly: { ...alwaysReadOnly, prefix: "chosen by the client" },
};

export const route: Table = {
  title: "Route",
  path: "routing-plans",
  least: leastPlan,
  at: ["routes", 0],
  leastRow: () => ({ action: "ring-a-bell" }),
  fields: {
    id: rowId,
    action: { ...text({ min: 1, max: 64 }), required: true },
    target_id: reference((ids) => ids.target, { derives: ["target"] }),
    rtb_formula_id: reference((ids) => ids.rtb_formula, { derives: ["rtb_formula"] }),
    rtb_group_id: reference((ids) => ids.rtb_group, { derives: ["rtb_group"] }),
    ivr_id: reference((ids) => ids.ivr, { derives: ["ivr"] }),
    predictive_routing_plan_id: reference((ids) => ids.predictive_routing_plan),
    priority: count({ default: 0 }),
    weight: count({ default: 0 }),
  },
  readOnly: {},
};

export const predictiveRoutingPlan: Table = {
  title: "Predictive routing plan",
  path: "predictive-routing-plans",
  least: () => ({ name: "Last day" }),
  fields: {
    name,
    minimum_call_count: count({ default: 5 }),
    desired_hours: integer({ min: 1, max: 720, default: 24 }),
    underperforming_percentage: integer({ min: 0, max: 100 }),
    is_active: flag(true),
    external_id: externalId,
  },
  readOnly: alwaysReadOnly,
};

export const inboundRtb: Table = {
  title: "Inbound RTB",
  path: "inbound-rtb",
  least: (ids) => ({ campaign_id: ids.campaign, publisher_id: ids.publisher }),
  fields: {
    inbound_rtb_id: {
      accepted: () => [fresh("sub-domain.~_"), fresh("x", 254)],
      refused: ["", ofLength(256), "a/b", "a b", "a?b", "12", "requests", "stats", ".", "..", 5].map((value) => ({
        value,
      })),
    },
    campaign_id: reference((ids) => ids.campaign, { required: true, derives: ["campaign_name"] }),
    publisher_id: reference((ids) => ids.publisher, { required: true, derives: ["publisher_name"] }),
    payout_mode: choice(["static", "dynamic"], { default: "dynamic" }),
    payout_percentage: amount({ max: 100, default: 100 }),
    duration_add_seconds: count(),
    payout: amount(),
    payout_condition: choice([
      "call_length_connected",
      "call_length_incoming",
      "call_successfully_connected",
      "call_converted",
    ]),
    payout_condition_duration: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    allocation_time_seconds: integer({ min: 1, max: 60, default: 30 }),
    rate_limit: integer({ min: 1, max: Number.MAX_SAFE_INTEGER, default: 10 }),
    rate_period: choice(["hour", "day", "min"], { default: "min" }),
    is_active: flag(true),
    receive_mode: {
      ...choice(["static_standard", "static_multi_bid", "dynamic"], { default: "dynamic" }),
      with: (ids) => ({ receive_number_id: ids.number }),
    },
    // Empty is none, as the field may not be null.
    receive_number_id: {
      accepted: (ids) => [ids.number, ""],
      refused: [{ value: 5 }, { value: ofLength(256) }, { value: "nobody", type: "reference_not_found" }],
    },
    external_id: externalId,
  },
  readOnly: { ...alwaysReadOnly, campaign_name: "Another", publisher_name: "Another" },
};
