import { randomBytes } from "node:crypto";
import { z } from "zod";
import { defineResource } from "../resource.ts";
import { externalId, name, shortText } from "./shapes.ts";

/** A key of 256 bits for the `svc_auth_key` query parameter, safe in an address. */
export const newAuthKey = (): string => randomBytes(32).toString("base64url");

/** A door through which an external system sends data about calls. */
export const incomingWebhook = defineResource({
  type: "incoming_webhook",
  path: "incoming-webhooks",
  param: "webhook_id",
  title: { one: "incoming webhook", many: "incoming webhooks" },
  writable: z.object({
    name,
    description: z.string().max(2000).optional(),
    type: z
      .enum(["call_data", "update_revenue", "update_tags", "update_fields"])
      .default("call_data")
      .describe("What its requests do: send data of callers, or correct amounts, tags or fields of calls."),
    /** Seconds that data without a call is kept for the caller's next one. */
    lifespan: z.number().int().min(1).max(31_536_000).default(3600),
    /** Days back in which a caller's call is looked for. */
    caller_id_match_days: z.number().int().min(1).max(365).default(15),
    external_id: externalId,
  }),
  kept: { auth_key: z.string() },
  readOnly: {
    auth_key: z.string().describe("The `svc_auth_key` of its requests; `***` for a key that may only read."),
    url: z
      .string()
      .describe(
        "Where its requests are sent, with its key. Its address is PUBLIC_URL, or that of this request. `***` for a key that may only read.",
      ),
  },
  addresses: (webhook, baseUrl) => ({
    ...webhook,
    url: `${baseUrl}/${String(webhook["type"]).replace("_", "-")}?svc_auth_key=${webhook["auth_key"]}`,
  }),
  filters: { name: shortText.optional(), external_id: shortText.optional(), type: shortText.optional() },
  secrets: ["auth_key"],
  credentials: ["auth_key", "url"],
  prepare: (written, { previous }) => ({ ...written, auth_key: previous?.auth_key ?? newAuthKey() }),
  example: { name: "Leads from the form", type: "call_data", caller_id_match_days: 7 },
});
