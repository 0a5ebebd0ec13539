import { z } from "zod";
import { conflict } from "../../serve/errors.ts";
import { boundsInWords, checkBounds, filterBounds, type PlacedCondition, toPlaced } from "../filter-bounds.ts";
import { defineResource } from "../resource.ts";
import {
  type NumberGroupItem,
  numberGroupItem,
  numberGroupItemAnswer,
  viewNumberGroupItem,
} from "./number-group-item.ts";
import { withRowIds } from "./rows.ts";
import {
  advancedCaps,
  externalId,
  freeForm,
  httpUrl,
  id,
  ids,
  money,
  name,
  named,
  recordings,
  rowId,
  shortText,
  timezone,
} from "./shapes.ts";

const tcpaScrubbingConfig = z.object({
  id: rowId.optional(),
  api_key: shortText.optional(),
  api_version: z.enum(["v1", "v2", "v3"]).optional(),
  api_url: httpUrl.optional(),
  allow_calls_on_failure: z.boolean().default(true),
});

const ivrPayoutRule = z.object({
  id: rowId.optional(),
  legacy_rule_id: shortText.optional(),
  combinator: z.enum(["and", "or"]).default("and"),
  payout: money.default(0),
  filters: z.array(freeForm).max(100).default([]).describe("Conditions: `keys` or `field`, `operator` and `value`."),
});

const ivrPayoutRules = z
  .array(ivrPayoutRule)
  .max(500)
  .superRefine((rules, context) => void checkBounds(conditionsOf(rules), context))
  .describe(`The first rule that matches pays. All together have at most ${boundsInWords(filterBounds)}.`);

function* conditionsOf(rules: readonly z.output<typeof ivrPayoutRule>[]): Generator<PlacedCondition> {
  for (const [rule, { filters }] of rules.entries())
    for (const [index, row] of filters.entries()) yield toPlaced(row, [rule, "filters", index]);
}

interface ModeFields {
  readonly execution_mode?: "routing_plan" | "call_flow" | undefined;
  readonly routing_plan_id?: string | undefined;
  readonly call_flow_id?: string | undefined;
}
/** Returns `execution_mode` as it was set, else `call_flow` for a campaign with a call flow and no routing plan. */
export const modeOf = ({ execution_mode, routing_plan_id, call_flow_id }: ModeFields) =>
  execution_mode ?? (call_flow_id && !routing_plan_id ? "call_flow" : "routing_plan");

/** Fields that every read shows and that may be written: a patch with all of them is one of what was read. */
const alwaysRead = ["name", "is_active", "number_group_items", "ivr_payout_rules"];

const numbers = z.array(numberGroupItem).max(10_000);

/** Joins publishers' numbers to a routing plan, with the money, recording and duplicate rules of its calls. */
export const campaign = defineResource({
  type: "campaign",
  path: "campaigns",
  param: "campaign_id",
  title: { one: "campaign", many: "campaigns" },
  writable: z.object({
    name,
    routing_plan_id: id.optional(),
    call_flow_id: id.optional(),
    execution_mode: z.enum(["routing_plan", "call_flow"]).optional(),
    is_active: z.boolean().default(true),
    payout: money.optional(),
    timezone: timezone.optional(),
    conversion_scope: z.number().int().min(0).default(0),
    qai_category_id: z.number().int().optional(),
    tcpa_scrubbing: shortText.optional(),
    tcpa_scrubbing_config: tcpaScrubbingConfig.optional(),
    number_group_items: numbers.default([]),
    ivr_payout_rules: ivrPayoutRules.default([]),
    outgoing_webhooks: ids.default([]),
    incoming_webhooks: ids.default([]),
    preconverted_caller: z.boolean().default(false),
    preconverted_destination: z.boolean().default(false),
    preconverted_publisher: z.boolean().default(false),
    preconverted_campaign: z.boolean().default(false),
    external_id: externalId,
    ...recordings,
    expose_ineligible_routes: z.boolean().default(false),
    ineligible_routes_fields: shortText.optional(),
    advanced_caps: advancedCaps.default([]),
  }),
  readOnly: {
    execution_mode: z.enum(["routing_plan", "call_flow"]),
    routing_plan: named.nullable(),
    number_group_items: z.array(numberGroupItemAnswer),
  },
  filters: {
    name: shortText.optional(),
    external_id: shortText.optional(),
    is_active: z.enum(["true", "false"]).optional(),
    publisher_id: shortText.optional(),
  },
  filtersByReference: { publisher_id: { by: "naming", type: "publisher" } },
  secrets: ["api_key"],
  exclusive: {
    type: "number",
    code: "number_in_use",
    of: ({ is_active, number_group_items }) => (is_active ? number_group_items.map(({ number_id }) => number_id) : []),
  },
  references: (campaign) => [
    ...(campaign.routing_plan_id
      ? [{ type: "routing_plan", id: campaign.routing_plan_id, loc: ["routing_plan_id"] }]
      : []),
    ...(campaign.call_flow_id ? [{ type: "call_flow", id: campaign.call_flow_id, loc: ["call_flow_id"] }] : []),
    ...campaign.number_group_items.flatMap((item, index) => [
      { type: "number", id: item.number_id, loc: ["number_group_items", index, "number_id"] },
      ...(item.publisher_id
        ? [{ type: "publisher", id: item.publisher_id, loc: ["number_group_items", index, "publisher_id"] }]
        : []),
    ]),
    ...(["outgoing_webhooks", "incoming_webhooks"] as const).flatMap((field) =>
      campaign[field].map((webhook, index) => ({ type: field.slice(0, -1), id: webhook, loc: [field, index] })),
    ),
  ],
  prepare(written, context) {
    const { previous, sent = [], newId } = context;
    const paused = new Map(
      (previous?.number_group_items as NumberGroupItem[] | undefined)?.map((row) => [row.id, row.pause]),
    );
    const { tcpa_scrubbing_config: scrubbing, execution_mode, ...others } = written;
    // A client that writes back what it read has chosen no status: it stays derived from the plan and the flow.
    const isWhole = alwaysRead.every((name) => sent.includes(name));
    const echoed = isWhole && previous && !previous.execution_mode && execution_mode === modeOf(previous);
    return {
      ...others,
      ...(execution_mode && !echoed ? { execution_mode } : {}),
      ...(scrubbing ? { tcpa_scrubbing_config: { ...scrubbing, id: scrubbing.id ?? newId() } } : {}),
      ivr_payout_rules: withRowIds(written.ivr_payout_rules, "ivr_payout_rules", context),
      number_group_items: withRowIds(written.number_group_items, "number_group_items", context).map((row) => {
        const pause = paused.get(row.id);
        return pause ? { ...row, pause } : row;
      }),
    };
  },
  view: (campaign, { find, now }) => ({
    execution_mode: modeOf(campaign),
    routing_plan: find("routing_plan", campaign.routing_plan_id),
    number_group_items: (campaign.number_group_items as NumberGroupItem[]).map((row) =>
      viewNumberGroupItem(row, find, now),
    ),
  }),
  async beforeRemove(db, { id, name }) {
    const open = await db.query(
      "SELECT 1 AS one FROM open_calls WHERE campaign_id = $1 AND (doc->>'state') <> 'ended' LIMIT 1",
      [id],
    );
    if (open.length > 0)
      throw conflict(`The campaign "${name}" has calls in progress: make it inactive and try again after them.`);
  },
  example: { name: "Solar East", payout: 20, timezone: "America/New_York" },
});
