import { z } from "zod";
import { toE164 } from "../../../ingest/phone-number.ts";
import { defineResource } from "../resource.ts";
import { externalId, shortText } from "./shapes.ts";

const callerNumber = z
  .string()
  .max(64)
  .overwrite((text) => toE164(text) ?? text)
  .refine((text) => toE164(text) === text, "must be a phone number, like +12125550123")
  .describe("In E.164; what names no country is read as a number of the United States.");

/**
 * A caller that the organization takes no calls from, on any campaign. A campaign whose
 * `tcpa_scrubbing` is `default` asks the same list, and so has nobody left to refuse.
 */
export const blockedCaller = defineResource({
  type: "blocked_caller",
  path: "blocked-callers",
  param: "blocked_caller_id",
  title: { one: "blocked caller", many: "blocked callers" },
  nameField: "number",
  writable: z.object({
    number: callerNumber,
    reason: z.string().max(2000).optional(),
    external_id: externalId,
  }),
  filters: { number: shortText.optional(), external_id: shortText.optional() },
  uniqueKey: ({ number }) => ({ key: number, field: "number" }),
  example: { number: "+12125550188", reason: "Asked not to be called about solar." },
});
