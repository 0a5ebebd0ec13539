import { z } from "zod";
import { actorName } from "../serve/caller.ts";
import { notFound } from "../serve/errors.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";
import { pageQuery, toPage } from "../serve/pages.ts";
import { eventTypes } from "./event-types.ts";
import type { Document } from "./fields.ts";
import { actorOf, type ConfigOperationsDeps } from "./operation-parts.ts";
import { listAnswer } from "./operations.ts";
import { isPaused, type PauseState, pauseSchema, toPauseState } from "./pause.ts";
import { answerSchema } from "./resource.ts";
import { buyer } from "./resources/buyer.ts";
import { campaign } from "./resources/campaign.ts";
import { incomingWebhook, newAuthKey } from "./resources/incoming-webhook.ts";
import { eventTypeAnswer } from "./resources/outgoing-webhook.ts";
import { target } from "./resources/target.ts";

const id = z.string().min(1).max(64);
const about = { access: "api_key", limit: "api", status: 200 } as const;

/** What single kinds of resource have beside create, list, get, patch and delete (semantics 7.1). */
export function specialOperations(deps: ConfigOperationsDeps): Operation[] {
  return [listEventTypes, rotateAuthKey(deps), listTargetsOfBuyer(deps), ...pauseNumber(deps)];
}

const listEventTypes = defineOperation({
  ...about,
  method: "get",
  path: "/api/v1/event-types",
  tag: "Outgoing webhooks",
  summary: "List the events that an outgoing webhook can be told of",
  answer: z.object({ data: z.array(eventTypeAnswer) }),
  handle: async () => ({ data: eventTypes }),
});

const rotateAuthKey = ({ service }: ConfigOperationsDeps): Operation =>
  defineOperation({
    ...about,
    method: "post",
    path: "/api/v1/incoming-webhooks/{webhook_id}/rotate-key",
    params: z.object({ webhook_id: id }),
    tag: "Incoming webhooks",
    summary: "Give an incoming webhook a new auth_key; the old one is dead at once",
    answer: answerSchema(incomingWebhook),
    errors: [404, 409],
    handle: (request) =>
      service.edit(incomingWebhook, actorOf(request), {
        id: request.params.webhook_id,
        action: "rotate_key",
        apply: (doc) => ({ ...doc, auth_key: newAuthKey() }),
      }),
  });

const listTargetsOfBuyer = ({ service }: ConfigOperationsDeps): Operation =>
  defineOperation({
    ...about,
    method: "get",
    path: "/api/v1/buyers/{buyer_id}/targets",
    params: z.object({ buyer_id: id }),
    tag: "Buyers",
    summary: "List the targets of a buyer",
    query: pageQuery,
    answer: listAnswer(target),
    errors: [404],
    async handle({ caller, params: { buyer_id }, query: { limit, offset, sort_direction } }) {
      await service.get(buyer, caller.orgId, buyer_id);
      const options = { limit, offset, direction: sort_direction, filters: { buyer_id } };
      const { views, total } = await service.list(target, caller.orgId, options);
      return toPage(views, total, { limit, offset });
    },
  });

/** A number of a campaign is paused by its row; the campaign's own writes never touch that. */
function pauseNumber({ service, clock }: ConfigOperationsDeps): Operation[] {
  const shared = {
    ...about,
    path: "/api/v1/campaigns/{campaign_id}/numbers/{row_id}/pause",
    params: z.object({ campaign_id: id, row_id: id }),
    tag: "Campaigns",
    answer: answerSchema(campaign),
    errors: [404, 409],
  } as const;
  return [
    defineOperation({
      ...shared,
      method: "post",
      summary: "Pause a number of a campaign",
      body: pauseSchema(clock.now),
      bodyOptional: true,
      example: { duration_minutes: 60 },
      handle: (request) =>
        service.edit(campaign, actorOf(request), {
          id: request.params.campaign_id,
          action: "pause",
          apply(doc, now) {
            const pause = toPauseState(request.body, actorName(request.caller), now);
            return setRowPause(doc, { rowId: request.params.row_id, pause, now });
          },
        }),
    }),
    defineOperation({
      ...shared,
      method: "delete",
      summary: "Resume a number of a campaign",
      handle: (request) =>
        service.edit(campaign, actorOf(request), {
          id: request.params.campaign_id,
          action: "resume",
          apply: (doc, now) => setRowPause(doc, { rowId: request.params.row_id, pause: null, now }),
        }),
    }),
  ];
}

interface RowPause {
  readonly rowId: string;
  /** null resumes. */
  readonly pause: PauseState | null;
  readonly now: number;
}

/** The campaign with one of its number rows paused or resumed; 404 when it has no such row. */
export function setRowPause(doc: Document, { rowId, pause, now }: RowPause): Document {
  const rows = doc.number_group_items as { id: string; pause?: PauseState | null }[];
  const found = rows.find(({ id }) => id === rowId);
  if (found === undefined) throw notFound(`The number row ${rowId} of this campaign`);
  if (pause === null && !isPaused(found.pause, now)) return doc;
  return { ...doc, number_group_items: rows.map((row) => (row.id === rowId ? { ...row, pause } : row)) };
}
