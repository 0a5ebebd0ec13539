import { z } from "zod";
import { units } from "./catalog/field.ts";
import { chartTypes, planSchema } from "./plan.ts";

const value = z.json();

const answerColumnSchema = z.object({
  name: z.string(),
  type: z.enum(["text", "integer", "number", "boolean", "time", "map", "json"]),
  /** null for names and times. */
  unit: z.enum(units).nullable(),
});
export type AnswerColumn = z.infer<typeof answerColumnSchema>;

const chartSuggestionSchema = z
  .object({
    type: z.enum(chartTypes),
    /** The column of the x axis; null for figures without groups. */
    x_axis: z.string().nullable(),
    y_axis: z.string().nullable(),
    /** A complete Vega-Lite specification with its rows; null where a table says it better. */
    vega_lite: z.record(z.string(), z.unknown()).nullable(),
    /** Other charts that suit these rows; one whose `data` has no `values` draws those of `vega_lite`. */
    alternatives: z
      .array(z.object({ type: z.enum(chartTypes), vega_lite: z.record(z.string(), z.unknown()) }))
      .optional(),
    /** The reason where it is not the requested chart. */
    note: z.string().optional(),
  })
  .meta({ id: "ChartSuggestion" });
export type ChartSuggestion = z.infer<typeof chartSuggestionSchema>;

/** The plan in words and exact dates. */
const interpretationSchema = z
  .object({
    summary: z.string(),
    measures: z.array(z.object({ name: z.string(), unit: z.enum(units), definition: z.string() })),
    grouping: z.array(z.string()),
    filters: z.array(z.string()),
    /** Half-open, UTC; both ends null for all data. */
    period: z.object({ from: z.string().nullable(), to: z.string().nullable(), zone: z.string(), label: z.string() }),
    notes: z.array(z.string()),
  })
  .meta({ id: "Interpretation" });
export type Interpretation = z.infer<typeof interpretationSchema>;

/** `no_valid_answer`: what a model wrote could not be used; else what became of the request to its server. */
export const fallbackReasons = [
  "no_valid_answer",
  "refused_key",
  "too_many_requests",
  "refused_request",
  "unavailable",
  "stopped",
] as const;
export type FallbackReason = (typeof fallbackReasons)[number];

/** Why a language model that should have understood the question did not, so that rules did. */
const fallbackSchema = z.object({ reason: z.enum(fallbackReasons), sentence: z.string() });
export type Fallback = z.infer<typeof fallbackSchema>;

/** The answer on the wire. A question without an answer has `sql` "", empty `data`, and the reason in `answer`. */
export const answerSchema = z.object({
  answer: z.string(),
  /** The statement that ran, with its values as literals. */
  sql: z.string(),
  explanation: z.string(),
  data: z.object({
    columns: z.array(answerColumnSchema),
    rows: z.array(z.record(z.string(), value)),
    row_count: z.number().int(),
    truncated: z.boolean(),
  }),
  chart_suggestion: chartSuggestionSchema.nullable(),
  interpretation: interpretationSchema.nullable(),
  plan: planSchema.nullable(),
  follow_ups: z.array(z.string()),
  timing_ms: z.object({ plan: z.number(), query: z.number(), total: z.number() }),
  planner: z.enum(["offline", "llm"]),
  /** Tokens and requests that a language model used for this answer, also where rules gave it in the end. */
  usage: z.object({ input_tokens: z.int(), output_tokens: z.int(), requests: z.int() }).optional(),
  /** A language model's words on the rows, which have each of its figures; only where summaries are turned on. */
  model_summary: z.string().optional(),
  /** The rules' reading where the model read the question otherwise; its plan can be sent as `plan`. */
  other_reading: z.object({ summary: z.string(), differences: z.array(z.string()), plan: planSchema }).optional(),
  /** Its sentence is part of `answer`. */
  fallback: fallbackSchema.optional(),
  clarification: z.object({ question: z.string(), options: z.array(z.string()) }).optional(),
});
export type Answer = z.infer<typeof answerSchema>;

/** The steps of an answer, in their order. */
export type Progress = "planning" | "querying" | "charting" | "done";

/** Parts of an answer that are known before it is done: the question's reading and SQL when that runs, then the rows. */
export interface AnswerSoFar extends Pick<Answer, "sql" | "data"> {
  readonly reading: string;
}

const dataShape = answerSchema.shape.data.shape;

/** The answer to SQL that an analyst wrote. */
export const sqlAnswerSchema = z.object({
  /** The SQL as it was sent. */
  sql: z.string(),
  ...dataShape,
  chart_suggestion: chartSuggestionSchema,
  timing_ms: z.number(),
});
export type SqlAnswer = z.infer<typeof sqlAnswerSchema>;
