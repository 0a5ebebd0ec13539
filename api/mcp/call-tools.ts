import { z } from "zod";
import { callStatuses } from "../../ingest/call.ts";
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
import { defineTool, type Tool, type ToolAnswer } from "./tool.ts";

const id = z.string().min(1).max(255);
const call_id = id.describe("The call's id.");

/** Fields of a call in a list; `call` shows the rest. */
const listed = [
  ...["call_id", "started_at", "status", "failure_reason", "caller_id", "caller_state", "number"],
  ...["campaign_id", "campaign_name", "publisher_id", "publisher_name", "buyer_id", "buyer_name"],
  ...["target_id", "target_name", "connected_at", "ended_at", "duration", "connect_duration", "attempts"],
  ...["revenue", "payout", "profit", "converted", "is_duplicate", "tags"],
];

const entries = z.object({ data: z.array(z.looseObject({ seq: z.number() })) });

/** The entries after one, as many as are wanted. */
function toEntries(
  answer: ToolAnswer,
  { after, limit }: { readonly after: number; readonly limit: number },
): ToolAnswer {
  const { data } = entries.parse(answer);
  const rest = data.filter(({ seq }) => seq > after);
  const shown = rest.slice(0, limit);
  const next = shown.length < rest.length ? (shown.at(-1)?.seq ?? null) : null;
  return {
    ...answer,
    data: shown,
    total: data.length,
    next_after: next,
    truncated: answer["truncated"] || next !== null,
  };
}

/** The call log, one call whole, and what happened to it. */
export const callTools: readonly Tool[] = [
  defineTool({
    name: "calls",
    title: "List calls",
    description:
      "The call log, newest first, of the last 24 hours unless a range is given (a year at the most). For figures over many calls use ask instead. Ids of campaigns, publishers, buyers and targets are in the rows, beside their names.",
    operation: { user: "listCallsForUser", api_key: "listCalls" },
    input: z.object({
      ...timeRange,
      caller_id: id.optional().describe("The caller's phone number."),
      number: id.optional().describe("The number that was called."),
      campaign_id: id.optional(),
      publisher_id: id.optional(),
      buyer_id: id.optional(),
      target_id: id.optional(),
      status: z.enum(callStatuses).optional(),
      failure_reason: id.optional().describe("Why calls were not connected, such as no_eligible_route."),
      live: z.boolean().optional().describe("True for calls in progress, false for those that have ended."),
      converted: z.boolean().optional(),
      duplicate: z.boolean().optional(),
      min_duration: z.int().min(0).optional().describe("Whole seconds, menus included."),
      tags: z
        .record(z.string().min(1).max(64), z.string().max(1024))
        .optional()
        .describe('Calls with these values of tags, such as {"utm_source": "radio"}; 10 at the most.'),
      sort_direction,
      limit,
      cursor,
    }),
    toRequest: ({ tags = {}, ...filters }) => ({
      ...filters,
      ...Object.fromEntries(Object.entries(tags).map(([key, value]) => [`tag.${key}`, value])),
    }),
    toSchema: (answer) => pageSchema(answer, listed, "next_cursor"),
    toAnswer: toPageAnswer,
    summarize: summarizePage("calls"),
    boundsOf: () => pageBounds,
  }),
  defineTool({
    name: "call",
    title: "Show one call",
    description:
      "One call with all that is known of it: what became of it and why, its terms and how they were judged, the destinations that were considered with the reasons against them, bids, and webhooks sent and received. call_timeline has what happened in order.",
    operation: { user: "getCallDetailsForUser", api_key: "getCallDetails" },
    input: z.object({ call_id }),
    // The timeline is a tool of its own, which can be read on.
    toSchema: (answer) => answer.omit({ timeline: true }),
    summarize: ({ call }) => summarizeCall(callSeen.parse(call)),
  }),
  defineTool({
    name: "call_timeline",
    title: "What happened to a call",
    description: "Everything that happened to one call, in order: routing, bids, dialing, marks, conversion, webhooks.",
    operation: { user: "getCallTimelineForUser", api_key: "getCallTimeline" },
    input: z.object({
      call_id,
      after: z.int().min(0).default(0).describe("next_after of an answer, to go on after it."),
      limit: z.int().min(1).max(100).default(50).describe("Entries to show."),
    }),
    toSchema: (answer) =>
      answer.extend({
        total: z.int().describe("Entries of the whole timeline."),
        next_after: z.int().nullable().describe("Pass it as after to go on; null at the end."),
      }),
    toAnswer: toEntries,
    summarize({ call_id, data, total, next_after }) {
      const counted = `${(data as readonly unknown[]).length} of ${String(total)} entries of call ${String(call_id)}.`;
      return next_after === null ? counted : `${counted} Pass after ${String(next_after)} to go on.`;
    },
    boundsOf: () => ({ whole: ["data"] }),
  }),
];

const callSeen = z.object({
  call_id: z.string(),
  status: z.string(),
  started_at: z.string(),
  failure_reason: z.string().nullable(),
  target_name: z.string().nullable(),
  connect_duration: z.number().nullable(),
  revenue: z.number().nullable(),
  payout: z.number().nullable(),
});

function summarizeCall(call: z.infer<typeof callSeen>): string {
  const said = [
    `Call ${call.call_id} of ${call.started_at}: ${call.status}`,
    ...(call.failure_reason === null ? [] : [`not connected because of ${call.failure_reason}`]),
    ...(call.target_name === null ? [] : [`taken by ${call.target_name}`]),
    ...(call.connect_duration === null ? [] : [`talked for ${call.connect_duration} s`]),
    ...(call.revenue === null ? [] : [`revenue ${call.revenue}`]),
    ...(call.payout === null ? [] : [`payout ${call.payout}`]),
  ];
  return `${said.join(", ")}.`;
}
