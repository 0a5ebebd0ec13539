import { z } from "zod";
import { sqlAnswerSchema } from "../../assistant/answer.ts";
import { describeCatalog } from "../../assistant/catalog/describe.ts";
import { units } from "../../assistant/catalog/field.ts";
import { grains, subjectNames } from "../../assistant/plan.ts";
import type { SqlRunner } from "../../assistant/sql/runner.ts";
import { maxTextLength } from "../../warehouse/guarded/guarded.ts";
import { ApiError, notFound } from "../serve/errors.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";
import { approvedOperations } from "./conversations/approved-operations.ts";
import { answerExportOperation } from "./conversations/export-operation.ts";
import { feedbackOperation } from "./conversations/feedback-operation.ts";
import { instructionsOperations } from "./conversations/instructions-operations.ts";
import { type QueryDeps, queryOperation } from "./conversations/query-operation.ts";
import { sessionOperations } from "./conversations/session-operations.ts";
import { usageOperation } from "./conversations/usage-operation.ts";

export interface AssistantDeps extends QueryDeps {
  readonly runSql: SqlRunner;
}

const about = { tag: "Reporting assistant", access: "user", limit: "assistant", status: 200 } as const;

/** Operations of the reporting assistant: questions in plain words, and SQL of one's own. */
export const assistantOperations = (deps: AssistantDeps): Operation[] => [
  queryOperation(deps),
  ...sessionOperations(deps),
  feedbackOperation(deps),
  ...approvedOperations(deps),
  answerExportOperation(deps),
  ...instructionsOperations(deps),
  usageOperation(deps),
  catalogOperation,
  organizationOperation(deps),
  defineOperation({
    ...about,
    method: "post",
    path: "/reporting_ai/sql",
    name: "runSql",
    changes: false,
    summary: "Run a SELECT of one's own over the organization's rows of the public tables",
    body: z.object({ sql: z.string().trim().min(1).max(maxTextLength) }),
    example: { sql: "SELECT campaign_name, sum(revenue) AS revenue FROM calls GROUP BY campaign_name" },
    answer: sqlAnswerSchema,
    errors: [503],
    handle: ({ caller, body, signal }) => deps.runSql({ orgId: caller.orgId, sql: body.sql, signal }),
  }),
  defineOperation({
    ...about,
    // Called while somebody types: that must not use up the limit of questions.
    limit: "api",
    method: "get",
    path: "/reporting_ai/values",
    name: "listDimensionValues",
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
    name: "listSuggestions",
    summary: "Questions to begin with",
    answer: z.object({ data: z.array(z.string()) }),
    errors: [503],
    handle: async ({ caller }) => ({ data: await deps.assistant.suggestions(caller.orgId) }),
  }),
];

const named = z.object({ name: z.string(), label: z.string(), definition: z.string(), synonyms: z.array(z.string()) });
const unit = z.enum(units);

const subject = z.object({
  name: z.enum(subjectNames),
  label: z.string(),
  time: z.string(),
  default_measure: z.string(),
  has_tags: z.boolean(),
  synonyms: z.array(z.string()),
  measures: z.array(named.extend({ unit })),
  dimensions: z.array(
    named.extend({
      column: z.string(),
      own: z.boolean(),
      values: z.array(z.object({ value: z.string(), words: z.array(z.string()) })),
    }),
  ),
  flags: z.array(named.extend({ opposites: z.array(z.string()) })),
  quantities: z.array(named.extend({ unit })),
  listing: z.array(z.string()),
});

const catalogSchema = z.object({
  subjects: z.array(subject),
  grains: z.array(z.object({ name: z.enum(grains), label: z.string() })),
  steps: z.array(z.string()),
  statistics: z.array(z.string()),
});

/** The catalog of the assistant, which is the same for every organization. */
const catalogOperation: Operation = defineOperation({
  ...about,
  method: "get",
  path: "/reporting_ai/catalog",
  name: "getAssistantCatalog",
  summary: "Everything that may be asked about: measures, groupings and facts, in plain words",
  answer: catalogSchema,
  handle: () => Promise.resolve(describeCatalog()),
});

/** The organization of the access token, and what its user may do: the page shows times in its zone, and offers no more. */
const organizationOperation = ({ snapshot }: QueryDeps): Operation =>
  defineOperation({
    ...about,
    limit: "api",
    method: "get",
    path: "/v1/organization",
    name: "getOrganization",
    summary: "The organization of the access token, the zone of its days, and what the token's role may do",
    answer: z.object({
      id: z.string(),
      name: z.string(),
      timezone: z.string(),
      rights: z
        .array(z.string())
        .describe("What the user may do, by area, such as `questions:write`; writing includes reading."),
    }),
    errors: [404],
    async handle({ caller }) {
      const organization = snapshot.config(caller.orgId)?.organization;
      if (organization === undefined) throw notFound("The organization of this token");
      const { id, name, timezone } = organization;
      return { id, name, timezone, rights: [...caller.rights] };
    },
  });
