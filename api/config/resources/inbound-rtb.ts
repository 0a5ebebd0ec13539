import { randomInt } from "node:crypto";
import { z } from "zod";
import { payoutCondition } from "../../../ingest/terms.ts";
import { ValidationError } from "../../serve/errors.ts";
import { defineResource } from "../resource.ts";
import { count, externalId, id, money, percentage, shortText } from "./shapes.ts";

/** Returns a new public id: `inbound_rtb_<ms>_<6 base36>`. */
const newPublicId = (): string =>
  `inbound_rtb_${Date.now()}_${randomInt(36 ** 6)
    .toString(36)
    .padStart(6, "0")}`;

/** Returns true if a path can end in the name: a whole number is looked up as an id, and some words are paths of their own. */
const isFreeName = (name: string): boolean =>
  !/^\d+$/.test(name) && !["requests", "stats", ".", ".."].includes(name.toLowerCase());

/** An endpoint where a publisher asks which routes are open. */
export const inboundRtb = defineResource({
  type: "inbound_rtb",
  path: "inbound-rtb",
  param: "inbound_rtb_id",
  title: { one: "inbound RTB", many: "inbound RTBs" },
  nameField: "inbound_rtb_id",
  numericId: true,
  writable: z.object({
    inbound_rtb_id: shortText
      .min(1)
      .regex(/^[\w.~-]+$/, "must be fit for a path: letters, digits, - . _ ~")
      .refine(isFreeName, "is read as something else: a whole number is an id, and some words are paths of their own")
      .optional(),
    campaign_id: id,
    publisher_id: id,
    payout_mode: z.enum(["dynamic", "static"]).default("dynamic"),
    payout_percentage: percentage.default(100),
    duration_add_seconds: count.optional(),
    payout: money.optional(),
    payout_condition: payoutCondition.optional(),
    payout_condition_duration: z.number().int().min(1).optional(),
    allocation_time_seconds: z.number().int().min(1).max(60).default(30),
    rate_limit: z.number().int().min(1).default(10),
    rate_period: z.enum(["min", "hour", "day"]).default("min"),
    is_active: z.boolean().default(true),
    receive_mode: z.enum(["dynamic", "static_standard", "static_multi_bid"]).default("dynamic"),
    receive_number_id: shortText.optional(),
    external_id: externalId,
  }),
  readOnly: {
    inbound_rtb_id: z.string(),
    campaign_name: z.string().optional(),
    publisher_name: z.string().optional(),
  },
  filters: {
    campaign_id: shortText.optional(),
    publisher_id: shortText.optional(),
    inbound_rtb_id: shortText.optional(),
    external_id: shortText.optional(),
  },
  references: ({ campaign_id, publisher_id, receive_number_id }) => [
    { type: "campaign", id: campaign_id, loc: ["campaign_id"] },
    { type: "publisher", id: publisher_id, loc: ["publisher_id"] },
    ...(receive_number_id ? [{ type: "number", id: receive_number_id, loc: ["receive_number_id"] }] : []),
  ],
  prepare(written, { previous }) {
    if (written.receive_mode !== "dynamic" && !written.receive_number_id) {
      const msg = `receive_mode ${written.receive_mode} receives on one number: name it in receive_number_id.`;
      throw new ValidationError([{ loc: ["body", "receive_number_id"], msg, type: "missing" }]);
    }
    // Publishers ping by it: it can be changed, but not cleared.
    return { ...written, inbound_rtb_id: written.inbound_rtb_id ?? previous?.inbound_rtb_id ?? newPublicId() };
  },
  uniqueKey: ({ inbound_rtb_id }) =>
    inbound_rtb_id === undefined ? null : { key: inbound_rtb_id, field: "inbound_rtb_id", everywhere: true },
  view: ({ campaign_id, publisher_id }, { find }) => {
    const [campaign, publisher] = [find("campaign", campaign_id), find("publisher", publisher_id)];
    return { ...(campaign && { campaign_name: campaign.name }), ...(publisher && { publisher_name: publisher.name }) };
  },
  example: { campaign_id: "CAMPAIGN_ID", publisher_id: "PUBLISHER_ID", payout_percentage: 80 },
});
