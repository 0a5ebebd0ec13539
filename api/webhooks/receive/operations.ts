import { z } from "zod";
import { unauthorized } from "../../serve/errors.ts";
import { defineOperation, type Operation } from "../../serve/operation.ts";
import { callDataBody, updateFieldsBody, updateRevenueBody, updateTagsBody } from "./bodies.ts";

const scalar = z.union([z.string(), z.number(), z.boolean()]).nullable();
const answer = z.object({
  success: z.boolean(),
  /** False where no call was found. */
  matched: z.boolean(),
  call_id: z.string().optional(),
  /** The fields that the request names, before and after it. */
  before: z.record(z.string(), scalar).optional(),
  after: z.record(z.string(), scalar).optional(),
  /** Names that were sent and could not be used. */
  ignored: z.array(z.string()).optional(),
  replayed: z
    .boolean()
    .optional()
    .describe(
      "True where an earlier request of another kind had this `transaction_id`: the answer is that one's, and nothing was done.",
    ),
});

const about = {
  method: "post",
  tag: "Inbound webhooks",
  access: {
    scheme: "svc_auth_key",
    admit() {
      throw unauthorized("served apart");
    },
  },
  limit: "webhooks",
  status: 200,
  apart: true,
  answer,
  errors: [409, 503],
  handle: () => Promise.reject(new Error("served apart")),
} as const;

const caller = { transaction_id: "crm-1024", caller_id: "+12125550123" };

/** The receiver in the API's document; `route.ts` serves it, JSON and forms. */
export const receiveOperations: readonly Operation[] = [
  defineOperation({
    ...about,
    path: "/call-data",
    name: "sendCallData",
    summary: "Send data about a caller: to the latest call, or for the next one",
    body: callDataBody,
    example: { ...caller, lead_type: "solar", lead_score: 87, custom_data: { form: "spring" } },
  }),
  defineOperation({
    ...about,
    path: "/update-revenue",
    name: "updateRevenue",
    summary: "Put amounts in place of those that a call was settled on",
    body: updateRevenueBody,
    example: { ...caller, revenue: 45.5, payout: 30, reason: "sale confirmed" },
  }),
  defineOperation({
    ...about,
    path: "/update-tags",
    name: "updateTags",
    summary: "Give a call tags and take tags from it",
    body: updateTagsBody,
    example: { ...caller, add: { lead_type: "solar" }, remove: ["draft"] },
  }),
  defineOperation({
    ...about,
    path: "/update-fields",
    name: "updateFields",
    summary: "Correct what a call says of its caller, and note how it went",
    body: updateFieldsBody,
    example: { ...caller, fields: { caller_zip: "10001", disposition: "sold" } },
  }),
];
