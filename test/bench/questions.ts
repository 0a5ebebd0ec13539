import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAssistant } from "../../assistant/assistant.ts";
import { openDuckdb } from "../../sql/duckdb.ts";
import type { Statement } from "../../warehouse/statement.ts";
import type { QueryOptions, Warehouse } from "../../warehouse/warehouse.ts";
import { openDuckdbWarehouse } from "../../warehouse/warehouse-duckdb.ts";
import { evalCalls, evalNow, evalOrg, evalZone, fillWarehouse } from "../eval/data.ts";
import { questionSets, readQuestionSet } from "../eval/question-set.ts";
import type { Bench } from "./bench.ts";

const manyCalls = 1_000_000;
const firstRounds = 10;

/** What a question costs from words to chart, over a thousand calls and over a million, in the embedded warehouse. */
export async function openQuestionBench(): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-bench-"));
  const [few, many] = [
    await openAssistant(join(folder, "few.duckdb")),
    await openAssistant(join(folder, "many.duckdb"), manyCalls),
  ];
  const questions = readQuestions();
  const asking = (name: string, { assistant }: Opened) => {
    let next = 0;
    return {
      name,
      unit: "question",
      units: 1,
      async round() {
        const question = questions[next++ % questions.length] ?? "";
        await assistant.ask({ orgId: evalOrg, timeZone: evalZone, question });
      },
    };
  };
  /** The statements of each question, run again in their order with nothing around them. */
  const bare = (name: string, { assistant, query, statementsOf }: Opened) => {
    const known = new Map<string, Awaited<ReturnType<typeof statementsOf>>>();
    let next = 0;
    return {
      name,
      unit: "question",
      units: 1,
      async before() {
        const question = questions[next % questions.length] ?? "";
        const ask = () => assistant.ask({ orgId: evalOrg, timeZone: evalZone, question });
        if (!known.has(question)) known.set(question, await statementsOf(ask));
      },
      async round() {
        for (const { statement, options } of known.get(questions[next++ % questions.length] ?? "") ?? [])
          await query(statement, options);
      },
    };
  };
  const first = (name: string, { anew, idle }: Opened) => ({
    // An organization has one first question: what another one leaves to be read is not beside it.
    name,
    unit: "question",
    units: 1,
    after: idle,
    async round() {
      await anew().ask({ orgId: evalOrg, timeZone: evalZone, question: "revenue by campaign last month" });
    },
  });
  return {
    comparisons: [
      {
        title: `A question of the evaluation, over ${evalCalls} and over ${manyCalls} calls: median and p95 of ${questions.length}`,
        baseline: asking(`${evalCalls} calls`, few),
        subjects: [asking(`${manyCalls} calls`, many)],
        rounds: questions.length,
      },
      {
        title: `A question of the evaluation over ${manyCalls} calls, beside its SQL: what comes on top is planning and the rest`,
        baseline: bare("the same SQL", many),
        subjects: [asking("the question", many)],
        rounds: questions.length,
        warmUps: questions.length,
      },
      {
        title: `An organization's first question, its names unread, over ${evalCalls} and over ${manyCalls} calls`,
        baseline: first(`${evalCalls} calls`, few),
        subjects: [first(`${manyCalls} calls`, many)],
        rounds: firstRounds,
      },
    ],
    async close() {
      await few.close();
      await many.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What the first of the question sets asks that has an answer. */
function readQuestions(): readonly string[] {
  const path = questionSets.find((each) => each.endsWith("/basics.jsonl")) ?? "";
  return readQuestionSet(path).flatMap((each) => ("gold" in each ? [each.ask] : []));
}

async function openAssistant(path: string, calls = 0) {
  const filling = await openDuckdbWarehouse({ path });
  await fillWarehouse(filling);
  await filling.close();
  if (calls > 0) await multiplyCalls(path, calls);
  const warehouse = await openDuckdbWarehouse({ path });
  const clock = { now: () => evalNow, sleep: () => Promise.resolve() };
  const running = new Set<Promise<unknown>>();
  let noted: { readonly statement: Statement; readonly options: QueryOptions | undefined }[] | undefined;
  const query: Warehouse["query"] = (statement, options) => {
    noted?.push({ statement, options });
    const asked = warehouse.query(statement, options);
    const over: Promise<unknown> = asked.catch(() => undefined).finally(() => running.delete(over));
    running.add(over);
    return asked;
  };
  async function statementsOf(work: () => Promise<unknown>) {
    await work();
    noted = [];
    await work();
    const statements = noted;
    noted = undefined;
    return statements;
  }
  const anew = () => createAssistant({ warehouse: { query }, clock });
  const idle = () => Promise.all(running);
  return { assistant: anew(), anew, idle, query: warehouse.query, statementsOf, close: () => warehouse.close() };
}
type Opened = Awaited<ReturnType<typeof openAssistant>>;

/** Each call again and again, under ids of its own, at times between the first and the last. */
async function multiplyCalls(path: string, wanted: number): Promise<void> {
  const instance = await openDuckdb(path, "warehouse");
  const connection = await instance.connect();
  try {
    await connection.run(
      `INSERT INTO stored_calls
       SELECT calls.* REPLACE (call_id || '-' || copy AS call_id, started_at - to_seconds(copy * 61 % 86400) AS started_at)
       FROM calls, range(1, 1 + CAST(ceil(${wanted} / (SELECT count(*) FROM calls WHERE org_id = '${evalOrg}')) AS BIGINT)) AS copies(copy)
       WHERE org_id = '${evalOrg}' ORDER BY org_id, started_at`,
    );
    await connection.run("CHECKPOINT");
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
