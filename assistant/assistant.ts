import type { Clock } from "../ingest/clock.ts";
import type { QueryResult, Row, Warehouse } from "../warehouse/warehouse.ts";
import { followsAnything } from "./after-sql.ts";
import type { Answer, AnswerColumn } from "./answer.ts";
import { answerSelected } from "./answer-selected.ts";
import { findBin, isBin } from "./catalog/bins.ts";
import { dimensionAlias, measureOf, runningName, shareName, subjectOf } from "./catalog/catalog.ts";
import { suggestChart } from "./chart/chart.ts";
import { toShape } from "./chart/shape.ts";
import { compileNearest, compilePlan } from "./compile/compile.ts";
import type { Dialect } from "./compile/dialect.ts";
import { duckdbDialect } from "./compile/dialect-duckdb.ts";
import { withDefinedTerms } from "./defined-terms.ts";
import { followUps, openingQuestions, otherQuestions } from "./follow-ups.ts";
import { createLinker, zoneOf } from "./linking.ts";
import { parsePlan } from "./parse-plan.ts";
import { describePlan, explain, interpret } from "./phrasing/explain.ts";
import { columnsOverGroups } from "./phrasing/over-groups.ts";
import { toNothing, toSentence } from "./phrasing/sentence.ts";
import type { Plan } from "./plan.ts";
import { leansOn, planInTurn } from "./planner/in-turn.ts";
import type { Linking } from "./planner/link/linking.ts";
import type { Outcome } from "./planner/outcome.ts";
import {
  type Example,
  type OtherReading,
  offlinePlanner,
  type PastTurn,
  type Planned,
  type Planner,
} from "./planning.ts";
import { settleBins } from "./settle-bins.ts";
import { type StandingPlan, toPlanOfToday } from "./standing-plan.ts";
import { type ValuesAsked, valuesIn, valuesStatement } from "./values.ts";

export type Progress = "planning" | "querying" | "charting" | "done";

/** Of an answer in the making: how the question was read and its SQL when that runs, then the rows. */
export interface AnswerSoFar extends Pick<Answer, "sql" | "data"> {
  readonly reading: string;
}

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

export interface Rows extends Pick<QueryResult, "rows" | "truncated"> {
  readonly columns: readonly AnswerColumn[];
}

const mostRows = 2000;

interface Given {
  readonly warehouse: Pick<Warehouse, "query">;
  readonly clock: Clock;
  /** The warehouse's engine. Default: DuckDB. */
  readonly dialect?: Dialect;
  /** Understands questions. Default: rules alone. */
  readonly planner?: Planner;
}

export function createAssistant(given: Given): Assistant {
  const { warehouse, clock, dialect = duckdbDialect, planner = offlinePlanner } = given;
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
      : await planner.plan({ orgId, text, previous, previousSql, turns, examples, instructions, linking, signal });
    const planned = clock.now();
    const answer = await toAnswer(read.outcome, { asked, linking, warehouse, dialect, clock });
    const queryMs = answer.timing_ms.query;
    onProgress?.("done");
    return {
      ...withRemarks(answer, [
        ...(asked.plan === undefined ? notes : []),
        ...(read.remarks ?? []),
        ...(read.fallback === undefined ? [] : [read.fallback.sentence]),
      ]),
      timing_ms: { plan: planned - started, query: queryMs, total: clock.now() - started },
      planner: read.planner,
      ...(read.usage && { usage: read.usage }),
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
    async rowsOf({ orgId, plan, maxRows, signal }) {
      const limits = { maxRows, ...(signal === undefined ? {} : { signal }) };
      const settled = await settleBins(plan, rangeIn({ warehouse, dialect, clock }, { orgId, signal }));
      const result = await warehouse.query(compilePlan(settled, orgId, { dialect, now: clock.now() }), limits);
      return { columns: toColumns(settled, result), rows: result.rows, truncated: result.truncated };
    },
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

type Engine = Required<Omit<Given, "planner">>;

interface Running extends Engine {
  readonly asked: Asked;
  readonly linking: Linking;
}

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

/** Runs a plan without groups and returns its one row. */
const rangeIn =
  ({ warehouse, dialect, clock }: Engine, { orgId, signal }: Pick<Asked, "orgId" | "signal">) =>
  async (plan: Plan): Promise<Row> => {
    const limits = signal === undefined ? {} : { signal };
    const { rows } = await warehouse.query(compilePlan(plan, orgId, { dialect, now: clock.now() }), limits);
    return rows[0] ?? {};
  };

type Understood = Extract<Outcome, { kind: "plan" }>;

/** Runs the plan and describes its rows in words and a chart. */
async function answerPlan({ plan: asPlanned, notes }: Understood, running: Running): Promise<Answer> {
  const { asked, linking, warehouse, dialect, clock } = running;
  const started = clock.now();
  const plan = await settleBins(asPlanned, rangeIn(running, asked));
  const statement = compilePlan(plan, asked.orgId, { dialect, now: started });
  const sql = dialect.toReadable(statement);
  asked.onProgress?.("querying", { reading: describePlan(plan), sql });
  const options = { maxRows: mostRows, ...(asked.signal === undefined ? {} : { signal: asked.signal }) };
  const result = await warehouse.query(statement, options);
  const nothing = isNothing(plan, result.rows) ? await describeNothing(plan, running) : undefined;
  const queried = clock.now();
  const columns = toColumns(plan, result);
  const data = { columns, rows: [...result.rows], row_count: result.rows.length, truncated: result.truncated };
  asked.onProgress?.("charting", { data });
  const chart = suggestChart(toShape(plan, columns, result));
  const said = [...notes, nothing ?? toSentence(plan, result), ...(chart.note === undefined ? [] : [chart.note])];
  return {
    answer: said.join(" "),
    sql,
    explanation: explain(plan, notes),
    data,
    chart_suggestion: chart,
    interpretation: interpret(plan, notes),
    plan,
    follow_ups: [...followUps(plan, linking)],
    timing_ms: { plan: 0, query: queried - started, total: 0 },
    planner: "offline",
  };
}

/** Describes where the nearest data is; undefined when the period has rows, and the figures are truly zero. */
async function describeNothing(plan: Plan, { asked, warehouse, dialect }: Running): Promise<string | undefined> {
  const { period } = plan;
  if (period === null) return toNothing(plan, null);
  const options = asked.signal === undefined ? {} : { signal: asked.signal };
  const { rows } = await warehouse.query(compileNearest({ ...plan, period }, asked.orgId, dialect), options);
  const [row = null] = rows;
  return row !== null && Number(row["within"]) > 0 ? undefined : toNothing(plan, row);
}

/** True without rows, or with zeros only: the period or the filters may be wrong, so the answer says where data is. */
function isNothing(plan: Plan, rows: readonly Row[]): boolean {
  if (plan.columns.length > 0) return rows.length === 0;
  // That there is no such group is a figure.
  if (plan.over_groups.length > 0) return false;
  const names = plan.measures.flatMap((name) => [name, `${name}_before`]);
  return rows.every((row) => names.every((name) => (row[name] ?? 0) === 0));
}

function toColumns(plan: Plan, { columns }: QueryResult): AnswerColumn[] {
  const subject = subjectOf(plan.subject);
  const over = columnsOverGroups(plan);
  return columns.map(({ name, type }) => {
    const told = over.find((each) => each.name === name);
    if (told !== undefined) return { name, type, unit: told.unit };
    const measure = plan.measures.find((each) => [each, `${each}_before`, runningName(each)].includes(name));
    if (measure !== undefined) return { name, type, unit: measureOf(subject, measure).unit };
    const bin = plan.dimensions.find((each) => isBin(each) && dimensionAlias(each) === name);
    if (bin !== undefined) return { name, type, unit: findBin(subject, bin)?.quantity.unit ?? null };
    const isPercent = plan.measures.some((each) => [shareName(each), `${each}_change`].includes(name));
    const quantity = plan.columns.length > 0 ? subject.quantities.find(({ column }) => column === name) : undefined;
    return { name, type, unit: isPercent ? "percent" : (quantity?.unit ?? null) };
  });
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
