import { z } from "zod";
import type { Queryable } from "../../database/database.ts";
import { ApiError, conflict } from "../../serve/errors.ts";
import { defineResource } from "../resource.ts";
import { e164, externalId, id, shortText } from "./shapes.ts";

const status = z.enum(["available", "assigned", "pooled"]);

/** 409 for a number that is another organization's. */
export const numberTaken = (number: string): ApiError =>
  new ApiError(
    409,
    "number_taken",
    `The number ${number} belongs to another organization of this installation. If it is yours, ask whoever runs the installation to move it to you.`,
  );

/** Returns whether any organization of the installation holds the number. */
async function isTaken(db: Queryable, e164: string): Promise<boolean> {
  const rows = await db.query("SELECT id FROM documents WHERE type = 'number' AND unique_key = $1", [e164]);
  return rows.length > 0;
}

/** A tracking number. */
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
    state: z.string().max(64).optional().describe("State that the number is of."),
    toll_free: z.boolean().default(false),
    publisher_id: id.optional(),
    external_id: externalId,
  }),
  kept: {
    number_pool_id: z.string().nullable(),
    /** False once an operator has moved the number to another organization, which has its calls from then on. */
    is_held: z.boolean(),
  },
  readOnly: { number_pool_id: z.string().nullable(), status, is_held: z.boolean() },
  filters: {
    number: shortText.optional(),
    status: status.optional(),
    number_pool_id: shortText.optional(),
    campaign_id: shortText.optional(),
    external_id: shortText.optional(),
  },
  filtersByReference: { campaign_id: { by: "named_by", type: "campaign" }, status: { by: "number_status" } },
  namedBy: { field: "campaign_id", type: "campaign" },
  references: ({ publisher_id }) =>
    publisher_id === undefined ? [] : [{ type: "publisher", id: publisher_id, loc: ["publisher_id"] }],
  prepare: (written, { previous, sent = [] }) => ({
    ...written,
    number_pool_id: previous?.number_pool_id ?? null,
    is_held: previous?.number !== written.number || previous.is_held !== false || sent.includes("number"),
  }),
  // An organization that lists the number without holding it takes it up by naming it, where nobody holds it.
  async settle(db, doc, previous) {
    if (!doc.is_held || previous.is_held !== false || doc.number !== previous.number) return doc;
    return { ...doc, is_held: !(await isTaken(db, doc.number)) };
  },
  view: ({ number_pool_id }, { naming }) => ({
    status: number_pool_id !== null ? "pooled" : naming?.isHolder ? "assigned" : "available",
  }),
  uniqueKey: ({ number, is_held }) => ({
    key: number,
    field: "number",
    everywhere: is_held,
    refusal: () => numberTaken(number),
  }),
  async beforeRemove(_db, { number, number_pool_id }) {
    if (number_pool_id !== null) throw conflict(`The number ${number} is in a number pool: take it out first.`);
  },
  example: { number: "+18005550100", provider: "simulator" },
});
