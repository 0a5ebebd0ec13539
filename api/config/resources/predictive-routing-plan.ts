import { z } from "zod";
import { defineResource } from "../resource.ts";
import { count, externalId, name, shortText } from "./shapes.ts";

/** Rules that judge destinations by what earlier calls to them brought. */
export const predictiveRoutingPlan = defineResource({
  type: "predictive_routing_plan",
  path: "predictive-routing-plans",
  param: "predictive_routing_plan_id",
  title: { one: "predictive routing plan", many: "predictive routing plans" },
  writable: z.object({
    name,
    minimum_call_count: count.default(5).describe("Calls to a destination before it is judged."),
    desired_hours: z.number().int().min(1).max(720).default(24).describe("Hours of earlier calls that are looked at."),
    underperforming_percentage: z
      .number()
      .int()
      .min(0)
      .max(100)
      .describe("How far below the best a destination may earn per call; without it, none is left out.")
      .optional(),
    is_active: z.boolean().default(true),
    external_id: externalId,
  }),
  filters: {
    name: shortText.optional(),
    external_id: shortText.optional(),
    is_active: z.enum(["true", "false"]).optional(),
  },
  example: { name: "Last two days", minimum_call_count: 10, desired_hours: 48, underperforming_percentage: 40 },
});
