import { z } from "zod";
import { defineResource } from "../resource.ts";
import { advancedCaps, count, externalId, name, shortText, timezone } from "./shapes.ts";

/** A buyer: takes calls and pays for them. */
export const buyer = defineResource({
  type: "buyer",
  path: "buyers",
  param: "buyer_id",
  title: { one: "buyer", many: "buyers" },
  writable: z.object({
    name,
    email: shortText.optional(),
    company: shortText.optional(),
    phone: shortText.optional(),
    timezone: timezone.optional(),
    is_active: z.boolean().default(true),
    max_concurrency: count.optional(),
    advanced_caps: advancedCaps.default([]),
    external_id: externalId,
  }),
  pausable: true,
  filters: {
    name: shortText.optional(),
    external_id: shortText.optional(),
    is_active: z.enum(["true", "false"]).optional(),
  },
  example: { name: "Sunny Group", email: "ops@sunny.example", max_concurrency: 20 },
});
