import {
  alwaysReadOnly,
  amount,
  choice,
  count,
  externalId,
  flag,
  freeFormList,
  integer,
  name,
  noHttpUrls,
  pausedReadOnly,
  reference,
  references,
  rowId,
  rows,
  shaped,
  type Table,
  text,
  timezone,
} from "./kinds.ts";

const least = () => ({ name: "Solar East" });

export const campaign: Table = {
  title: "Campaign",
  path: "campaigns",
  least,
  fields: {
    name,
    routing_plan_id: reference((ids) => ids.routing_plan, { derives: ["routing_plan"] }),
    call_flow_id: reference((ids) => ids.call_flow, { derives: ["execution_mode"] }),
    execution_mode: choice(["call_flow", "routing_plan"], { default: "routing_plan" }),
    is_active: flag(true),
    payout: amount(),
    timezone: timezone(),
    conversion_scope: integer({ min: 0, max: Number.MAX_SAFE_INTEGER, default: 0 }),
    qai_category_id: {
      accepted: () => [0, 7, -1],
      refused: ["7", 1.5, true].map((value) => ({ value })),
    },
    tcpa_scrubbing: text(),
    tcpa_scrubbing_config: shaped(
      [{ id: "tcpa-1", api_key: "k", api_version: "v2", api_url: "https://a.example", allow_calls_on_failure: false }],
      [],
    ),
    number_group_items: rows(() => [[]]),
    ivr_payout_rules: rows(() => [
      [{ id: "rule-1", combinator: "or", payout: 5, filters: [{ field: "state", operator: "equals", value: "NY" }] }],
      [],
    ]),
    outgoing_webhooks: references((ids) => ids.outgoing_webhook),
    incoming_webhooks: references((ids) => ids.incoming_webhook),
    preconverted_caller: flag(false),
    preconverted_destination: flag(false),
    preconverted_publisher: flag(false),
    preconverted_campaign: flag(false),
    external_id: externalId,
    disable_recordings: flag(false),
    access_to_call_recordings: flag(true),
    expose_ineligible_routes: flag(false),
    ineligible_routes_fields: text(),
    advanced_caps: freeFormList(),
  },
  readOnly: { ...alwaysReadOnly, routing_plan: { id: "another", name: "Another" } },
};

export const tcpaConfig: Table = {
  title: "Campaign TCPA scrubbing config",
  path: "campaigns",
  least,
  at: ["tcpa_scrubbing_config"],
  leastRow: () => ({}),
  fields: {
    id: rowId,
    api_key: text({ max: 255 }),
    api_version: choice(["v1", "v2", "v3"]),
    api_url: {
      accepted: () => ["https://tcpa.example/lookup", "http://tcpa.example:8080/?a=b"],
      refused: noHttpUrls.map((value) => ({ value })),
    },
    allow_calls_on_failure: flag(true),
  },
  readOnly: {},
};

export const numberGroupItem: Table = {
  title: "Number-group item",
  path: "campaigns",
  // An active one would want the numbers of others.
  least: () => ({ ...least(), is_active: false }),
  at: ["number_group_items", 0],
  leastRow: (ids) => ({ number_id: ids.spare_number }),
  fields: {
    id: rowId,
    number_id: reference((ids) => ids.number, { required: true, derives: ["number"] }),
    publisher_id: reference((ids) => ids.publisher, { derives: ["publisher_name"] }),
    type: choice(["dynamic", "static"], { default: "static" }),
    payout: amount(),
    payout_condition: text(),
    payout_condition_duration: count(),
    payout_percentage: amount({ max: 100 }),
    external_id: externalId,
    is_active: flag(true),
  },
  readOnly: { ...pausedReadOnly, number: "+19995550100", publisher_name: "Another" },
};

export const ivrPayoutRule: Table = {
  title: "IVR payout rule",
  path: "campaigns",
  least,
  at: ["ivr_payout_rules", 0],
  leastRow: () => ({}),
  fields: {
    id: rowId,
    legacy_rule_id: text(),
    combinator: choice(["or", "and"], { default: "and" }),
    payout: amount({ default: 0 }),
    filters: freeFormList(),
  },
  readOnly: {},
};
