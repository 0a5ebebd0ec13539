import { parseArgs } from "node:util";
import { openModelParts } from "../../api/adapters.ts";
import { readSettings } from "../../api/settings/settings.ts";
import { createLlmPlanner } from "../../assistant/llm/planner-llm.ts";
import type { ModelReport, Planner } from "../../assistant/planning.ts";
import { describeData } from "./describe-data.ts";
import { evaluate, type Judged } from "./evaluate.ts";
import { type Engine, type Evaluation, engines, openEvaluation, type PlannerOver } from "./platform.ts";
import { type Case, questionSets, readQuestionSet, sampleOf } from "./question-set.ts";
import { describeFailure, describeReport, describeUsage, isTold, type Prices, toReport } from "./report.ts";
import { carelessAnswers, carelessModel, perfectModel, type Slipped } from "./scripted-models.ts";

const planners = ["rules", "llm", "perfect", "careless"] as const;
type PlannerName = (typeof planners)[number];

const usage = `npm run eval -- [FILE…]

Asks the assistant every question of the question sets (all of test/eval/questions by default), holds its answers
against rows of hand-written SQL, and reports how many were answered, and right. The format stands in
test/eval/question-set.ts.

  --engine NAME   duckdb, clickhouse, or both [duckdb]
  --planner NAME  who understands the questions [rules]:
                    rules     the built-in rules
                    llm       the language model of OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL
                    perfect   a scripted model that answers right
                    careless  a scripted model that leaves conditions out and takes other periods
                  All but rules are reported beside the rules' figures on the same questions.
  --every N       one question in N, to spare tokens [1]
  --price-in USD, --price-out USD
                  the model's prices of a million tokens, for the cost
  --verbose       every question that went wrong
  --describe      the names that the pinned data bear, for writing questions
  --sql SELECT    runs a gold statement and prints its rows`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    verbose: { type: "boolean", short: "v" },
    describe: { type: "boolean" },
    sql: { type: "string" },
    help: { type: "boolean" },
    engine: { type: "string", default: "duckdb" },
    planner: { type: "string", default: "rules" },
    every: { type: "string", default: "1" },
    "price-in": { type: "string" },
    "price-out": { type: "string" },
  },
});
const chosen = engines.filter((engine) => values.engine === "both" || values.engine === engine);
const planner = planners.find((name) => name === values.planner);
const every = Number(values.every);
if (values.help) console.log(usage);
else if (chosen.length === 0) fail(`There is no engine ${values.engine}; there are ${engines.join(" and ")}, or both.`);
else if (planner === undefined) fail(`There is no planner ${values.planner}; there are ${planners.join(", ")}.`);
else if (!Number.isInteger(every) || every < 1) fail("--every takes a whole number from 1 on.");
else await main(planner);

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}

async function main(name: PlannerName): Promise<void> {
  if (values.describe || values.sql !== undefined) return lookAt(await openEvaluation(chosen));
  const sets = (positionals.length > 0 ? positionals : questionSets).map((path) => ({
    path,
    cases: sampleOf(readQuestionSet(path), every),
  }));
  const judged = await runAll("rules", await openEvaluation(chosen), sets);
  if (name === "rules") return;
  const { plannerOver, title, reports, slips } = await openModel(
    name,
    sets.flatMap(({ cases }) => cases),
  );
  const all = await runAll(title, await openEvaluation(chosen, plannerOver), sets);
  console.log(`  ${describeUsage(toReport(all), pricesOf())}`);
  console.log(`  ${describeOutcomes(reports)}`);
  if (slips.length > 0) console.log(`  ${describeSlips(all, slips)}`);
  console.log(
    `  against the rules' ${toReport(judged).coverage?.toFixed(1)} % covered, ${toReport(judged).precision?.toFixed(1)} % precise`,
  );
}

async function openModel(name: Exclude<PlannerName, "rules">, cases: readonly Case[]) {
  const reports: ModelReport[] = [];
  const onPlanned = (report: ModelReport) => reports.push(report);
  const onTrouble = (error: unknown) => console.error(error instanceof Error ? error.message : error);
  if (name === "llm") {
    const settings = readSettings(process.env);
    if (settings.OPENAI_API_KEY === undefined)
      throw new Error("Set OPENAI_API_KEY: without it there is no model to ask.");
    // Its own clock is the system's: rests and deadlines are of real time.
    const clock = { now: Date.now, sleep: () => Promise.resolve() };
    const opened = new Map<unknown, Planner>();
    const plannerOver: PlannerOver = (guarded) => ({
      async plan(planning) {
        const known =
          opened.get(guarded) ?? (await openModelParts(settings, { guarded, clock, onTrouble, onPlanned })).planner;
        opened.set(guarded, known);
        return known.plan(planning);
      },
    });
    return { plannerOver, title: settings.OPENAI_MODEL, reports, slips: [] as Slipped[] };
  }
  const { model, slips } = name === "perfect" ? perfectModel(cases) : carelessModel(cases);
  const plannerOver: PlannerOver = (guarded, clock) =>
    createLlmPlanner({
      model,
      guarded,
      clock,
      engine: guarded.engine,
      sendValues: true,
      deadlineMs: 60_000,
      onTrouble,
      onPlanned,
    });
  return { plannerOver, title: `a scripted model, ${name}`, reports, slips };
}

function pricesOf(): Prices | null {
  const [input, output] = [Number(values["price-in"]), Number(values["price-out"])];
  return Number.isNaN(input) || Number.isNaN(output) ? null : { input, output };
}

/** "plan 310, selected 4, no_valid_answer 1; 12 corrections". */
function describeOutcomes(reports: readonly ModelReport[]): string {
  const counts = new Map<string, number>();
  for (const { outcome } of reports) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const repairs = reports.reduce((sum, each) => sum + each.repairs, 0);
  return `${[...counts].map(([outcome, count]) => `${outcome} ${count}`).join(", ")}; ${repairs} corrections`;
}

/** "careless in 80 answers: 40 conditions, 40 periods; 79 shown (98.8 %), 30 told to the model". */
function describeSlips(judged: readonly Judged[], slips: readonly Slipped[]): string {
  const careless = carelessAnswers(judged, slips);
  const conditions = careless.filter(({ slip }) => slip === "condition").length;
  const shown = careless.filter(({ answer }) => isTold(answer));
  const told = careless.filter(({ answer }) => (answer.usage?.requests ?? 0) > 1).length;
  const silent = careless
    .filter(({ answer }) => !isTold(answer))
    .map(({ asked, answer }) => {
      const isUnchecked = answer.answer.includes("no reading of the question to hold its SQL against");
      return `\n    ${isUnchecked ? "said to be unchecked" : "in silence"}: ${asked.join(" → ")}`;
    });
  const share = ((100 * shown.length) / Math.max(1, careless.length)).toFixed(1);
  return `careless in ${careless.length} answers: ${conditions} conditions, ${careless.length - conditions} periods; ${shown.length} shown (${share} %), ${told} sent back first${silent.join("")}`;
}

async function lookAt(evaluation: Evaluation): Promise<void> {
  try {
    if (values.describe) console.log(await describeData(evaluation.gold));
    else console.table(await evaluation.gold(values.sql ?? ""));
  } finally {
    await evaluation.close();
  }
}

interface QuestionSet {
  readonly path: string;
  readonly cases: readonly Case[];
}

async function runAll(title: string, evaluation: Evaluation, sets: readonly QuestionSet[]): Promise<readonly Judged[]> {
  try {
    const before = await evaluation.rowCounts();
    const all: Judged[] = [];
    for (const engine of chosen) all.push(...(await runSets(`${title}, on ${engine}`, { evaluation, engine, sets })));
    const after = await evaluation.rowCounts();
    const written = after.filter((count, index) => count !== before[index]);
    console.log(written.length === 0 ? "Nothing was written." : `WRITTEN: ${written.join(", ")}`);
    if (written.length > 0) process.exitCode = 1;
    return all;
  } finally {
    await evaluation.close();
  }
}

interface Run {
  readonly evaluation: Evaluation;
  readonly engine: Engine;
  readonly sets: readonly QuestionSet[];
}

async function runSets(title: string, { evaluation, engine, sets }: Run): Promise<readonly Judged[]> {
  const assistant = evaluation.assistants.get(engine) ?? evaluation.assistant;
  const all: Judged[] = [];
  for (const { path, cases } of sets) {
    const judged = await evaluate(cases, { ...evaluation, assistant });
    all.push(...judged);
    if (values.verbose) print(path, judged);
  }
  console.log(describeReport(title, toReport(all)));
  return all;
}

function print(path: string, judged: readonly Judged[]): void {
  console.log(describeReport(path, toReport(judged)));
  for (const each of judged.filter(({ good, chartAgrees }) => !good || chartAgrees === false))
    console.log(`  ${describeFailure(each)}`);
}
