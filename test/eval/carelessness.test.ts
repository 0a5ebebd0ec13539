// @module-tag slow
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { duckdbDialect } from "../../assistant/compile/dialect-duckdb.ts";
import { createLinker, type Linker } from "../../assistant/linking.ts";
import { forgotten } from "../../assistant/llm/forgotten.ts";
import { createLlmPlanner } from "../../assistant/llm/planner-llm.ts";
import type { GuardedWarehouse } from "../../warehouse/guarded/guarded.ts";
import { openEmptyWarehouse } from "../migrated-files.ts";
import { evalNow, evalOrg, evalZone, fillWarehouse } from "./data.ts";
import { evaluate } from "./evaluate.ts";
import { type Evaluation, openEvaluation } from "./platform.ts";
import { questionSets, readQuestionSet } from "./question-set.ts";
import { isTold, toReport } from "./report.ts";
import { carelessModel, perfectModel, slipInSql } from "./scripted-models.ts";

const all = questionSets.flatMap(readQuestionSet);
const some = all.filter((_, index) => index % 40 === 0);

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
    expect(report).toMatchObject({ precision: 100, declined: 100, leaks: 0 });
    expect(report.requests).toBeLessThan(1.05 * (report.questions + report.unanswerable));
  });

  it.runIf(kind === "careless")("leaves nothing out in silence", async () => {
    const judged = await evaluate(some, evaluation);
    const careless = judged.filter(({ asked }) => (scripted.slips.get(asked.at(-1) ?? "") ?? "none") !== "none");
    expect(careless.length).toBeGreaterThan(40);
    expect(careless.filter(({ answer }) => !isTold(answer)).map(({ asked }) => asked)).toEqual([]);
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

  it.each([
    ["period", 99],
    ["condition", 78],
  ] as const)("show most cases of a %s that SQL leaves out", async (slip, least) => {
    let [count, silent] = [0, 0];
    for (const { ask, gold } of questions) {
      const careless = slipInSql(gold, slip);
      if (careless === null) continue;
      count += 1;
      if ((await lostIn(ask, careless.sql)).length === 0) silent += 1;
    }
    expect(100 * (1 - silent / count)).toBeGreaterThan(least);
  });

  it("rarely call out what SQL has", async () => {
    let called = 0;
    for (const { ask, gold } of questions) {
      if ((await lostIn(ask, gold)).length > 0) called += 1;
    }
    expect(called / questions.length).toBeLessThan(0.025);
  });
});
