import { parseArgs } from "node:util";
import { describeData } from "./describe-data.ts";
import { evaluate, type Judged } from "./evaluate.ts";
import { type Engine, type Evaluation, engines, openEvaluation } from "./platform.ts";
import { questionSets, readQuestionSet } from "./question-set.ts";
import { describeFailure, describeReport, toReport } from "./report.ts";

const usage = `npm run eval -- [FILE…]

Asks the assistant every question of the question sets (all of test/eval/questions by default), holds its answers
against rows of hand-written SQL, and reports how many were answered, and right. The format stands in
test/eval/question-set.ts.

  --engine NAME  duckdb, clickhouse, or both [duckdb]
  --verbose      every question that went wrong
  --describe     the names that the pinned data bear, for writing questions
  --sql SELECT   runs a gold statement and prints its rows`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    verbose: { type: "boolean", short: "v" },
    describe: { type: "boolean" },
    sql: { type: "string" },
    help: { type: "boolean" },
    engine: { type: "string", default: "duckdb" },
  },
});
const chosen = engines.filter((engine) => values.engine === "both" || values.engine === engine);
if (values.help) console.log(usage);
else if (chosen.length === 0) {
  console.error(`There is no engine ${values.engine}; there are ${engines.join(" and ")}, or both.`);
  process.exitCode = 1;
} else await main();

async function main(): Promise<void> {
  const evaluation = await openEvaluation(chosen);
  try {
    if (values.describe) console.log(await describeData(evaluation.gold));
    else if (values.sql !== undefined) console.table(await evaluation.gold(values.sql));
    else await runAll(evaluation);
  } finally {
    await evaluation.close();
  }
}

async function runAll(evaluation: Evaluation): Promise<void> {
  const before = await evaluation.rowCounts();
  for (const engine of chosen) await runSets(evaluation, engine);
  const after = await evaluation.rowCounts();
  const written = after.filter((count, index) => count !== before[index]);
  console.log(written.length === 0 ? "Nothing was written." : `WRITTEN: ${written.join(", ")}`);
  if (written.length > 0) process.exitCode = 1;
}

async function runSets(evaluation: Evaluation, engine: Engine): Promise<void> {
  const assistant = evaluation.assistants.get(engine) ?? evaluation.assistant;
  const all: Judged[] = [];
  for (const path of positionals.length > 0 ? positionals : questionSets) {
    const judged = await evaluate(readQuestionSet(path), { ...evaluation, assistant });
    all.push(...judged);
    if (values.verbose) print(path, judged);
  }
  console.log(describeReport(`All, on ${engine}`, toReport(all)));
}

function print(path: string, judged: readonly Judged[]): void {
  console.log(describeReport(path, toReport(judged)));
  for (const each of judged.filter(({ good, chartAgrees }) => !good || chartAgrees === false))
    console.log(`  ${describeFailure(each)}`);
}
