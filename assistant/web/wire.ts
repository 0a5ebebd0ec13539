import * as z from "zod/mini";

/** What a cell may hold once read; lists and objects from the warehouse become their JSON text. */
export type Cell = string | number | boolean | null;

const toCell = (value: unknown): Cell => {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return JSON.stringify(value);
};

const cellSchema = z.pipe(z.unknown(), z.transform(toCell));
const unitSchema = z.nullable(z.enum(["count", "money", "percent", "seconds", "ms"]));

const columnSchema = z.object({
  name: z.string(),
  type: z.enum(["text", "integer", "number", "boolean", "time", "map", "json"]),
  // A unit added by a newer server is shown as a plain number, which is better than no answer.
  unit: z.catch(unitSchema, null),
});

const dataSchema = z.object({
  columns: z.array(columnSchema),
  rows: z.array(z.record(z.string(), cellSchema)),
  row_count: z.number(),
  truncated: z.boolean(),
});

const chartSchema = z.object({
  type: z.string(),
  x_axis: z.nullish(z.string()),
  y_axis: z.nullish(z.string()),
  vega_lite: z.nullish(z.record(z.string(), z.unknown())),
});

const timingSchema = z.object({ plan: z.number(), query: z.number(), total: z.number() });
const clarificationSchema = z.object({ question: z.string(), options: z.array(z.string()) });

/** How the question was read, in one line. */
const interpretationSchema = z.object({ summary: z.string() });

/** The answer of `POST /reporting_ai/query`. `plan` is opaque here: it is only handed back as context. */
export const answerSchema = z.object({
  answer: z.string(),
  sql: z.string(),
  explanation: z.string(),
  data: dataSchema,
  chart_suggestion: z.nullish(chartSchema),
  interpretation: z.nullish(interpretationSchema),
  plan: z.unknown(),
  follow_ups: z._default(z.array(z.string()), []),
  timing_ms: z.nullish(timingSchema),
  planner: z.nullish(z.string()),
  clarification: z.nullish(clarificationSchema),
  session_id: z.nullish(z.string()),
});

const organizationSchema = z.object({ org_id: z.string(), name: z.string(), access_token: z.string() });

/** The answer of `GET /page/session`: either the demo signs the analyst in, or a token must be given. */
export const sessionSchema = z.discriminatedUnion("mode", [
  z.object({ mode: z.literal("demo"), organizations: z.array(organizationSchema) }),
  z.object({ mode: z.literal("token") }),
]);

export const suggestionsSchema = z.object({ data: z.array(z.string()) });

const fieldFaultSchema = z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() });

/** An error body: one coded sentence, or for 422 a list of what was wrong with the request. */
export const errorBodySchema = z.object({
  detail: z.union([z.object({ code: z.string(), message: z.string() }), z.array(fieldFaultSchema)]),
});

export type Column = z.infer<typeof columnSchema>;
export type Unit = Column["unit"];
export type Row = Record<string, Cell>;
export type Data = z.infer<typeof dataSchema>;
export type ChartSuggestion = z.infer<typeof chartSchema>;
export type Answer = z.infer<typeof answerSchema>;
export type Organization = z.infer<typeof organizationSchema>;
export type PageSession = z.infer<typeof sessionSchema>;

/** One earlier turn, sent along so that "only last month" can patch its plan. */
export type PastTurn = { readonly query: string; readonly plan: unknown };

/** The body of `POST /reporting_ai/query`. */
export type Question = {
  readonly query: string;
  readonly conversation_history?: readonly PastTurn[];
  readonly session_id?: string;
};
