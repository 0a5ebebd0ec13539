// @module-tag slow
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { evaluate } from "./evaluate.ts";
import { type Engine, type Evaluation, engines, openEvaluation } from "./platform.ts";
import { exampleSet, questionSets, readQuestionSet, sampleOf } from "./question-set.ts";
import { toReport } from "./report.ts";

/** On a server that takes several times as long, and answers the same. */
const asked: readonly Engine[] = process.env["TEST_CLICKHOUSE_URL"] ? engines : ["duckdb"];
let evaluation: Evaluation;
beforeAll(async () => {
  evaluation = await openEvaluation(asked);
});
afterAll(() => evaluation.close());

describe("the evaluation", () => {
  it("reads every question set", () => {
    expect(questionSets.length).toBeGreaterThan(5);
    for (const path of questionSets) expect(readQuestionSet(path).length).toBeGreaterThan(0);
  });
  it("finds the example right", async () => {
    const report = toReport(await evaluate(readQuestionSet(exampleSet), evaluation));
    expect(report).toMatchObject({ coverage: 100, precision: 100, chartAgreement: 100, declined: 100, leaks: 0 });
  });
  it.each(asked)(
    "gets one in sixteen of the questions answered on %s, nearly all of them right; nothing leaks, what has no answer gets none",
    async (engine) => {
      const assistant = evaluation.assistants.get(engine) ?? evaluation.assistant;
      const some = sampleOf(questionSets.flatMap(readQuestionSet), 16);
      const report = toReport(await evaluate(some, { ...evaluation, assistant }));
      expect(report.coverage).toBeGreaterThan(90);
      expect(report.precision).toBeGreaterThan(95);
      expect(report).toMatchObject({ declined: 100, leaks: 0 });
    },
  );
  it("sees a wrong answer, and a leak", async () => {
    const wrong = { ask: "calls last month", gold: ["SELECT 1 AS calls"], ordered: false };
    const judging = { ...evaluation, foreign: ["calls: "] };
    const [judged] = await evaluate([wrong], judging);
    expect(judged).toMatchObject({ verdict: "wrong", good: false, leaks: ["calls: "] });
  });
});
