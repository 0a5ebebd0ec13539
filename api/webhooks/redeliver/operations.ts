import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import { type Clock, isoTime } from "../../../ingest/clock.ts";
import { deliveryOutcomes } from "../../../ingest/delivery.ts";
import { callEventNames } from "../../../ingest/event.ts";
import { timestamp } from "../../../ingest/primitives.ts";
import { findOutgoingRequest } from "../../../warehouse/history/history.ts";
import type { Warehouse } from "../../../warehouse/warehouse.ts";
import type { Dialects } from "../../app-context.ts";
import type { Snapshot } from "../../config/snapshot.ts";
import { conflict, notFound, ValidationError } from "../../serve/errors.ts";
import { defineOperation, type Operation } from "../../serve/operation.ts";
import { pageOf, pageQuery, toPage } from "../../serve/pages.ts";
import { toTimeRange } from "../../serve/time-range.ts";
import type { Pending } from "../deliver/pending.ts";
import { deliveryIdOf } from "../deliver/record.ts";
import type { RedeliveryRow } from "../redelivery-rows.ts";
import { type Redeliveries, readFilter, redeliveryFilter, toPendingRedelivery } from "./redeliveries.ts";
import { readStoredEvent } from "./stored-event.ts";

export interface RedeliverOperationsDeps {
  readonly snapshot: Pick<Snapshot, "config">;
  readonly warehouse: Pick<Warehouse, "query">;
  readonly dialects: Pick<Dialects, "report">;
  readonly delivery: { readonly pending: Pick<Pending, "enter">; readonly redeliveries: Omit<Redeliveries, "close"> };
  readonly clock: Clock;
}

const about = { access: "api_key", limit: "api", status: 200, tag: "Webhook history" } as const;
const base = "/api/v1/webhooks/redeliveries";
const one = {
  ...about,
  path: `${base}/{redelivery_id}`,
  params: z.object({ redelivery_id: z.string().min(1).max(64) }),
};

/** Strict: a misspelt filter, or null for one, would send all again. */
const filter = z.strictObject({
  start_date: timestamp.exactOptional(),
  end_date: timestamp.exactOptional(),
  webhook_id: redeliveryFilter.shape.webhook_id,
  event_type_id: redeliveryFilter.shape.event_type_id,
  call_id: redeliveryFilter.shape.call_id,
  outcome: z.enum(deliveryOutcomes).exactOptional(),
  include_delivered: z
    .boolean()
    .exactOptional()
    .describe("Deliveries that came through in the end, or are to be tried again anyway, too."),
});

const count = z.int().min(0);
const states = ["running", "done", "cancelled"] as const;
const answer = z.object({
  id: z.string(),
  state: z.enum(states),
  filter: redeliveryFilter,
  count: count.describe("Deliveries that matched when it was asked for."),
  queued: count,
  delivered: count,
  failed: count,
  created_at: timestamp,
  updated_at: timestamp,
});
const counted = z.object({ id: z.null(), state: z.literal("counted"), filter: redeliveryFilter, count });

/** Deliveries once more: one, or all that match. */
export const redeliverOperations = (deps: RedeliverOperationsDeps): Operation[] => [
  redeliverOne(deps),
  ...redeliverMany(deps),
];

export const redeliverMany = (deps: RedeliverOperationsDeps): Operation[] => [
  startMany(deps),
  listMany(deps),
  readMany(deps),
  cancelMany(deps),
];

export const redeliverOne = (deps: RedeliverOperationsDeps): Operation =>
  defineOperation({
    ...about,
    method: "post",
    path: "/api/v1/webhooks/outgoing-requests/{request_id}/redeliver",
    params: z.object({ request_id: z.string().min(1).max(255) }),
    name: "redeliver",
    summary: "Deliver once more what a record tells of: by the webhook as it is, with what is known of the call",
    answer: z.object({
      success: z.literal(true),
      delivery_id: z.string().describe("What its records have, too."),
      outgoing_webhook_config_id: z.string(),
      call_id: z.string(),
    }),
    errors: [404, 409, 503],
    async handle({ caller, params: { request_id } }) {
      const { orgId } = caller;
      const history = { warehouse: deps.warehouse, dialect: deps.dialects.report };
      const record = await findOutgoingRequest(history, orgId, request_id);
      if (record === null) throw notFound(`The request ${request_id}`);
      const webhookId = String(record.outgoing_webhook_config_id);
      const webhook = deps.snapshot.config(orgId)?.get("outgoing_webhook", webhookId);
      if (webhook === undefined) throw conflict(`The outgoing webhook ${webhookId} was deleted.`);
      const name = callEventNames.find((each) => each === record.event_type_id) ?? webhook.event_type_id;
      const eventId = record.event_id === null ? undefined : String(record.event_id);
      const sought = { orgId, callId: String(record.call_id), name, eventId };
      const event = await readStoredEvent(deps.warehouse, sought);
      if (event === null) throw conflict("The call of this request is in no store: it was an example, or is too old.");
      const deliveryId = deliveryIdOf(event, webhook);
      const request = { id: uuidv7(), deliveryId, redeliveryId: null, event, webhook, now: deps.clock.now() };
      await deps.delivery.pending.enter(toPendingRedelivery(request), null);
      const answered = { delivery_id: deliveryId, outgoing_webhook_config_id: webhookId, call_id: event.call_id };
      return { success: true, ...answered } as const;
    },
  });

const startMany = (deps: RedeliverOperationsDeps): Operation =>
  defineOperation({
    ...about,
    method: "post",
    path: base,
    name: "createRedelivery",
    summary: "Deliver once more all that matches and has not come through; with dry_run, only count it",
    body: z.strictObject({ filter, dry_run: z.boolean().exactOptional() }),
    example: { filter: { event_type_id: "call.completed", outcome: "refused" }, dry_run: true },
    answer: z.union([answer, counted]),
    errors: [409, 503],
    async handle({ caller: { orgId }, body }) {
      const { webhook_id } = body.filter;
      if (webhook_id && !deps.snapshot.config(orgId)?.get("outgoing_webhook", webhook_id)) {
        const issue = { loc: ["body", "filter", "webhook_id"], msg: `There is no outgoing webhook ${webhook_id}.` };
        throw new ValidationError([{ ...issue, type: "reference_not_found", input: webhook_id }]);
      }
      const { from, to } = toTimeRange(body.filter, deps.clock.now());
      const times = { start_date: from.toISOString(), end_date: to.toISOString() };
      const asked = redeliveryFilter.parse({ ...body.filter, ...times });
      if (body.dry_run) {
        return {
          id: null,
          state: "counted",
          filter: asked,
          count: await deps.delivery.redeliveries.count(orgId, asked),
        } as const;
      }
      const started = await deps.delivery.redeliveries.start(orgId, asked);
      if (started === null) throw conflict("Other redeliveries are running; wait for one to end, or cancel it.");
      return toAnswer(started);
    },
  });

const listMany = ({ delivery }: RedeliverOperationsDeps): Operation =>
  defineOperation({
    ...about,
    method: "get",
    path: base,
    name: "listRedeliveries",
    summary: "Redeliveries of many, the newest first: how far each is, and what it came to",
    query: pageQuery.omit({ sort_direction: true }).extend({
      webhook_id: z.string().min(1).max(255).optional().describe("Those of this outgoing webhook alone."),
    }),
    answer: pageOf(answer),
    async handle({ caller: { orgId }, query: { webhook_id, ...page } }) {
      const { rows, total } = await delivery.redeliveries.list(orgId, { ...page, webhookId: webhook_id ?? null });
      return toPage(rows.map(toAnswer), total, page);
    },
  });

const readMany = ({ delivery }: RedeliverOperationsDeps): Operation =>
  defineOperation({
    ...one,
    method: "get",
    name: "getRedelivery",
    summary: "How far a redelivery of many is",
    answer,
    errors: [404],
    handle: async ({ caller, params }) =>
      toAnswer(mustBe(await delivery.redeliveries.find(caller.orgId, params.redelivery_id), params.redelivery_id)),
  });

const cancelMany = ({ delivery }: RedeliverOperationsDeps): Operation =>
  defineOperation({
    ...one,
    method: "delete",
    name: "cancelRedelivery",
    summary: "Cancel a redelivery of many: what is not under way stays undelivered",
    answer,
    errors: [404],
    handle: async ({ caller, params }) =>
      toAnswer(mustBe(await delivery.redeliveries.cancel(caller.orgId, params.redelivery_id), params.redelivery_id)),
  });

function mustBe(row: RedeliveryRow | null, id: string): RedeliveryRow {
  if (row === null) throw notFound(`The redelivery ${id}`);
  return row;
}

function toAnswer(redelivery: RedeliveryRow): z.output<typeof answer> {
  const { id, state, createdAt, updatedAt, count, queued, delivered, failed } = redelivery;
  const isDone = state === "queued" && delivered + failed >= queued;
  return {
    id,
    state: state === "cancelled" ? state : isDone ? "done" : "running",
    count,
    queued,
    delivered,
    failed,
    filter: readFilter(redelivery),
    created_at: isoTime(createdAt),
    updated_at: isoTime(updatedAt),
  };
}
