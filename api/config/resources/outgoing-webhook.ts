import { z } from "zod";
import { callEventNames } from "../../../ingest/event.ts";
import { timestamp } from "../../../ingest/primitives.ts";
import { deliveryStateOf, deliveryStates, healthSchema, pauseReasons } from "../delivery-state.ts";
import { eventTypeById } from "../event-types.ts";
import { defineResource } from "../resource.ts";
import { externalId, freeForm, httpUrl, name, shortText } from "./shapes.ts";

export const eventTypeAnswer = z
  .object({
    id: z.string(),
    name: z.string(),
    internal_name: z.string(),
    description: z.string(),
  })
  .meta({ id: "EventType" });

/** Secrets that a webhook's requests are signed with: while one is rotated, the one before it, too. */
export const signingSchema = z
  .object({
    secret: z.string(),
    previous: z.object({ secret: z.string(), valid_until: timestamp }).nullable(),
  })
  .nullable();
export type Signing = NonNullable<z.infer<typeof signingSchema>>;

/** Requests at once to an endpoint; also for webhooks that are older than the field. */
const usualConcurrency = 10;
export const concurrencyOf = ({ concurrency = usualConcurrency }: { readonly concurrency?: number }): number =>
  concurrency;

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const asText = "what is no text is sent as its JSON, the [TAG_NAME]s in it filled.";
const bodyTypes = ["json", "form", "form_data", "urlencoded", "x-www-form-urlencoded", "application/json"];

/** Tells a customer's system of one kind of event: a request made of templates with `[TAG_NAME]`. */
export const outgoingWebhook = defineResource({
  type: "outgoing_webhook",
  path: "outgoing-webhooks",
  param: "webhook_id",
  title: { one: "outgoing webhook", many: "outgoing webhooks" },
  writable: z.object({
    name,
    description: z.string().max(2000).optional(),
    event_type_id: z.enum(callEventNames),
    url: httpUrl.regex(/^\S*$/, "must have no blanks").describe("http or https; it may hold [TAG_NAME]s."),
    method: z
      .string()
      .describe(`In any case, one of ${methods.join(", ")}.`)
      .transform((method) => method.toUpperCase())
      .pipe(z.enum(methods))
      .default("POST"),
    params: freeForm.default({}).describe(`Of the query; ${asText}`),
    headers: freeForm.default({}).describe(`By name; ${asText}`),
    body: freeForm.default({}),
    body_type: z
      .string()
      .describe(`In any case, one of ${bodyTypes.join(", ")}.`)
      .transform((type) => type.toLowerCase())
      .pipe(z.enum(bodyTypes))
      .default("json"),
    concurrency: z
      .number()
      .int()
      .min(1)
      .max(100)
      .default(usualConcurrency)
      .describe("Requests at once to its endpoint, the origin of the address, which other webhooks may share."),
    external_id: externalId,
  }),
  kept: { health: healthSchema, signing: signingSchema },
  pausable: true,
  readOnly: {
    event_type: eventTypeAnswer.nullable(),
    delivery_state: z.enum(deliveryStates),
    delivery_reason: z.enum(pauseReasons).nullable().describe("Why its deliveries wait."),
    failing_since: timestamp.nullable().describe("Since when every attempt has failed."),
    next_probe_at: timestamp.nullable().describe("When one delivery is tried, to see whether it works again."),
    is_signed: z.boolean(),
    previous_secret_until: timestamp.nullable(),
  },
  filters: { name: shortText.optional(), external_id: shortText.optional(), event_type_id: shortText.optional() },
  secrets: ["headers", "params", "body", "signing"],
  prepare: (written, { previous }) => ({
    ...written,
    health: previous?.health ?? null,
    signing: previous?.signing ?? null,
  }),
  view: ({ event_type_id, pause, health, signing }, { now }) => ({
    event_type: eventTypeById.get(event_type_id) ?? null,
    ...deliveryStateOf({ pause, health }, now),
    is_signed: signing != null,
    previous_secret_until: signing?.previous?.valid_until ?? null,
    health: undefined,
    signing: undefined,
  }),
  example: {
    name: "Tell the CRM",
    event_type_id: "call.completed",
    url: "https://crm.example/calls",
    headers: { Authorization: "Bearer CREDENTIAL" },
    body: { call: "[CALL_ID]", revenue: "[REVENUE_PAID_OUT]" },
  },
});
