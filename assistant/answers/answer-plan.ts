import type { Clock } from "../../ingest/clock.ts";
import type { QueryResult, Row, Warehouse } from "../../warehouse/warehouse.ts";
import type { Answer, AnswerColumn, AnswerSoFar, Progress } from "../answer.ts";
import { binName, findBin, isBin, roundWidth } from "../catalog/bins.ts";
import { dimensionAlias, measureOf, movingName, runningName, shareName, subjectOf } from "../catalog/catalog.ts";
import { suggestChart } from "../chart/chart.ts";
import { toShape } from "../chart/shape.ts";
import { compileNearest, compilePlan } from "../compile/compile.ts";
import type { Dialect } from "../compile/dialect.ts";
import { emptyPlan } from "../empty-plan.ts";
import { describePlan, explain, interpret } from "../phrasing/explain.ts";
import { columnsOverGroups } from "../phrasing/over-groups.ts";
import { toNothing, toSentence } from "../phrasing/sentence.ts";
import type { Plan } from "../plan.ts";
import type { Linking } from "../planner/link/name-index.ts";
import { leftOutBy, type Outcome } from "../planner/outcome.ts";
import { followUps } from "./follow-ups.ts";

/** The store that plans run on. */
export interface Engine {
  readonly warehouse: Pick<Warehouse, "query">;
  readonly clock: Clock;
  readonly dialect: Dialect;
}

/** The organization whose rows are read; the signal ends a statement. */
interface Reader {
  readonly orgId: string;
  readonly signal?: AbortSignal | undefined;
}

export interface Running extends Engine {
  readonly asked: Reader & {
    readonly onProgress?: ((progress: Progress, known?: Partial<AnswerSoFar>) => void) | undefined;
  };
  readonly linking: Linking;
}

export interface Rows extends Pick<QueryResult, "rows" | "truncated"> {
  readonly columns: readonly AnswerColumn[];
}

const mostRows = 2000;

const limitsOf = ({ signal }: Reader) => (signal === undefined ? {} : { signal });

/** Runs a plan without groups and returns its one row. */
const rangeIn =
  ({ warehouse, dialect, clock }: Engine, reader: Reader) =>
  async (plan: Plan): Promise<Row> => {
    const statement = compilePlan(plan, reader.orgId, { dialect, now: clock.now() });
    const { rows } = await warehouse.query(statement, limitsOf(reader));
    return rows[0] ?? {};
  };

/** The rows of a plan that has passed `parsePlan`, up to `maxRows`. */
export async function rowsOf(plan: Plan, engine: Engine, reader: Reader & { readonly maxRows: number }): Promise<Rows> {
  const { warehouse, dialect, clock } = engine;
  const settled = await settleBins(plan, rangeIn(engine, reader));
  const statement = compilePlan(settled, reader.orgId, { dialect, now: clock.now() });
  const result = await warehouse.query(statement, { maxRows: reader.maxRows, ...limitsOf(reader) });
  return { columns: toColumns(settled, result), rows: result.rows, truncated: result.truncated };
}

type Understood = Extract<Outcome, { kind: "plan" }>;

/** Runs the plan and describes its rows in words and a chart. */
export async function answerPlan({ plan: asPlanned, notes }: Understood, running: Running): Promise<Answer> {
  const { asked, linking, warehouse, dialect, clock } = running;
  const started = clock.now();
  const plan = await settleBins(asPlanned, rangeIn(running, asked));
  const statement = compilePlan(plan, asked.orgId, { dialect, now: started });
  const sql = dialect.toReadable(statement);
  asked.onProgress?.("querying", { reading: describePlan(plan), sql });
  const result = await warehouse.query(statement, { maxRows: mostRows, ...limitsOf(asked) });
  const nothing = isNothing(plan, result.rows) ? await describeNothing(plan, running) : undefined;
  const queried = clock.now();
  const columns = toColumns(plan, result);
  const data = { columns, rows: [...result.rows], row_count: result.rows.length, truncated: result.truncated };
  asked.onProgress?.("charting", { data });
  const chart = suggestChart(toShape(plan, columns, result));
  const isAside = (note: string) => note.startsWith(leftOutBy);
  const said = [
    ...notes.filter((note) => !isAside(note)),
    nothing ?? toSentence(plan, result),
    ...(chart.note === undefined ? [] : [chart.note]),
    ...notes.filter(isAside),
  ];
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
  // Groups may have had records, and none that meets the limit.
  if (period === null) return plan.having.length > 0 ? undefined : toNothing(plan, null);
  const statement = compileNearest({ ...plan, period }, asked.orgId, dialect);
  const { rows } = await warehouse.query(statement, limitsOf(asked));
  const [row = null] = rows;
  return row !== null && Number(row["within"]) > 0 ? undefined : toNothing(plan, row);
}

/** True without rows, or with zeros only: the period or the filters may be wrong, so the answer says where data is. */
function isNothing(plan: Plan, rows: readonly Row[]): boolean {
  if (plan.columns.length > 0) return rows.length === 0;
  // Figures over groups: 0 groups is an answer.
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
    const measure = plan.measures.find((each) =>
      [each, `${each}_before`, runningName(each), movingName(each)].includes(name),
    );
    if (measure !== undefined) return { name, type, unit: measureOf(subject, measure).unit };
    const bin = plan.dimensions.find((each) => isBin(each) && dimensionAlias(each) === name);
    if (bin !== undefined) return { name, type, unit: findBin(subject, bin)?.quantity.unit ?? null };
    const isPercent = plan.measures.some((each) => [shareName(each), `${each}_change`].includes(name));
    const quantity = plan.columns.length > 0 ? subject.quantities.find(({ column }) => column === name) : undefined;
    return { name, type, unit: isPercent ? "percent" : (quantity?.unit ?? null) };
  });
}

/** A few outliers must not put all other rows into one step. */
const [low, high] = ["p1", "p99"];

/** Gives every bin without a width a round one, by the range of nearly all its values. */
export async function settleBins(plan: Plan, firstRowOf: (plan: Plan) => Promise<Row>): Promise<Plan> {
  const subject = subjectOf(plan.subject);
  const open = plan.dimensions.flatMap((name) => {
    const bin = findBin(subject, name);
    return bin === undefined || bin.isSettled ? [] : [{ name, quantity: bin.quantity.name, unit: bin.quantity.unit }];
  });
  if (open.length === 0) return plan;
  const range = await firstRowOf({
    ...emptyPlan,
    subject: plan.subject,
    filters: plan.filters,
    period: plan.period,
    zone: plan.zone,
    measures: open.flatMap(({ quantity }) => [low, high].map((edge) => `${edge}_${quantity}`)),
  });
  const settled = new Map(
    open.map(({ name, quantity, unit }) => {
      const span = Number(range[`${high}_${quantity}`]) - Number(range[`${low}_${quantity}`]);
      return [name, binName(quantity, roundWidth(span, unit))];
    }),
  );
  return { ...plan, dimensions: plan.dimensions.map((name) => settled.get(name) ?? name) };
}
