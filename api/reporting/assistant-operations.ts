import { z } from "zod";
import { answerSchema, sqlAnswerSchema } from "../../assistant/answer.ts";
import type { Assistant } from "../../assistant/assistant.ts";
import type { SqlRunner } from "../../assistant/own-sql.ts";
import { parsePlan } from "../../assistant/parse-plan.ts";
import { planSchema } from "../../assistant/plan.ts";
import { maxTextLength } from "../../warehouse/guarded.ts";
import type { Snapshot } from "../config/snapshot.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";

const turn = z.object({
  query: z.string().max(2000).optional(),
  /** The plan that answered it, as the answer gave it: a follow-up changes it. */
  plan: planSchema.nullish().catch(null),
});

export interface AssistantDeps {
  readonly assistant: Assistant;
  readonly runSql: SqlRunner;
  readonly snapshot: Snapshot;
}

/** Questions in plain words (spec: Reporting assistant), and SQL of one's own. */
export function assistantOperations({ assistant, runSql, snapshot }: AssistantDeps): Operation[] {
  const about = { tag: "Reporting assistant", access: "user", limit: "assistant" } as const;
  return [
    defineOperation({
      ...about,
      method: "post",
      path: "/reporting_ai/query",
      summary: "Answer a question about calls, webhooks and RTB requests, with its SQL and a chart",
      body: z.object({
        query: z.string().trim().min(1).max(2000),
        session_id: z.string().max(64).nullish(),
        conversation_history: z.array(turn).max(100).default([]),
      }),
      example: { query: "revenue by campaign last month" },
      status: 200,
      answer: answerSchema,
      errors: [503],
      handle({ caller, body, signal }) {
        const previousPlan = parsePlan(body.conversation_history.at(-1)?.plan);
        return assistant.ask({
          ...{ orgId: caller.orgId, question: body.query, signal },
          timeZone: snapshot.config(caller.orgId)?.organization.timezone ?? "UTC",
          ...(previousPlan ? { previousPlan } : {}),
        });
      },
    }),
    defineOperation({
      ...about,
      method: "post",
      path: "/reporting_ai/sql",
      summary: "Run a SELECT of one's own over the organization's rows of the public tables",
      body: z.object({ sql: z.string().trim().min(1).max(maxTextLength) }),
      example: { sql: "SELECT campaign_name, sum(revenue) AS revenue FROM calls GROUP BY campaign_name" },
      status: 200,
      answer: sqlAnswerSchema,
      errors: [503],
      handle: ({ caller, body, signal }) => runSql({ orgId: caller.orgId, sql: body.sql, signal }),
    }),
    defineOperation({
      ...about,
      method: "get",
      path: "/reporting_ai/suggestions",
      summary: "Questions to begin with",
      status: 200,
      answer: z.object({ data: z.array(z.string()) }),
      errors: [503],
      handle: async ({ caller }) => ({ data: await assistant.suggestions(caller.orgId) }),
    }),
  ];
}
