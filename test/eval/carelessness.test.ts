// @module-tag slow
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { duckdbDialect } from "../../assistant/compile/dialect-duckdb.ts";
import { createLinker, type Linker } from "../../assistant/linking.ts";
import { forgotten } from "../../assistant/llm/forgotten.ts";
import { createLlmPlanner } from "../../assistant/llm/planner-llm.ts";
import type { GuardedWarehouse } from "../../warehouse/guarded/guarded.ts";
import { openEmptyWarehouse } from "../migrated-files.ts";
import { evalNow, evalOrg, evalZone, fillWarehouse } from "./data.ts";
import { evaluate } from "./evaluate.ts";
import { goldRows } from "./gold.ts";
import { type Evaluation, openEvaluation } from "./platform.ts";
import { questionSets, readQuestionSet, sampleOf } from "./question-set.ts";
import { isTold, toReport } from "./report.ts";
import { carelessAnswers, carelessModel, perfectModel, slipInSql } from "./scripted-models.ts";

const all = questionSets.flatMap(readQuestionSet);
const some = sampleOf(all, 40);

describe.each(["perfect", "careless"] as const)("a %s model over the evaluation", (kind) => {
  const scripted = kind === "perfect" ? perfectModel(some) : carelessModel(some);
  let evaluation: Evaluation;
  beforeAll(async () => {
    evaluation = await openEvaluation(["duckdb"], (guarded, clock) =>
      createLlmPlanner({
        model: scripted.model,
        guarded,
        clock,
        engine: "DuckDB",
        sendValues: true,
        deadlineMs: 60_000,
        onTrouble: (error) => {
          throw error;
        },
      }),
    );
  });
  afterAll(() => evaluation.close());

  it.runIf(kind === "perfect")("is right, and rarely asked again", async () => {
    const report = toReport(await evaluate(some, evaluation));
    expect(report).toMatchObject({ declined: 100, leaks: 0 });
    // It takes the rules' plan where they have one, and they are not always right.
    expect(report.precision).toBeGreaterThan(99);
    expect(report.requests).toBeLessThan(1.05 * (report.questions + report.unanswerable));
  });

  it.runIf(kind === "careless")("leaves hardly anything out in silence", async () => {
    const careless = carelessAnswers(await evaluate(some, evaluation), scripted.slips);
    expect(careless.length).toBeGreaterThan(40);
    const silent = careless.filter(({ answer }) => !isTold(answer)).map(({ asked }) => asked.join(" → "));
    // A condition that the answer before already lacked is not called out again in a follow-up.
    expect(silent.length / careless.length, silent.join("\n")).toBeLessThan(0.03);
  });
});

describe("the words of a question, where rules have no reading of it", () => {
  const questions = all.flatMap((each) => ("gold" in each ? [{ ...each, gold: each.gold[0] ?? "" }] : []));
  let warehouse: GuardedWarehouse;
  let linker: Linker;
  beforeAll(async () => {
    warehouse = await openEmptyWarehouse();
    await fillWarehouse(warehouse);
    const clock = { now: () => evalNow, sleep: () => Promise.resolve() };
    linker = createLinker({ warehouse, clock, dialect: duckdbDialect });
  });
  afterAll(() => warehouse.close());

  const lostIn = async (text: string, sql: string) => {
    const linking = await linker.linkingFor({ orgId: evalOrg, timeZone: evalZone });
    return forgotten({ orgId: evalOrg, text, linking }, { kind: "sql", sql });
  };

  /** The rows of hand-written SQL, in any order. */
  const rowsOf = async (sql: string) => (await goldRows(warehouse, sql)).map((row) => JSON.stringify(row)).toSorted();
  const goldRowsRead = new Map<string, ReturnType<typeof rowsOf>>();
  const rowsOfGold = (gold: string) => {
    const rows = goldRowsRead.get(gold) ?? rowsOf(gold);
    goldRowsRead.set(gold, rows);
    return rows;
  };

  it.each([
    // Each makes some 700 cases.
    ["period", { every: 4, least: 99 }],
    // Half of the rest are limits that no word says (keywords without an empty one); who pays is the grammar's, in front of this.
    ["condition", { every: 2, least: 91 }],
  ] as const)(
    "show most cases of a %s that SQL leaves out and that changes its rows",
    async (slip, { every, least }) => {
      let [count, silent] = [0, 0];
      for (const { ask, gold } of sampleOf(questions, every)) {
        const careless = slipInSql(gold, slip);
        if (careless === null || isDeepStrictEqual(await rowsOfGold(gold), await rowsOf(careless.sql))) continue;
        count += 1;
        if ((await lostIn(ask, careless.sql)).length === 0) silent += 1;
      }
      expect(count).toBeGreaterThan(500);
      expect(100 * (1 - silent / count)).toBeGreaterThan(least);
    },
  );

  it("rarely call out what SQL has", async () => {
    let called = 0;
    for (const { ask, gold } of questions) {
      if ((await lostIn(ask, gold)).length > 0) called += 1;
    }
    // Most of these are rates that SQL may count in more ways than are looked for, such as the mean of a yes or no.
    expect(called / questions.length).toBeLessThan(0.025);
  });
});
