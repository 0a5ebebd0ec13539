import { z } from "zod";
import { defineOperation, type Operation } from "../serve/operation.ts";
import { pageQuery, toPage } from "../serve/pages.ts";
import { eventTypes } from "./event-types.ts";
import { answerSchema } from "./resource.ts";
import { actorOf, type ConfigOperationsDeps, listAnswer, withAddresses } from "./resource-operations.ts";
import { buyer } from "./resources/buyer.ts";
import { incomingWebhook, newAuthKey } from "./resources/incoming-webhook.ts";
import { eventTypeAnswer } from "./resources/outgoing-webhook.ts";
import { target } from "./resources/target.ts";

const id = z.string().min(1).max(64);
const about = { access: "api_key", limit: "api", status: 200 } as const;

/** Operations of single resource types beside create, list, get, patch and delete. */
export const customOperations = (deps: ConfigOperationsDeps): Operation[] => [
  listEventTypes,
  rotateAuthKey(deps),
  listTargetsOfBuyer(deps),
];

const listEventTypes = defineOperation({
  ...about,
  method: "get",
  path: "/api/v1/event-types",
  tag: "Outgoing webhooks",
  name: "listEventTypes",
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
    name: "rotateIncomingWebhookKey",
    summary: "Give an incoming webhook a new auth_key; the old one is dead at once",
    answer: answerSchema(incomingWebhook),
    errors: [404, 409],
    async handle(request) {
      const rotated = await service.edit(incomingWebhook, actorOf(request), {
        id: request.params.webhook_id,
        action: "rotate_key",
        apply: (doc) => ({ ...doc, auth_key: newAuthKey() }),
      });
      return withAddresses(incomingWebhook, rotated, request);
    },
  });

const listTargetsOfBuyer = ({ service }: ConfigOperationsDeps): Operation =>
  defineOperation({
    ...about,
    method: "get",
    path: "/api/v1/buyers/{buyer_id}/targets",
    params: z.object({ buyer_id: id }),
    tag: "Buyers",
    name: "listTargetsOfBuyer",
    summary: "List the targets of a buyer",
    query: pageQuery,
    answer: listAnswer(target),
    errors: [404],
    async handle({ caller, params: { buyer_id }, query: { limit, offset, sort_direction } }) {
      await service.get(buyer, caller.orgId, buyer_id);
      const options = { limit, offset, direction: sort_direction, filters: { buyer_id } };
      const { items, total } = await service.list(target, caller.orgId, options);
      return toPage(items, total, { limit, offset });
    },
  });
