import { z } from "zod";
import { defineResource } from "../resource.ts";
import { withRowIds } from "./rows.ts";
import { count, externalId, id, money, name, named, rowId, shortText } from "./shapes.ts";

/** A formula in a group, with its bounds; it may be written as it was read. */
const link = z
  .object({
    id: rowId.optional(),
    rtb_formula_id: id.exactOptional(),
    rtb_formula: z.object({ id }).optional(),
    maximum_bid_per_target: money.optional(),
    minimum_bid_per_target: money.optional(),
    ping_timeout_per_target: count.optional(),
    routing_modifier: z.number().int().min(-10).max(10).default(0),
    routing_modifier_type: z.enum(["percentage", "amount"]).optional(),
    routing_modifier_value: z.number().finite().optional(),
  })
  .transform(({ rtb_formula, rtb_formula_id, ...row }, context) => {
    const formula = rtb_formula_id ?? rtb_formula?.id;
    if (formula === undefined) {
      const params = { type: "missing" };
      context.addIssue({
        code: "custom",
        params,
        path: ["rtb_formula_id"],
        message: "Name the RTB formula by its id.",
      });
      return z.NEVER;
    }
    return { ...row, rtb_formula_id: formula } as FormulaLink;
  });

export interface FormulaLink {
  readonly id?: string;
  readonly rtb_formula_id: string;
  readonly maximum_bid_per_target?: number;
  readonly minimum_bid_per_target?: number;
  readonly ping_timeout_per_target?: number;
  readonly routing_modifier: number;
  readonly routing_modifier_type?: "percentage" | "amount";
  readonly routing_modifier_value?: number;
}

const linkAnswer = z
  .object({
    id: rowId,
    rtb_formula_id: z.string(),
    rtb_formula: named.nullable(),
    maximum_bid_per_target: money.nullable(),
    minimum_bid_per_target: money.optional(),
    ping_timeout_per_target: z.int().optional(),
    routing_modifier: z.int(),
    routing_modifier_type: z.enum(["percentage", "amount"]).optional(),
    routing_modifier_value: z.number().optional(),
  })
  .meta({ id: "FormulaLink" });

/** Formulas that bid against each other for a call. */
export const rtbGroup = defineResource({
  type: "rtb_group",
  path: "rtb-groups",
  param: "rtb_group_id",
  title: { one: "RTB group", many: "RTB groups" },
  writable: z.object({
    name,
    minimum_bid: money.default(0),
    /** Milliseconds until the auction closes. */
    ping_timeout: z.number().int().min(1).max(30_000).default(2000),
    predictive_routing_enabled: z.boolean().default(false),
    predictive_routing_plan_id: id.optional(),
    minimum_call_count: count.optional(),
    desired_hours: count.optional(),
    underperforming_percentage: z.number().int().min(0).max(100).optional(),
    rtb_formulas: z.array(link).max(500).default([]),
    external_id: externalId,
  }),
  readOnly: { rtb_formulas: z.array(linkAnswer) },
  filters: { name: shortText.optional(), external_id: shortText.optional() },
  references: ({ rtb_formulas, predictive_routing_plan_id: predictive }) => [
    ...rtb_formulas.map((row, index) => ({
      type: "rtb_formula",
      id: row.rtb_formula_id,
      loc: ["rtb_formulas", index, "rtb_formula_id"],
    })),
    ...(predictive === undefined
      ? []
      : [{ type: "predictive_routing_plan", id: predictive, loc: ["predictive_routing_plan_id"] }]),
  ],
  prepare: (written, context) => ({
    ...written,
    rtb_formulas: withRowIds(written.rtb_formulas, "rtb_formulas", context),
  }),
  view: ({ rtb_formulas }, { find }) => ({
    rtb_formulas: rtb_formulas.map((row) => ({
      ...row,
      maximum_bid_per_target: row.maximum_bid_per_target ?? null,
      rtb_formula: find("rtb_formula", row.rtb_formula_id),
    })),
  }),
  example: {
    name: "Solar bidders",
    minimum_bid: 5,
    rtb_formulas: [{ rtb_formula_id: "RTB_ID", maximum_bid_per_target: 80 }],
  },
});
