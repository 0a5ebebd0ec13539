import * as z from "zod/mini";
import type * as assistant from "../answer.ts";

/** A value of a row; lists and objects from the warehouse become their JSON text. */
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

export const dataSchema = z.object({
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
  alternatives: z._default(z.array(z.object({ type: z.string(), vega_lite: z.record(z.string(), z.unknown()) })), []),
});

/** The plan in words: in one line, and its conditions and groups one by one, in the plan's order. */
const interpretationSchema = z.object({
  summary: z.string(),
  filters: z._default(z.array(z.string()), []),
  grouping: z._default(z.array(z.string()), []),
});

const periodSchema = z.object({ from: z.nullable(z.string()), to: z.string(), label: z.string() });

/** The approved question that a question was answered by. */
const approvalSchema = z.object({
  id: z.string(),
  approved_by: z.nullable(z.string()),
  approved_by_you: z.boolean(),
  approved_at: z.string(),
});

/** A field that is not checked: its type is the assistant's own. */
const unchecked = <Name extends keyof assistant.Answer>() => z.nullish(z.custom<assistant.Answer[Name]>());

/** The answer of `POST /reporting_ai/query`. `plan` is opaque: it is only sent back as context. */
export const answerSchema = z.object({
  answer: z.string(),
  sql: z.string(),
  explanation: z.string(),
  data: dataSchema,
  chart_suggestion: z.nullish(chartSchema),
  interpretation: z.nullish(interpretationSchema),
  plan: z.unknown(),
  follow_ups: z._default(z.array(z.string()), []),
  timing_ms: unchecked<"timing_ms">(),
  planner: unchecked<"planner">(),
  clarification: unchecked<"clarification">(),
  model_summary: z.nullish(z.string()),
  other_reading: z.nullish(z.object({ summary: z.string(), plan: z.unknown() })),
  session_id: z.nullish(z.string()),
  message_id: z.nullish(z.string()),
  approval: z.nullish(approvalSchema),
  /** The analyst's feedback, in an answer that is read again. */
  feedback: z.nullish(z.object({ useful: z.boolean() })),
});

const pageMetaSchema = z.object({ total: z.number(), has_more: z.boolean() });
const storedSessionSchema = z.object({ id: z.string(), title: z.string(), updated_at: z.string() });
/** The answer of `GET /reporting_ai/sessions`. */
export const storedSessionsSchema = z.object({ data: z.array(storedSessionSchema), meta: pageMetaSchema });
const messageSchema = z.extend(answerSchema, { query: z.string(), rows_kept: z._default(z.boolean(), true) });
/** The answer of `GET /reporting_ai/sessions/{session_id}/messages`. */
export const messagesSchema = z.object({ data: z.array(messageSchema), meta: pageMetaSchema });

const approvedQuestionSchema = z.extend(approvalSchema, {
  query: z.nullable(z.string()),
  summary: z.nullable(z.string()),
  plan: z.unknown(),
  may_change: z.boolean(),
});
/** The answer of `GET /reporting_ai/approved`. */
export const approvedQuestionsSchema = z.object({ data: z.array(approvedQuestionSchema), meta: pageMetaSchema });

/** The answer of `POST /reporting_ai/saved`, and of renaming. */
export const savedQuestionSchema = z.object({
  id: z.string(),
  name: z.string(),
  query: z.nullable(z.string()),
  created_by: z.string(),
  /** True where its period is read anew each time. */
  moves: z.boolean(),
  /** True where this user may rename and delete it. */
  may_change: z.boolean(),
});
/** The answer of `GET /reporting_ai/saved`. */
export const savedQuestionsSchema = z.object({ data: z.array(savedQuestionSchema), meta: pageMetaSchema });
/** The answer of `GET /reporting_ai/saved/{saved_question_id}`: `plan` is null where it can no longer be run. */
export const openedQuestionSchema = z.extend(savedQuestionSchema, { plan: z.unknown() });

/** The answer of `POST /reporting_ai/links`. */
export const linkSchema = z.object({ id: z.string() });
const linkPlanSchema = z.nullable(z.looseObject({ zone: z.string(), period: z.nullable(periodSchema) }));
/** The answer of `GET /reporting_ai/links/{link_id}`: `plan` is null where it can no longer be run. */
export const sharedQuestionSchema = z.object({
  query: z.string(),
  plan: linkPlanSchema,
  shared_plan: linkPlanSchema,
  created_by: z.string(),
  created_at: z.string(),
});

/** The answer of `GET` and `PATCH /reporting_ai/instructions`. */
export const instructionsSchema = z.object({ instructions: z.string(), may_change: z.boolean() });
export type Instructions = z.infer<typeof instructionsSchema>;

const namedSchema = z.object({ name: z.string(), label: z.string() });
const measuredSchema = z.extend(namedSchema, { unit: z.catch(unitSchema, null) });
const dimensionSchema = z.extend(namedSchema, { values: z._default(z.array(z.object({ value: z.string() })), []) });
const subjectSchema = z.extend(namedSchema, {
  measures: z.array(measuredSchema),
  dimensions: z.array(dimensionSchema),
  flags: z._default(z.array(namedSchema), []),
  quantities: z._default(z.array(measuredSchema), []),
  /** The columns of a list of single records. */
  listing: z._default(z.array(z.string()), []),
  /** True where records have tags, each a dimension `tag:<key>`. */
  has_tags: z._default(z.boolean(), false),
});
/** The answer of `GET /reporting_ai/catalog`, as far as the page offers it for choice. */
export const catalogSchema = z.object({ subjects: z.array(subjectSchema), grains: z.array(namedSchema) });

/** The answer of `POST /reporting_ai/sql`. */
export const sqlAnswerSchema = z.extend(dataSchema, { chart_suggestion: z.nullish(chartSchema) });
export type SqlAnswer = z.infer<typeof sqlAnswerSchema>;
export const feedbackSchema = z.object({
  remembered: z.boolean(),
  not_remembered: z.nullable(z.enum(["not_by_itself", "approved_otherwise", "no_room"])),
  approval: z.nullable(approvalSchema),
});
export type FeedbackAnswer = z.infer<typeof feedbackSchema>;
export const deletedSchema = z.object({ success: z.boolean() });

const organizationSchema = z.object({ org_id: z.string(), name: z.string(), access_token: z.string() });

/** The answer of `GET /page/session`: the demo signs the analyst in, a provider does, or a token is typed. */
export const pageSessionSchema = z.discriminatedUnion("mode", [
  z.object({
    mode: z.literal("demo"),
    organizations: z.array(organizationSchema),
    clock_offset_ms: z.optional(z.number()),
    read_only: z.optional(z.boolean()),
  }),
  z.object({ mode: z.literal("token") }),
  z.object({
    mode: z.literal("oidc"),
    issuer: z.string(),
    client_id: z.string(),
    scope: z.string(),
    audience: z.string(),
  }),
]);

/** The answer of `GET /reporting_ai/values`. */
export const valuesSchema = z.object({ data: z.array(z.string()) });
/** The answer of `GET /v1/organization`, as far as the page shows it. */
export const ownOrganizationSchema = z.object({
  timezone: z.string(),
  /** The user's permissions, such as `questions:write`. */
  rights: z.optional(z.array(z.string())),
});
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
export type StoredSession = z.infer<typeof storedSessionSchema>;
export type Approval = z.infer<typeof approvalSchema>;
/** An id is all that a token tells of a user. */
export const approvedBy = ({ approved_by: by, approved_by_you: byYou }: Approval): string =>
  byYou ? "by you" : by === null ? "" : `by ${by.replace(/^user:/, "")}`;
export type ApprovedQuestion = z.infer<typeof approvedQuestionSchema>;
export type SharedQuestion = z.infer<typeof sharedQuestionSchema>;
export type SavedQuestion = z.infer<typeof savedQuestionSchema>;
export type Message = z.infer<typeof messageSchema>;
export type Catalog = z.infer<typeof catalogSchema>;
export type CatalogSubject = Catalog["subjects"][number];
export type PageSession = z.infer<typeof pageSessionSchema>;

/** One earlier turn, sent along so that "only last month" refers to its plan, or to the SQL of one without a plan. */
export type PastTurn = { readonly query: string } & ({ readonly plan: unknown } | { readonly sql: string });

/** The body of `POST /reporting_ai/query`. */
export type Question = {
  readonly query: string;
  /** Answers by this plan in place of reading the query. */
  readonly plan?: unknown;
  /** Words for another period of the plan; null for all data. */
  readonly period?: string | null;
  /** Words for the period that the plan's is compared with; null for none. */
  readonly compare?: string | null;
  readonly conversation_history?: readonly PastTurn[];
  readonly session_id?: string;
};

/** A plan to answer by, and words for its periods where those are to change. */
export type PlanEdit = Pick<Question, "plan" | "period" | "compare">;
