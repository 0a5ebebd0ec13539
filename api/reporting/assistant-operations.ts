import { z } from "zod";
import { sqlAnswerSchema } from "../../assistant/answer.ts";
import { subjectNames } from "../../assistant/plan.ts";
import type { SqlRunner } from "../../assistant/sql-runner.ts";
import { maxTextLength } from "../../warehouse/guarded/guarded.ts";
import { ApiError } from "../serve/errors.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";
import { catalogOperation } from "./catalog-operation.ts";
import { approvedOperations } from "./conversations/approved-operations.ts";
import { answerExportOperation } from "./conversations/export-operation.ts";
import { feedbackOperation } from "./conversations/feedback-operation.ts";
import { type QueryDeps, queryOperation } from "./conversations/query-operation.ts";
import { sessionOperations } from "./conversations/session-operations.ts";

export interface AssistantDeps extends QueryDeps {
  readonly runSql: SqlRunner;
}

const about = { tag: "Reporting assistant", access: "user", limit: "assistant", status: 200 } as const;

/** Questions in plain words (spec: Reporting assistant), and SQL of one's own. */
export const assistantOperations = (deps: AssistantDeps): Operation[] => [
  queryOperation(deps),
  ...sessionOperations(deps),
  feedbackOperation(deps),
  ...approvedOperations(deps),
  answerExportOperation(deps),
  catalogOperation,
  defineOperation({
    ...about,
    method: "post",
    path: "/reporting_ai/sql",
    summary: "Run a SELECT of one's own over the organization's rows of the public tables",
    body: z.object({ sql: z.string().trim().min(1).max(maxTextLength) }),
    example: { sql: "SELECT campaign_name, sum(revenue) AS revenue FROM calls GROUP BY campaign_name" },
    answer: sqlAnswerSchema,
    errors: [503],
    handle: ({ caller, body, signal }) => deps.runSql({ orgId: caller.orgId, sql: body.sql, signal }),
  }),
  defineOperation({
    ...about,
    // Whoever types asks often: that is to take nothing from what may be asked in words.
    limit: "api",
    method: "get",
    path: "/reporting_ai/values",
    summary:
      "Values of a dimension that the organization's records have, the most used first; of the dimension tag, the keys of tags",
    query: z.object({
      subject: z.enum(subjectNames).default("calls"),
      dimension: z.string().min(1).max(80),
      contains: z.string().trim().max(120).default(""),
    }),
    answer: z.object({ data: z.array(z.string()) }),
    errors: [404, 503],
    handle: async ({ caller, query, signal }) => {
      const data = await deps.assistant.values({ orgId: caller.orgId, signal, ...query });
      if (data === null)
        throw new ApiError(404, "dimension_not_found", `${query.subject} has no "${query.dimension}".`);
      return { data };
    },
  }),
  defineOperation({
    ...about,
    method: "get",
    path: "/reporting_ai/suggestions",
    summary: "Questions to begin with",
    answer: z.object({ data: z.array(z.string()) }),
    errors: [503],
    handle: async ({ caller }) => ({ data: await deps.assistant.suggestions(caller.orgId) }),
  }),
];
