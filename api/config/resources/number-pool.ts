import { z } from "zod";
import { conflict } from "../../serve/errors.ts";
import { defineResource } from "../resource.ts";
import { count, externalId, id, name, shortText } from "./shapes.ts";

/** Numbers that are handed out one by one, to pings or to visitors. */
export const numberPool = defineResource({
  type: "number_pool",
  path: "number-pools",
  param: "number_pool_id",
  title: { one: "number pool", many: "number pools" },
  writable: z.object({
    name,
    campaign_id: id.optional(),
    publisher_id: id.optional(),
    type: z
      .enum(["inbound_rtb", "dni"])
      .default("inbound_rtb")
      .describe("Whether numbers are handed out to pings or to visitors of a page."),
    /** Seconds for which a released number is given to nobody. */
    hold_seconds: count.default(0),
    max_size: count.optional(),
    is_active: z.boolean().default(true),
    external_id: externalId,
  }),
  kept: { numbers_count: z.int() },
  readOnly: { numbers_count: z.int() },
  filters: { name: shortText.optional(), external_id: shortText.optional() },
  references: ({ campaign_id, publisher_id }) => [
    ...(campaign_id === undefined ? [] : [{ type: "campaign", id: campaign_id, loc: ["campaign_id"] }]),
    ...(publisher_id === undefined ? [] : [{ type: "publisher", id: publisher_id, loc: ["publisher_id"] }]),
  ],
  prepare(written, { previous }) {
    const { numbers_count } = { numbers_count: 0, ...previous };
    const { name, max_size = numbers_count } = written;
    if (max_size < numbers_count) throw conflict(`The number pool "${name}" has ${numbers_count} numbers already.`);
    return { ...written, numbers_count };
  },
  async beforeRemove(_db, { name, numbers_count }) {
    if (numbers_count > 0)
      throw conflict(`The number pool "${name}" has ${numbers_count} numbers: take them out first.`);
  },
  example: { name: "Solar pool", type: "inbound_rtb", hold_seconds: 300 },
});
