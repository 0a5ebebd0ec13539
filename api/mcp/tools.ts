import { z } from "zod";
import { describeFault } from "../../ingest/fault.ts";
import type { Operation } from "../serve/operation.ts";

/** A tool of the Model Context Protocol: an operation of the API with a name and description for models. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodRawShape;
  /** The operation behind the tool. */
  readonly operation: Pick<Operation, "method" | "path">;
  /** The part of the request that the tool's input becomes. */
  readonly place: "body" | "params" | "none";
}

/** The protocol's library validates the input first, so its errors need readable messages, too. */
const readable = { error: describeFault };
const sessionId = z
  .string(readable)
  .max(64, readable)
  .optional()
  .describe("The session_id of an answer, to follow up on it.");
const query = { method: "post", path: "/reporting_ai/query" } as const;

export const tools: readonly Tool[] = [
  {
    name: "catalog",
    title: "What can be asked about",
    description:
      "Every measure, dimension, fact and unit of time over calls, webhook deliveries, RTB requests and the audit log, in plain words. Read it before making a plan.",
    input: {},
    operation: { method: "get", path: "/reporting_ai/catalog" },
    place: "none",
  },
  {
    name: "ask",
    title: "Ask a question in plain words",
    description:
      "Answers a question about the organization's calls, webhooks and RTB requests, such as 'revenue by campaign last month': a sentence, the SQL that ran, the rows, and the plan, which query_plan takes changed.",
    input: { query: z.string(readable).max(2000, readable).describe("The question."), session_id: sessionId },
    operation: query,
    place: "body",
  },
  {
    name: "query_plan",
    title: "Run a query plan",
    description:
      "Answers by a plan in the form that ask returns, names as in the catalog; period, in words such as 'last 30 days', takes the place of the plan's own.",
    input: {
      plan: z.record(z.string(), z.unknown(), readable).describe("The plan."),
      period: z.string(readable).max(120, readable).optional().describe("Another period, in words."),
      session_id: sessionId,
    },
    operation: query,
    place: "body",
  },
  {
    name: "call_timeline",
    title: "What happened to a call",
    description: "Everything that happened to one call, in order: routing, bids, dialing, marks, conversion, webhooks.",
    input: { call_id: z.string(readable).max(255, readable).describe("The call's id.") },
    operation: { method: "get", path: "/api/v1/reports/calls/{call_id}/timeline" },
    place: "params",
  },
];
