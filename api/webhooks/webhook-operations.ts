import { v4 as uuidv4 } from "uuid";
import { z } from "zod";
import type { Clock } from "../../ingest/clock.ts";
import type { CallEvent } from "../../ingest/event.ts";
import type { EventLog } from "../../ingest/log/log.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import { answerSchema } from "../config/resource.ts";
import { actorOf } from "../config/resource-operations.ts";
import type { Signing } from "../config/resources/outgoing-webhook.ts";
import { outgoingWebhook } from "../config/resources/outgoing-webhook.ts";
import type { ResourceService } from "../config/service.ts";
import type { Snapshot } from "../config/snapshot.ts";
import { placeholdersOf } from "../outbound/webhook-placeholders.ts";
import { conflict, notFound } from "../serve/errors.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";
import { type AttemptDeps, type Attempted, attempt, prepare, type Webhook } from "./deliver/attempt.ts";
import { exampleCallId, exampleEvent } from "./deliver/example-event.ts";
import { publishRecords } from "./deliver/record.ts";
import { newSigningSecret, overlapMs, rotated } from "./deliver/sign.ts";
import { literalTags } from "./deliver/template.ts";
import { toWholeRecord, wholeOutgoingRecord } from "./history-records.ts";
import { readStoredEvent } from "./redeliver/stored-event.ts";

export interface WebhookOperationsDeps {
  readonly service: ResourceService;
  readonly snapshot: Pick<Snapshot, "config">;
  readonly warehouse: Pick<Warehouse, "query">;
  readonly delivery: { readonly attempts: AttemptDeps; readonly log: Pick<EventLog, "publish"> };
  readonly clock: Clock;
}

const params = z.object({ webhook_id: z.string().min(1).max(255) });
const about = { access: "api_key", limit: "api", status: 200, tag: "Outgoing webhooks", params } as const;
const one = "/api/v1/outgoing-webhooks/{webhook_id}";
const body = z.object({
  call_id: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe("A call whose data fill the template, as they now stand; without it, those of an invented one."),
});

/** Operations of an outgoing webhook beside create, list, get, patch, delete and pause. */
export const webhookOperations = (deps: WebhookOperationsDeps): Operation[] => [
  ...webhookTrials(deps),
  ...signingSecrets(deps),
];

/** Its request filled, and sent once. */
export const webhookTrials = (deps: WebhookOperationsDeps): Operation[] => [preview(deps), test(deps)];

const preview = (deps: WebhookOperationsDeps): Operation =>
  defineOperation({
    ...about,
    method: "post",
    path: `${one}/preview`,
    name: "previewOutgoingWebhook",
    changes: false,
    // Its headers may hold secrets of the receiver.
    right: "write",
    summary: "Fill the template of an outgoing webhook, and send nothing",
    body,
    bodyOptional: true,
    example: {},
    answer: z.object({
      call_id: z.string(),
      event_type_id: z.string(),
      method: z.string(),
      url: z.string(),
      headers: z.record(z.string(), z.string()),
      body: z.string().nullable(),
      unpopulated: z.array(z.string()).describe("Tags that stand there literally: the event does not know them."),
      error: z.string().nullable().describe("Why the template cannot be filled."),
    }),
    errors: [404, 503],
    async handle({ caller: { orgId }, params: { webhook_id }, body: { call_id } }) {
      const webhook = find(deps, orgId, webhook_id);
      const event = await eventFor(deps, webhook, call_id);
      const prepared = prepare({ webhook, event, deliveryId: "", attempt: 1, trigger: "manual" });
      const { method, url, headers, body } = prepared.request;
      const known = { call_id: event.call_id, event_type_id: event.event, method, url, headers, body };
      return {
        ...known,
        unpopulated: literalTags(webhook, placeholdersOf(event)),
        error: prepared.unfilled?.error ?? null,
      };
    },
  });

/** A test is refused when its endpoint's queue takes longer. */
const longestWaitMs = 10_000;

const test = (deps: WebhookOperationsDeps): Operation =>
  defineOperation({
    ...about,
    method: "post",
    path: `${one}/test`,
    name: "testOutgoingWebhook",
    summary: "Send an outgoing webhook once, whether or not it is paused, and answer with the record",
    body,
    bodyOptional: true,
    example: {},
    answer: wholeOutgoingRecord,
    errors: [404, 409, 503],
    async handle({ caller: { orgId }, params: { webhook_id }, body: { call_id }, signal }) {
      const { attempts, log } = deps.delivery;
      const webhook = find(deps, orgId, webhook_id);
      const event = await eventFor(deps, webhook, call_id);
      const askedAt = deps.clock.now();
      const mayStart = () => !signal.aborted && deps.clock.now() - askedAt < longestWaitMs;
      const prepared = prepare({ webhook, event, deliveryId: uuidv4(), attempt: 1, trigger: "manual" });
      const withoutRetries = { ...attempts, schedule: { ...attempts.schedule, pausesMs: [] } };
      const store = async ({ record }: Attempted) => void (await publishRecords(log, [record]));
      const attempted = await attempt(withoutRetries, prepared, { mayStart, store });
      if (attempted === null) throw conflict("Other deliveries take all the places of this endpoint; try again later.");
      return toWholeRecord(attempted.record);
    },
  });

function signingSecrets({ service }: WebhookOperationsDeps): Operation[] {
  const shared = { ...about, path: `${one}/signing-secret`, errors: [404] } as const;
  const answer = answerSchema(outgoingWebhook);
  return [
    defineOperation({
      ...shared,
      method: "post",
      name: "createSigningSecret",
      summary: `Sign an outgoing webhook's requests, or with a new secret; the one before stays good for ${overlapMs / 3_600_000} hours`,
      answer: answer.extend({ signing_secret: z.string().describe("Shown this once.") }),
      async handle(request) {
        const secret = newSigningSecret();
        const shown = await service.edit(outgoingWebhook, actorOf(request), {
          id: request.params.webhook_id,
          action: "rotate_key",
          apply: (doc, now) => ({ ...doc, signing: rotated((doc["signing"] ?? null) as Signing | null, secret, now) }),
        });
        return { ...shown, signing_secret: secret };
      },
    }),
    defineOperation({
      ...shared,
      method: "delete",
      name: "deleteSigningSecret",
      summary: "Sign an outgoing webhook's requests no more",
      answer,
      handle: (request) =>
        service.edit(outgoingWebhook, actorOf(request), {
          id: request.params.webhook_id,
          action: "rotate_key",
          apply: (doc) => (doc["signing"] == null ? doc : { ...doc, signing: null }),
        }),
    }),
  ];
}

function find({ snapshot }: WebhookOperationsDeps, orgId: OrgId, id: string): Webhook {
  const webhook = snapshot.config(orgId)?.get("outgoing_webhook", id);
  if (webhook === undefined) throw notFound(`The outgoing webhook ${id}`);
  return webhook;
}

async function eventFor(
  { warehouse, clock }: WebhookOperationsDeps,
  { org_id: orgId, event_type_id: name }: Webhook,
  callId: string | undefined,
): Promise<CallEvent> {
  if (callId === undefined || callId === exampleCallId) return exampleEvent(orgId, name, clock.now());
  const event = await readStoredEvent(warehouse, { orgId, callId, name });
  if (event === null) throw notFound(`The call ${callId}`);
  return event;
}
