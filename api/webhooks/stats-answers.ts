import { z } from "zod";
import { deliveryOutcomes } from "../../ingest/delivery.ts";
import { timestamp } from "../../ingest/primitives.ts";
import { deliveryStates, pauseReasons } from "../config/delivery-state.ts";
import { incomingWebhook } from "../config/resources/incoming-webhook.ts";
import { outgoingWebhook } from "../config/resources/outgoing-webhook.ts";
import { pageOf } from "../serve/pages.ts";

const text = z.string().nullable();
const count = z.int();
const rate = z.number().nullable();
const p95 = z.number().nullable().describe("Milliseconds within which 95 of 100 answers came; null without answers.");
const failure = { id: z.string().describe("Of its record in the history."), at: timestamp };
const status = z.int().nullable().describe("null: no answer came.");

const outgoingStats = z
  .object({
    attempts: count.describe("Requests that were sent, or tried to be; each retry is one."),
    delivered: count,
    failed: count.describe("Attempts that were not delivered."),
    unsent: count.describe("Deliveries that ended without an attempt: they waited too long, or lost their webhook."),
    success_rate: rate.describe("Delivered attempts of all, from 0 to 1; null without attempts."),
    p95_ms: p95,
    last_attempt_at: timestamp.nullable(),
    last_failure: z
      .object({
        ...failure,
        call_id: text,
        event_type_id: text,
        outcome: z.enum(deliveryOutcomes),
        response_status_code: status,
        error: text.describe("The error in words, where no answer came."),
      })
      .nullable(),
  })
  .nullable()
  .describe("Of the period; null: the warehouse cannot be read now, or there is none.");

const incomingStats = z
  .object({
    requests: count,
    accepted: count,
    matched: count.describe("Accepted requests that found their call."),
    refused: count.describe("Requests that were answered 400 or above."),
    acceptance_rate: rate.describe("Accepted requests of all, from 0 to 1; null without requests."),
    p95_ms: p95,
    last_request_at: timestamp.nullable(),
    last_refusal: z.object({ ...failure, response_status_code: status, response_body: text }).nullable(),
  })
  .nullable()
  .describe("Of the period; null: the warehouse cannot be read now, or there is none.");

const waiting = z
  .object({
    count: count.describe("Deliveries that go out once it is resumed."),
    oldest_at: timestamp.describe("Since when the first of them has waited."),
    expires_at: timestamp.describe("When that one is given up unsent, unless it goes out before."),
  })
  .nullable()
  .describe("What waits while it is paused; null: nothing does.");

const attached = z
  .object({
    count,
    data: z.array(z.object({ kind: z.enum(["campaign", "target", "rtb_formula"]), id: z.string(), name: z.string() })),
  })
  .describe("What names it, ten of it by name.");

/** An outgoing webhook with its state and its figures. */
export const outgoingRow = z.object({
  id: z.string(),
  name: z.string(),
  event_type_id: outgoingWebhook.writable.shape.event_type_id,
  method: z.string(),
  url: z.string().describe("With its [TAG_NAME]s; a password in it is masked."),
  is_signed: z.boolean(),
  delivery_state: z.enum(deliveryStates),
  delivery_reason: z.enum(pauseReasons).nullable().describe("Why its deliveries wait."),
  failing_since: timestamp.nullable().describe("Since when every attempt has failed."),
  next_probe_at: timestamp.nullable().describe("When one delivery is tried, to see whether it works again."),
  is_paused: z.boolean(),
  paused_at: timestamp.nullable(),
  paused_until: timestamp.nullable(),
  paused_by: text.describe("`api_key:<id>`, `user:<id>`, or the platform."),
  waiting,
  attached_to: attached,
  stats: outgoingStats,
});

/** An incoming webhook with its address and its figures. */
export const incomingRow = z.object({
  id: z.string(),
  name: z.string(),
  type: incomingWebhook.writable.shape.type.unwrap(),
  url: text.describe("Where its requests are sent, with its key; null for users who are no admins."),
  attached_to: attached.describe(
    "Campaigns that name it: it is about their calls alone; without any, about all calls.",
  ),
  stats: incomingStats,
});

/** A page of them, with the period of the figures. */
export const listOf = (row: z.ZodObject) =>
  pageOf(row).extend({
    start_date: timestamp.describe("Beginning of the figures' period."),
    end_date: timestamp.describe("Its end, which is not in it."),
    may_change: z.boolean().describe("Whether you may pause, resume, test and send again: keys and admins may."),
  });
