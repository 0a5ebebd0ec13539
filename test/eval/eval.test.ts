import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { evaluate } from "./evaluate.ts";
import { type Evaluation, openEvaluation } from "./platform.ts";
import { loadQuestionSet } from "./question-set.ts";
import { toReport } from "./report.ts";

const folder = fileURLToPath(new URL("questions/", import.meta.url));

let evaluation: Evaluation;
beforeAll(async () => {
  evaluation = await openEvaluation();
});
afterAll(() => evaluation.close());

describe("the evaluation", () => {
  it("reads every question set", () => {
    for (const name of readdirSync(folder)) expect(loadQuestionSet(`${folder}${name}`).cases.length).toBeGreaterThan(0);
  });
  it("finds the example right", async () => {
    const report = toReport(await evaluate(loadQuestionSet(`${folder}example.json`), evaluation));
    expect(report).toMatchObject({ coverage: 100, precision: 100, chartAgreement: 100, declined: 100, leaks: 0 });
  });
  it("gets one in sixteen of the questions answered, nearly all of them right; nothing leaks, what has no answer gets none", async () => {
    const judged = [];
    for (const name of readdirSync(folder)) {
      const { cases, ...set } = loadQuestionSet(`${folder}${name}`);
      const some = cases.filter((_, index) => index % 16 === 0);
      judged.push(...(await evaluate({ ...set, cases: some }, evaluation)));
    }
    const report = toReport(judged);
    expect(report.coverage).toBeGreaterThan(90);
    expect(report.precision).toBeGreaterThan(95);
    expect(report).toMatchObject({ declined: 100, leaks: 0 });
  });
  it("sees a wrong answer, and a leak", async () => {
    const kind = "in_scope";
    const wrong = { ask: "calls last month", gold: ["SELECT 1 AS calls"], ordered: false };
    const judging = { ...evaluation, foreign: ["calls: "] };
    const [judged] = await evaluate({ about: "", kind, cases: [wrong] }, judging);
    expect(judged).toMatchObject({ verdict: "wrong", good: false, leaks: ["calls: "] });
  });
});
