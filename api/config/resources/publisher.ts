import { z } from "zod";
import { defineResource } from "../resource.ts";
import { advancedCaps, count, externalId, money, name, percentage, shortText, timezone } from "./shapes.ts";

/** A publisher: sends calls and is paid for them. */
export const publisher = defineResource({
  type: "publisher",
  path: "publishers",
  param: "publisher_id",
  title: { one: "publisher", many: "publishers" },
  writable: z.object({
    name,
    email: shortText.optional(),
    company: shortText.optional(),
    phone: shortText.optional(),
    timezone: timezone.optional(),
    is_active: z.boolean().default(true),
    max_concurrency: count.optional(),
    payout: money.optional(),
    payout_percentage: percentage.optional(),
    advanced_caps: advancedCaps.default([]),
    external_id: externalId,
  }),
  pausable: true,
  filters: {
    name: shortText.optional(),
    external_id: shortText.optional(),
    is_active: z.enum(["true", "false"]).optional(),
  },
  example: { name: "Blue Lake Media", payout: 20 },
});
