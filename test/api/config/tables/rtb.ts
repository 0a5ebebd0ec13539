import { aStep } from "../../company.ts";
import {
  alwaysReadOnly,
  amount,
  anything,
  bidDestination,
  choice,
  count,
  externalId,
  type Field,
  flag,
  freeForm,
  freeFormList,
  integer,
  name,
  noHttpUrls,
  pausedReadOnly,
  reference,
  references,
  rowId,
  rows,
  type Table,
  text,
  timezone,
} from "./kinds.ts";
import { duplicateFields, filters, hours } from "./target.ts";

const stepDefaults = {
  headers: [],
  query_params: [],
  body_params: [],
  body_type: "none",
  raw_body: "",
  run_on_rtb_group_win: false,
  selected_keys: [],
  response_field_mappings: [],
  continue_on_failure: false,
  processed_response: "",
  process_response_code: "",
  target_selection_criteria: {},
};
const wholeStep = { ...aStep, ...stepDefaults };
const leastFormula = (ids: { buyer: string }) => ({ rtb_name: "Bids", buyer_id: ids.buyer, steps: [aStep] });

export const rtbFormula: Table = {
  title: "RTB formula",
  path: "rtbs",
  least: leastFormula,
  fields: {
    buyer_id: reference((ids) => ids.buyer, { required: true, derives: ["buyer_name"] }),
    rtb_name: name,
    rtb_type: text({ min: 1, default: "standard" }),
    static_phone_number: bidDestination,
    use_static_phone_number: flag(false),
    steps: {
      ...rows(() => [[wholeStep, { ...wholeStep, url: "https://bids.example/win", run_on_rtb_group_win: true }]]),
      required: true,
      default: [wholeStep],
      refused: [{ value: [], type: "list_too_short" }, { value: {} }, { value: ["a"], at: [0] }],
    },
    mapped_response: freeForm(),
    zip_code_type: choice(["static", "dynamic"], { default: "dynamic" }),
    static_zip_code: text({ default: "" }),
    caller_id_param: text({ default: "" }),
    zip_code_param: text({ default: "" }),
    caller_id_test: text({ default: "" }),
    misc_settings: freeForm(),
    parsing_formula: freeForm(),
    hours_of_operation: { ...hours, default: { always_open: true } },
    timezone: timezone(),
    is_active: flag(true),
    max_concurrency: count({ default: 0 }),
    ...duplicateFields,
    filters,
    rtb_timeout: integer({ min: 1, max: 30_000, default: 5000 }),
    outbound_ping_rate_limit: count(),
    outbound_ping_rate_period: choice(["min", "hour", "day"]),
    outbound_ping_max_inflight: count(),
    outbound_ping_backoff_enabled: flag(false),
    outbound_ping_backoff_threshold: atLeastOne(3),
    outbound_ping_backoff_seconds: atLeastOne(60),
    external_id: externalId,
    disable_recordings: flag(false),
    access_to_call_recordings: flag(true),
    advanced_caps: freeFormList(),
    outgoing_webhooks: references((ids) => ids.outgoing_webhook),
  },
  readOnly: { ...alwaysReadOnly, ...pausedReadOnly, buyer_name: "Another" },
};

function atLeastOne(byDefault: number): Field {
  return integer({ min: 1, max: Number.MAX_SAFE_INTEGER, default: byDefault });
}

const pairs = (more: object = {}): Field => ({
  default: [],
  ...more,
  accepted: () => [
    [
      { key: "caller", value: "{{caller_id}}" },
      { key: "caller", value: "" },
    ],
    [],
  ],
  refused: [{ value: {} }, { value: ["a"], at: [0] }, { value: [{ key: 5, value: "" }], at: [0, "key"] }],
});

export const rtbStep: Table = {
  title: "RTB step",
  path: "rtbs",
  least: leastFormula,
  at: ["steps", 0],
  leastRow: () => aStep,
  fields: {
    url: {
      required: true,
      accepted: () => ["https://bids.example/{{ caller_id }}", "http://[HOST].example/?z={{zip}}", "HTTPS://b.example"],
      refused: [...noHttpUrls, `https://${"a".repeat(4090)}`].map((value) => ({ value })),
    },
    method: { ...choice(["GET", "PUT", "PATCH", "DELETE", "POST"], { required: true }), folded: [["get", "GET"]] },
    headers: pairs(),
    query_params: pairs(),
    body_params: pairs(),
    body_type: {
      ...choice(["json", "form", "urlencoded", "raw", "xml", "none"], { default: "none" }),
      folded: [["JSON", "json"]],
    },
    raw_body: text({ max: 65_536, default: "" }),
    // A sample of any type: null is one, too.
    api_response: { ...anything({ required: true, takesNull: true }), accepted: () => ["", 0, [], { bid: 1 }] },
    run_on_rtb_group_win: flag(false),
    selected_keys: {
      default: [],
      accepted: () => [[{ key: "zip", path: "$.a[0]" }], []],
      refused: [{ value: "zip" }, { value: [{ key: "zip" }], at: [0, "path"], type: "missing" }],
    },
    response_field_mappings: {
      default: [],
      accepted: () => [[{ fieldPath: "$.a", stepIndex: 0, tagName: "zip" }], []],
      refused: [
        { value: [{ fieldPath: "$.a", stepIndex: -1, tagName: "zip" }], at: [0, "stepIndex"] },
        { value: [{ fieldPath: "$.a", stepIndex: 0 }], at: [0, "tagName"], type: "missing" },
      ],
    },
    continue_on_failure: flag(false),
    processed_response: {
      ...anything({ default: "", takesNull: true }),
      accepted: () => [{ a: 1 }, "text", [1]],
    },
    process_response_code: text({ max: 65_536, default: "" }),
    target_selection_criteria: freeForm({ default: {} }),
  },
  readOnly: {},
};

const leastGroup = () => ({ name: "Bidders" });

export const rtbGroup: Table = {
  title: "RTB group",
  path: "rtb-groups",
  least: leastGroup,
  fields: {
    name,
    minimum_bid: amount({ default: 0 }),
    ping_timeout: integer({ min: 1, max: 30_000, default: 2000 }),
    predictive_routing_enabled: flag(false),
    predictive_routing_plan_id: reference((ids) => ids.predictive_routing_plan),
    minimum_call_count: count(),
    desired_hours: count(),
    underperforming_percentage: integer({ min: 0, max: 100 }),
    rtb_formulas: rows(() => [[]]),
    external_id: externalId,
  },
  readOnly: alwaysReadOnly,
};

export const formulaLink: Table = {
  title: "Formula link",
  path: "rtb-groups",
  least: leastGroup,
  at: ["rtb_formulas", 0],
  leastRow: (ids) => ({ rtb_formula_id: ids.rtb_formula }),
  fields: {
    id: rowId,
    rtb_formula_id: reference((ids) => ids.rtb_formula, { required: true }),
    maximum_bid_per_target: amount({ default: null }),
    minimum_bid_per_target: amount(),
    ping_timeout_per_target: count(),
    routing_modifier: integer({ min: -10, max: 10, default: 0 }),
    routing_modifier_type: choice(["percentage", "amount"]),
    routing_modifier_value: {
      accepted: () => [12.5, 0, -40],
      refused: ["5", true, {}].map((value) => ({ value })),
    },
  },
  readOnly: { rtb_formula: { id: "another", name: "Another" } },
};
