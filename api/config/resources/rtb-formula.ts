import { z } from "zod";
import { isReserved, notReserved } from "../../../ingest/primitives.ts";
import { boundsInWords, checkBounds, filterBounds, type PlacedCondition, toPlaced } from "../filter-bounds.ts";
import { defineResource } from "../resource.ts";
import {
  advancedCaps,
  anyJson,
  bidDestination,
  count,
  duplicateRules,
  externalId,
  filters,
  freeForm,
  hoursOfOperation,
  httpUrl,
  id,
  ids,
  longText,
  name,
  recordings,
  shortText,
  timezone,
} from "./shapes.ts";

/** Name under which a value of a buyer's answer is kept with the call. */
const givenName = shortText.refine((name) => !isReserved(name), notReserved);
const pairs = z
  .array(
    z.object({ key: shortText.describe("Name."), value: longText.describe("Value; it may hold {{placeholder}}s.") }),
  )
  .max(200);

/** One request to the buyer's endpoint. */
const step = z
  .object({
    url: httpUrl.describe("http or https; it may hold {{placeholder}}s and [TAG_NAME]s."),
    method: z
      .string()
      .describe("In any case, one of GET, POST, PUT, PATCH, DELETE.")
      .transform((method) => method.toUpperCase())
      .pipe(z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"])),
    headers: pairs.default([]),
    query_params: pairs.default([]),
    body_params: pairs.default([]),
    body_type: z
      .string()
      .describe("In any case, one of none, json, form, urlencoded, raw, xml.")
      .transform((type) => type.toLowerCase())
      .pipe(z.enum(["none", "json", "form", "urlencoded", "raw", "xml"]))
      .default("none"),
    raw_body: z.string().max(65_536).default(""),
    api_response: anyJson.refine((value) => value !== undefined, "is missing: send a sample of the buyer's answer"),
    run_on_rtb_group_win: z.boolean().default(false),
    selected_keys: z
      .array(
        z.object({
          key: givenName.describe("Name that the value is kept under."),
          path: longText.describe("Path in the answer."),
        }),
      )
      .max(200)
      .default([]),
    response_field_mappings: z
      .array(z.object({ fieldPath: longText, stepIndex: count, tagName: givenName }))
      .max(200)
      .default([]),
    continue_on_failure: z.boolean().default(false),
    processed_response: anyJson.default(""),
    process_response_code: z.string().max(65_536).default(""),
    target_selection_criteria: freeForm.default({}),
  })
  .meta({ id: "RtbStep" });

const steps = z
  .array(step)
  .min(1)
  .max(50)
  .superRefine((all, context) => {
    const conditions = all.flatMap((each, index) => [
      ...conditionsOf(each.target_selection_criteria, [index, "target_selection_criteria"]),
    ]);
    checkBounds(conditions, context);
  })
  .describe(`Their target_selection_criteria have at most ${boundsInWords(filterBounds)} together.`);

/** Conditions, and conditions in these, to any depth. */
function* conditionsOf(criteria: unknown, path: (string | number)[]): Generator<PlacedCondition> {
  if (typeof criteria !== "object" || criteria === null) return;
  const { conditions, ...own } = criteria as Readonly<Record<string, unknown>>;
  if (!Array.isArray(conditions)) yield toPlaced(own, path);
  else for (const [index, each] of conditions.entries()) yield* conditionsOf(each, [...path, "conditions", index]);
}

/** Asks a buyer for a bid, in one or more steps. */
export const rtbFormula = defineResource({
  type: "rtb_formula",
  path: "rtbs",
  param: "rtb_id",
  title: { one: "RTB formula", many: "RTB formulas" },
  nameField: "rtb_name",
  writable: z.object({
    buyer_id: id,
    rtb_name: name,
    rtb_type: shortText.min(1).default("standard"),
    static_phone_number: bidDestination.default(""),
    use_static_phone_number: z.boolean().default(false),
    steps,
    mapped_response: freeForm.optional(),
    zip_code_type: z.enum(["dynamic", "static"]).default("dynamic"),
    static_zip_code: shortText.default(""),
    caller_id_param: shortText.default(""),
    zip_code_param: shortText.default(""),
    caller_id_test: shortText.default(""),
    misc_settings: freeForm.optional(),
    parsing_formula: freeForm.optional(),
    hours_of_operation: hoursOfOperation.default({ always_open: true }),
    timezone: timezone.optional(),
    is_active: z.boolean().default(true),
    max_concurrency: count.default(0),
    ...duplicateRules,
    filters: filters.optional(),
    rtb_timeout: z.number().int().min(1).max(30_000).default(5000),
    outbound_ping_rate_limit: count.optional(),
    outbound_ping_rate_period: z.enum(["min", "hour", "day"]).optional(),
    outbound_ping_max_inflight: count.optional(),
    outbound_ping_backoff_enabled: z.boolean().default(false),
    outbound_ping_backoff_threshold: z.number().int().min(1).default(3),
    outbound_ping_backoff_seconds: z.number().int().min(1).default(60),
    outgoing_webhooks: ids.default([]),
    external_id: externalId,
    ...recordings,
    advanced_caps: advancedCaps.default([]),
  }),
  readOnly: { buyer_name: z.string().optional() },
  pausable: true,
  filters: {
    buyer_id: shortText.optional(),
    external_id: shortText.optional(),
    is_active: z.enum(["true", "false"]).optional(),
  },
  // Buyers' endpoints are asked with credentials, which stand in any of these.
  secrets: ["headers", "query_params", "body_params", "raw_body"],
  references: (formula) => [
    { type: "buyer", id: formula.buyer_id, loc: ["buyer_id"] },
    ...formula.outgoing_webhooks.map((webhook, index) => ({
      type: "outgoing_webhook",
      id: webhook,
      loc: ["outgoing_webhooks", index],
    })),
  ],
  view: ({ buyer_id }, { find }) => {
    const buyer = find("buyer", buyer_id);
    return buyer === null ? {} : { buyer_name: buyer.name };
  },
  example: {
    rtb_name: "Sunny bids",
    buyer_id: "BUYER_ID",
    steps: [
      {
        url: "https://bids.sunny.example/ping",
        method: "POST",
        body_type: "json",
        body_params: [{ key: "caller", value: "{{caller_id}}" }],
        api_response: { bid: 12.5, duration: 60, phone: "+18885550101" },
      },
    ],
    mapped_response: { bid: "$.bid", duration: "$.duration", phone_number: "$.phone" },
  },
});
