import type { Clock } from "../ingest/clock.ts";
import type { LoadingLag } from "../warehouse/loading-lag.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { followsAnything } from "./after-sql.ts";
import type { Answer, AnswerSoFar, Progress } from "./answer.ts";
import { answerPlan, type Rows, type Running, rowsOf } from "./answers/answer-plan.ts";
import { answerSelected } from "./answers/answer-selected.ts";
import { openingQuestions, otherQuestions } from "./answers/follow-ups.ts";
import type { Dialect } from "./compile/dialect.ts";
import { duckdbDialect } from "./compile/dialect-duckdb.ts";
import { withDefinedTerms } from "./defined-terms.ts";
import { createLinker, zoneOf } from "./linking.ts";
import { parsePlan } from "./parse-plan.ts";
import { describePlan } from "./phrasing/explain.ts";
import type { Plan } from "./plan.ts";
import type { Linking } from "./planner/link/name-index.ts";
import { leansOn, planInTurn } from "./planner/offline.ts";
import type { Outcome } from "./planner/outcome.ts";
import {
  type Example,
  type OtherReading,
  offlinePlanner,
  type PastTurn,
  type Planned,
  type Planner,
  type Summarizer,
  type Usage,
} from "./planning.ts";
import { type StandingPlan, toPlanOfToday } from "./standing-plan.ts";
import { type ValuesAsked, valuesIn, valuesStatement } from "./values.ts";

export interface Asked {
  readonly orgId: string;
  /** The organization's zone, an IANA name. */
  readonly timeZone: string;
  readonly question: string;
  /** The previous answer's plan, for follow-ups such as "only last month". */
  readonly previousPlan?: Plan | undefined;
  /** The previous answer's SQL where it had no plan, in place of `previousPlan`. */
  readonly previousSql?: string | undefined;
  /** The answered turns before, oldest first, for a language model; rules go by the previous answer alone. */
  readonly turns?: readonly PastTurn[] | undefined;
  /** Reads approved answers of similar questions, for a language model; never rejects. */
  readonly examples?: (() => Promise<readonly Example[]>) | undefined;
  /** The organization's own words for questions: a glossary and rules. */
  readonly instructions?: string | undefined;
  /** A plan that has passed `parsePlan`, to answer by in place of reading the question. */
  readonly plan?: Plan | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with each step, and what is known of the answer by then. */
  readonly onProgress?: ((progress: Progress, known?: Partial<AnswerSoFar>) => void) | undefined;
}

export interface Assistant {
  /** Rejects with the warehouse's `WarehouseError` when the query cannot run; all else is an answer. */
  ask(asked: Asked): Promise<Answer>;
  suggestions(orgId: string): Promise<readonly string[]>;
  /** Values that the organization's records have, the most used first; null for an unknown dimension. */
  values(asked: Pick<Asked, "orgId" | "signal"> & ValuesAsked): Promise<readonly string[] | null>;
  /** The rows of a plan that has passed `parsePlan`, up to `maxRows`. */
  rowsOf(given: Pick<Asked, "orgId" | "signal"> & { readonly plan: Plan; readonly maxRows: number }): Promise<Rows>;
  /**
   * Plans the questions of one conversation, each as a follow-up of the one before; null where the last one has no
   * plan.
   */
  planInTurn(
    asked: Pick<Asked, "orgId" | "timeZone"> & { readonly questions: readonly string[] },
  ): Promise<Plan | null>;
  /** True where the question means something else after the previous plan, or SQL, than alone. */
  leansOn(asked: Pick<Asked, "orgId" | "timeZone" | "question" | "previousPlan" | "previousSql">): Promise<boolean>;
  /** Returns null where its period cannot be read today. */
  planOfToday(plan: StandingPlan, timeZone: string): Plan | null;
}

interface Given {
  readonly warehouse: Pick<Warehouse, "query">;
  readonly clock: Clock;
  /** The warehouse's engine. Default: DuckDB. */
  readonly dialect?: Dialect;
  /** Understands questions. Default: rules alone. */
  readonly planner?: Planner;
  /** Sums up larger results. Default: nobody. */
  readonly summarizer?: Summarizer | undefined;
  /** Tells whether what came in is in the warehouse yet. Default: it is. */
  readonly loadingLag?: LoadingLag | undefined;
}

export function createAssistant(given: Given): Assistant {
  const { warehouse, clock, dialect = duckdbDialect, planner = offlinePlanner, summarizer } = given;
  const { loadingLag = async () => null } = given;
  const { linkingFor, answered } = createLinker({ warehouse, clock, dialect });

  async function answerTo(asked: Asked): Promise<Answer> {
    const { orgId, question, previousPlan: previous, previousSql, turns, examples, signal, onProgress } = asked;
    const { instructions = "" } = asked;
    const { text, notes } = withDefinedTerms(question, instructions);
    const started = clock.now();
    onProgress?.("planning");
    const linking = await linkingFor({ ...asked, texts: asked.plan ? [] : [text], previous });
    const read = asked.plan
      ? sent(asked.plan)
      : await planner.plan({
          orgId,
          text,
          previous,
          previousSql,
          turns,
          examples,
          instructions,
          linking,
          signal,
          onReading: onProgress && ((reading) => onProgress("planning", { reading })),
        });
    const planned = clock.now();
    const [answer, loadingSince] = await Promise.all([
      toAnswer(read.outcome, { asked, linking, warehouse, dialect, clock }),
      loadingLag(read.outcome.kind === "plan" ? read.outcome.plan.subject : undefined),
    ]);
    const queryMs = answer.timing_ms.query;
    const reading = answer.interpretation?.summary ?? "";
    const summary = await summarizer?.summarize({ orgId, question, reading, data: answer.data, signal });
    const usage = addUsage(read.usage, summary?.usage);
    onProgress?.("done");
    return {
      ...withRemarks(answer, [
        ...(asked.plan === undefined ? notes : []),
        ...(read.remarks ?? []),
        ...(read.fallback === undefined ? [] : [read.fallback.sentence]),
        ...(answer.sql === "" || loadingSince === null ? [] : [stillLoading(clock.now() - loadingSince)]),
      ]),
      timing_ms: { plan: planned - started, query: queryMs, total: clock.now() - started },
      planner: read.planner,
      ...(usage && { usage }),
      ...(summary?.text && { model_summary: summary.text }),
      ...(read.fallback && { fallback: read.fallback }),
      ...(read.otherReading && { other_reading: toOtherReading(read.otherReading) }),
    };
  }

  return {
    ask: (asked) => answerTo(asked).finally(() => answered(asked.orgId)),
    suggestions: async (orgId) => {
      const questions = openingQuestions(await linkingFor({ orgId, timeZone: "UTC" }));
      answered(orgId);
      return questions;
    },
    async values({ orgId, signal, ...asked }) {
      const statement = valuesStatement(asked, { orgId, dialect, now: clock.now() });
      if (statement === null) return null;
      const limits = signal === undefined ? {} : { signal };
      const { rows } = await warehouse.query(statement, limits);
      return valuesIn(asked.dimension, rows);
    },
    rowsOf: ({ plan, ...reader }) => rowsOf(plan, { warehouse, dialect, clock }, reader),
    async planInTurn(asked) {
      if (asked.questions.length === 0) return null;
      return planInTurn(asked.questions, await linkingFor({ ...asked, texts: asked.questions }));
    },
    async leansOn(asked) {
      const { question, previousPlan: previous, previousSql } = asked;
      const linking = await linkingFor({ ...asked, texts: [question], previous });
      return previousSql === undefined ? leansOn(question, previous, linking) : followsAnything(question, linking);
    },
    planOfToday: (plan, timeZone) => parsePlan(toPlanOfToday(plan, { now: clock.now(), zone: zoneOf(timeZone) })),
  };
}

const addUsage = (one: Usage | undefined, other: Usage | undefined): Usage | undefined =>
  one && other
    ? {
        input_tokens: one.input_tokens + other.input_tokens,
        output_tokens: one.output_tokens + other.output_tokens,
        requests: one.requests + other.requests,
      }
    : (one ?? other);

/** For how long what came in has not been stored, in whole seconds, minutes or hours. */
function stillLoading(ms: number): string {
  const [size, unit] = ms < 120_000 ? [1000, "seconds"] : ms < 7_200_000 ? [60_000, "minutes"] : [3_600_000, "hours"];
  return `Records of the last ${Math.ceil(ms / size)} ${unit} are still being loaded, so some of them may be missing here.`;
}

/** Says what was made of the question beside the figures, wherever the answer tells how it was read. */
function withRemarks(answer: Answer, remarks: readonly string[]): Answer {
  if (remarks.length === 0) return answer;
  const { interpretation: read } = answer;
  return {
    ...answer,
    answer: [answer.answer, ...remarks].join(" "),
    explanation: [answer.explanation, ...remarks].join(" ").trim(),
    interpretation: read && { ...read, notes: [...read.notes, ...remarks] },
  };
}

const toOtherReading = ({ plan, differences }: OtherReading): Answer["other_reading"] => ({
  summary: describePlan(plan),
  differences: [...differences],
  plan,
});

/** A plan that was sent with the request, as a planner's outcome. */
const sent = (plan: Plan): Planned => ({ outcome: { kind: "plan", plan, notes: [] }, planner: "offline" });

async function toAnswer(outcome: Planned["outcome"], running: Running): Promise<Answer> {
  switch (outcome.kind) {
    case "plan":
      return answerPlan(outcome, running);
    case "selected":
      return answerOfModel(outcome, running);
    default:
      return toUnanswered(outcome, running.linking);
  }
}

/** The rows of a model's SQL are there already: it ran when it was checked. */
function answerOfModel(
  outcome: Extract<Planned["outcome"], { kind: "selected" }>,
  { asked, linking }: Running,
): Answer {
  const answer = answerSelected(outcome, linking);
  asked.onProgress?.("querying", { reading: outcome.reading, sql: outcome.sql });
  asked.onProgress?.("charting", { data: answer.data });
  return answer;
}

function toUnanswered(outcome: Exclude<Outcome, { kind: "plan" }>, linking: Linking): Answer {
  const { sentence } = outcome;
  const goesOn = outcome.kind === "explained" ? outcome.options : [];
  return {
    answer: sentence,
    sql: "",
    explanation: "",
    data: { columns: [], rows: [], row_count: 0, truncated: false },
    chart_suggestion: null,
    interpretation: null,
    plan: null,
    follow_ups: [...(goesOn.length > 0 ? goesOn : otherQuestions(linking))],
    timing_ms: { plan: 0, query: 0, total: 0 },
    planner: "offline",
    ...(outcome.kind === "clarify" ? { clarification: { question: sentence, options: [...outcome.options] } } : {}),
  };
}
