import { z } from "zod";
import type { Answer } from "../../assistant/answer.ts";
import type { Bounds } from "./bound.ts";
import { completePlan, planArgument } from "./plan-argument.ts";
import { fieldOf, objectOf } from "./schema-parts.ts";
import { defineTool, type Tool, type ToolAnswer } from "./tool.ts";

const max_rows = z
  .int()
  .min(1)
  .max(200)
  .default(50)
  .describe("Rows to show. A question that asks for the top few, or by a coarser grain, is shorter by itself.");

const session_id = z
  .string()
  .optional()
  .describe("The session_id of an answer, to follow up on it: the question may then leave out what it shares with it.");

const boundsOf = ({ max_rows }: { readonly max_rows: number }): Bounds => ({
  whole: ["data.columns"],
  last: ["plan", "other_reading", "sql"],
  most: { "data.rows": max_rows },
});

const withoutChart = { vega_lite: true, alternatives: true } as const;

/** The form of a plan is told by the argument that takes one. */
const plan = z.record(z.string(), z.unknown()).describe("A plan, as query_plan takes it.");

/** The answer without its chart, which repeats all rows, and without what is of no use to a model. */
const toAnswerSchema = (answer: z.ZodObject): z.ZodObject =>
  answer.omit({ timing_ms: true, usage: true }).extend({
    plan: plan.nullable(),
    other_reading: objectOf(fieldOf(answer, "other_reading")).extend({ plan }).optional(),
    chart_suggestion: objectOf(fieldOf(answer, "chart_suggestion")).omit(withoutChart).nullable(),
  });

const toShown = (answer: ToolAnswer): ToolAnswer => ({
  ...answer,
  truncated: (answer as unknown as Answer).data.truncated,
});

const summarize = ({ answer }: ToolAnswer): string => String(answer);
const withSession = (answer: ToolAnswer): string =>
  `${summarize(answer)}\nsession_id ${String(answer["session_id"])} follows up on it.`;

const about = { toSchema: toAnswerSchema, toAnswer: toShown, boundsOf } as const;

/** Questions in plain words, as plans, and as saved. */
export const answerTools: readonly Tool[] = [
  defineTool({
    ...about,
    name: "ask",
    title: "Ask a question in plain words",
    description:
      "Answers a question about the organization's calls, webhook deliveries, RTB requests and audit log, such as 'revenue by campaign last month' or 'failed calls by reason yesterday': a sentence, the SQL that ran, the rows, and the plan, which query_plan takes changed. interpretation says how the question was read: check it before you rely on the figures. The question is kept in a session of the token's user.",
    operation: { user: "askQuestion" },
    input: z.object({
      query: z.string().min(1).max(2000).describe("The question, in English."),
      session_id,
      max_rows,
    }),
    summarize: withSession,
  }),
  defineTool({
    ...about,
    name: "query_plan",
    title: "Run a query plan",
    description:
      "Answers by a plan: take one from ask and change it, or write one, with names of catalog and catalog_search.",
    operation: { user: "askQuestion" },
    input: z.object({
      plan: planArgument,
      period: z
        .string()
        .min(1)
        .max(120)
        .optional()
        .describe('Another period in words, such as "last 30 days", in place of the plan\'s own.'),
      compare: z
        .string()
        .min(1)
        .max(120)
        .optional()
        .describe('Words for a period to compare with, such as "the period before" or "a year earlier".'),
      session_id,
      max_rows,
    }),
    toRequest: ({ plan, ...rest }) => ({ ...rest, plan: completePlan(plan) }),
    summarize: withSession,
  }),
  defineTool({
    ...about,
    name: "saved_answer",
    title: "Answer a saved question",
    description: "Answers one of the organization's saved questions as of now; saved_questions lists their ids.",
    operation: { user: "getSavedQuestionAnswer", api_key: "getSavedAnswer" },
    input: z.object({ saved_question_id: z.string().min(1).max(64), max_rows }),
    summarize: ({ name, answer }) => `${String(name)}: ${String(answer)}`,
  }),
];
