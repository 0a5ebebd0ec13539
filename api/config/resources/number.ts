import { z } from "zod";
import { timestamp } from "../../../ingest/primitives.ts";
import { conflict } from "../../serve/errors.ts";
import { defineResource } from "../resource.ts";
import { e164, externalId, id, shortText } from "./shapes.ts";

/**
 * Since when the organization has the number. Two may claim one, and its calls are those of whoever had it first: so a
 * row that is turned to another number, or taken up again after its release, begins anew. Shown to nobody.
 */
const heldSince = timestamp.optional();

/** A tracking number (semantics 7.2). */
export const number = defineResource({
  type: "number",
  path: "numbers",
  param: "number_id",
  title: { one: "number", many: "numbers" },
  nameField: "number",
  writable: z.object({
    number: e164,
    provider: shortText.optional(),
    provider_sid: shortText.optional(),
    country: z.string().length(2).optional(),
    area_code: z.string().max(8).optional(),
    state: z.string().max(64).optional(),
    toll_free: z.boolean().default(false),
    publisher_id: id.optional(),
    status: z.enum(["available", "assigned", "pooled", "allocated", "released"]).default("available"),
    external_id: externalId,
  }),
  kept: { number_pool_id: z.string().nullable(), held_since: heldSince },
  nullable: [],
  readOnly: { number_pool_id: z.string().nullable() },
  filters: {
    number: shortText.optional(),
    status: shortText.optional(),
    number_pool_id: shortText.optional(),
    campaign_id: shortText.optional(),
    external_id: shortText.optional(),
  },
  filtersByReference: { campaign_id: { by: "named_by", type: "campaign" } },
  namedBy: { field: "campaign_id", type: "campaign" },
  references: ({ publisher_id }) =>
    publisher_id === undefined ? [] : [{ type: "publisher", id: publisher_id, loc: ["publisher_id"] }],
  prepare(written, { previous, at }) {
    const isHeldOn =
      previous?.number === written.number && (previous.status !== "released" || written.status === "released");
    const held_since = isHeldOn ? (previous.held_since ?? previous.created_at) : at;
    return { ...written, number_pool_id: previous?.number_pool_id ?? null, held_since };
  },
  view: () => ({ held_since: undefined }),
  uniqueKey: (document) => ({ key: document.number, field: "number" }),
  async beforeRemove(_db, { number, number_pool_id }) {
    if (number_pool_id !== null) throw conflict(`The number ${number} is in a number pool: take it out first.`);
  },
  example: { number: "+18005550100", provider: "simulator" },
});
