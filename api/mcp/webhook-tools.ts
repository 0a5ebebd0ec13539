import { z } from "zod";
import { deliveryOutcomes } from "../../ingest/delivery.ts";
import { callEventNames } from "../../ingest/event.ts";
import {
  cursor,
  limit,
  pageBounds,
  pageSchema,
  sort_direction,
  summarizePage,
  timeRange,
  toPageAnswer,
} from "./lists.ts";
import { defineTool, type Tool } from "./tool.ts";

const id = z.string().min(1).max(255);

const filters = {
  ...timeRange,
  call_id: id.optional().describe("Of one call."),
  webhook_id: id.optional().describe("Of one webhook."),
  response_status: z
    .string()
    .max(4)
    .optional()
    .describe("A status such as 404, a class such as 5xx, or none where no answer came."),
  text: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("A part of the address, the body, the answer's body, the webhook's name or the call's id."),
};
const paging = { sort_direction, limit, cursor };

const request_id = id.describe("The id of a row of the list.");
const exchange = ["id", "created_at", "webhook_config_name", "method", "path", "response_status_code"];
const sent = [...exchange, "outgoing_webhook_config_id", "event_type_id", "response_time_ms", "body", "response_body"];
const received = [
  ...[...exchange, "incoming_webhook_config_id", "webhook_config_type", "call_log_id", "transaction_id"],
  ...["query_string", "body", "response_body"],
];
/** Without a range, filters look through the whole history. */
const bounded = "Give start_date where you can: a filter is slower over the whole history.";

const page = { toAnswer: toPageAnswer, boundsOf: () => pageBounds } as const;

/** The histories of requests to and from the organization's systems. */
export const webhookTools: readonly Tool[] = [
  defineTool({
    ...page,
    name: "deliveries",
    title: "List webhook deliveries",
    description: `Attempts at outgoing webhooks, newest first, with what was sent and answered; delivery shows one whole, with its error and next attempt. ${bounded}`,
    operation: { user: "listDeliveriesForUser", api_key: "listDeliveries" },
    input: z.object({
      ...filters,
      event_type_id: z.enum(callEventNames).optional().describe("Of one type of event."),
      outcome: z.enum(deliveryOutcomes).optional().describe("How the attempt ended."),
      ...paging,
    }),
    toSchema: (answer) => pageSchema(answer, sent, "next_cursor"),
    summarize: summarizePage("delivery attempts"),
  }),
  defineTool({
    name: "delivery",
    title: "Show one webhook delivery",
    description:
      "One attempt at an outgoing webhook: its request and answer, outcome, error, and when it is tried again.",
    operation: { user: "getDeliveryForUser", api_key: "getDelivery" },
    input: z.object({ request_id }),
    toSchema: (answer) => answer,
    summarize: ({ webhook_config_name, created_at, outcome, error, next_attempt_at }) =>
      [
        `${String(webhook_config_name)} at ${String(created_at)}: ${String(outcome)}.`,
        ...(error === null ? [] : [String(error)]),
        ...(next_attempt_at === null ? [] : [`It is tried again at ${String(next_attempt_at)}.`]),
      ].join(" "),
  }),
  defineTool({
    ...page,
    name: "received_requests",
    title: "List received webhooks",
    description: `Requests of other systems to the incoming webhooks, newest first; received_request shows one whole. ${bounded}`,
    operation: { user: "listIncomingRequestsForUser", api_key: "listIncomingRequests" },
    input: z.object({ ...filters, transaction_id: id.optional().describe("Of one transaction."), ...paging }),
    toSchema: (answer) => pageSchema(answer, received, "next_cursor"),
    summarize: summarizePage("received requests"),
  }),
  defineTool({
    name: "received_request",
    title: "Show one received webhook",
    description: "One request to an incoming webhook, with its headers, its body and what was answered.",
    operation: { user: "getIncomingRequestForUser", api_key: "getIncomingRequest" },
    input: z.object({ request_id }),
    toSchema: (answer) => answer,
    summarize: ({ webhook_config_name, created_at, response_status_code }) =>
      `${String(webhook_config_name)} at ${String(created_at)}: answered ${String(response_status_code)}.`,
  }),
];
