import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unknownFigures } from "../../../assistant/llm/summarizer.ts";
import type { GuardedWarehouse } from "../../../warehouse/guarded/guarded.ts";
import { openExampleWarehouse } from "../example-data.ts";
import { openLlmAssistant, planStep } from "./llm-assistant.ts";
import type { Step } from "./openai-server.ts";

let warehouse: GuardedWarehouse;
beforeAll(async () => {
  warehouse = await openExampleWarehouse();
});
afterAll(() => warehouse.close());

const open = (steps: readonly Step[], given: object = {}) =>
  openLlmAssistant(warehouse, steps, { sumsUp: true, ...given });

const byHour = planStep({ grain: "hour_of_day" });
const summary = (text: string): Step => ({ arguments: { summary: text } });
const question = "calls by hour of day";

describe("a model's summary of a larger result", () => {
  it("stands beside the answer, whose words stay the rows' own, and its tokens count", async () => {
    const text = "Calls came at every hour.";
    const { ask, server, reports } = await open([byHour, summary(text)]);
    const answer = await ask(question);
    expect(answer).toMatchObject({ model_summary: text, usage: { input_tokens: 2000, requests: 2 } });
    expect(answer.answer).not.toContain(text);
    const sent = JSON.parse(server.requests[1]?.body.messages[1].content);
    expect(sent).toMatchObject({ question, rows_sent: `all ${answer.data.row_count}` });
    expect(sent.rows).toHaveLength(answer.data.row_count);
    expect(reports.map(({ purpose, outcome }) => [purpose, outcome])).toEqual([
      ["question", "plan"],
      ["summary", "summary"],
    ]);
  });

  it("with a figure that the rows do not have goes back to it, and is left out if it has another one", async () => {
    const right = "No hour stands out.";
    const mended = await open([byHour, summary("At most 9,999 calls came."), summary(right)]);
    expect(await mended.ask(question)).toMatchObject({ model_summary: right });
    expect(mended.server.requests[2]?.body.messages.at(-1).content).toContain("The rows do not have 9999.");
    const stubborn = await open([byHour, summary("At most 9,999."), summary("Or 8,888.")]);
    expect(await stubborn.ask(question)).not.toHaveProperty("model_summary");
    expect(stubborn.reports.at(-1)).toMatchObject({ purpose: "summary", outcome: "no_valid_answer" });
  });

  it.each<[string, Step]>([
    ["addresses", summary("See https://evil.example.")],
    ["nothing", { message: { content: null } }],
    ["an error", { status: 500, body: {} }],
    ["nothing within its time", "hang"],
  ])("with %s is left out of an answer that is there all the same", async (_what, step) => {
    const { ask } = await open([byHour, step, step], { deadlineMs: 1_500 });
    const answer = await ask(question);
    expect(answer).toMatchObject({ planner: "llm", plan: { grain: "hour_of_day" } });
    expect(answer).not.toHaveProperty("model_summary");
  });

  it("is not asked for of a few rows, and rows are sent for nothing else", async () => {
    const few = await open([planStep()]);
    expect(await few.ask("how many calls")).not.toHaveProperty("model_summary");
    expect(few.server.requests).toHaveLength(1);
    const off = await open([byHour], { sumsUp: false });
    expect(await off.ask(question)).not.toHaveProperty("model_summary");
    expect(off.server.requests).toHaveLength(1);
  });
});

it.each<[string, string[]]>([
  ["Solar East has 1,204 calls, 12.3% of them converted.", []],
  ["About 12% of 1204 calls converted.", []],
  ["1,205 calls", ["1205"]],
  ["12.35%", ["12.35"]],
  ["$5.5, or $6", []],
])("figures of “%s” that the rows neither have nor round to", (text, unknown) => {
  expect(unknownFigures(text, '{"calls":"1,204","rate":"12.34%","bid":"$5.50"}')).toEqual(unknown);
});
