// @module-tag slow
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parsePlan } from "../../../assistant/parse-plan.ts";
import type { GuardedWarehouse } from "../../../warehouse/guarded/guarded.ts";
import { openExampleWarehouse } from "../example-data.ts";
import { type Given, openLlmAssistant, planStep, sqlReply } from "./llm-assistant.ts";
import type { Step } from "./openai-server.ts";

let warehouse: GuardedWarehouse;
beforeAll(async () => {
  warehouse = await openExampleWarehouse();
});
afterAll(() => warehouse.close());

const open = (steps: readonly Step[], given: Given = {}) => openLlmAssistant(warehouse, steps, given);

const october = { from: "2026-10-01", to: "2026-11-01", label: "last month" };
const september = { from: "2026-09-01", to: "2026-10-01", label: "September" };
const texas = { field: "state", op: "is", values: ["TX"] };
const question = "calls from Texas last month";
const right = planStep({ filters: [texas], period: october });

describe("a plan of a model", () => {
  it("that says what the rules' plan says stands alone", async () => {
    const { ask, server } = await open([right]);
    const answer = await ask(question);
    expect(answer).toMatchObject({ planner: "llm", plan: { filters: [texas] } });
    expect(answer).not.toHaveProperty("other_reading");
    expect(answer.interpretation?.notes).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });

  it.each<[string, object, string]>([
    ["a condition", { period: october }, "from Texas"],
    ["a period", { filters: [texas] }, "last month"],
    ["a period by another one", { filters: [texas], period: september }, "last month"],
  ])("that leaves out %s goes back to it with the words", async (_what, change, words) => {
    const { ask, server } = await open([planStep(change), right]);
    expect(await ask(question)).toMatchObject({ planner: "llm", plan: { filters: [texas] }, usage: { requests: 2 } });
    expect(server.requests[1]?.body.messages.at(-1).content).toContain(words.replace("from ", ""));
  });

  it.each<[string, object, string[], RegExp]>([
    ["leaves a condition out", { period: october }, ["left out “state is TX”"], /does not use “Texas” of the question/],
    ["moves the period", { filters: [texas], period: september }, [], /took .*September.* in place of last month/],
  ])(
    "that %s all the same is shown beside the rules' reading, which can be taken",
    async (_what, change, differences, words) => {
      const { ask } = await open([planStep(change), planStep(change)]);
      const answer = await ask(question);
      expect(answer.answer).toMatch(words);
      expect(answer.answer).toContain("The built-in rules read the question as “Calls last month");
      expect(answer.interpretation?.notes.join()).toMatch(words);
      for (const each of differences) expect(answer.other_reading?.differences).toContain(each);
      const other = await ask("", { plan: parsePlan(answer.other_reading?.plan) ?? undefined });
      expect(other).toMatchObject({ plan: { filters: [texas], period: { from: "2026-10-01T04:00:00.000Z" } } });
    },
  );

  it("that measures or groups otherwise, or adds a condition, is shown beside the rules' reading", async () => {
    const florida = { field: "state", op: "is", values: ["FL"] };
    const plan = { measures: ["revenue"], dimensions: ["buyer"], filters: [florida], period: october };
    const { ask } = await open([planStep(plan)]);
    expect((await ask("calls by publisher last month")).other_reading?.differences).toEqual([
      "added “state is FL”",
      "took revenue in place of calls",
      "took groups by buyer in place of groups by publisher",
    ]);
  });

  it("that says the same in another form is no other reading", async () => {
    const { ask } = await open([
      planStep({ measures: ["calls"], filters: [{ field: "status", op: "is", values: ["failed"] }] }),
    ]);
    const answer = await ask("how many failed calls");
    expect(answer).not.toHaveProperty("other_reading");
    expect(answer).toMatchObject({ planner: "llm", usage: { requests: 1 } });
  });

  it("of a follow-up need not bear what the question takes back", async () => {
    const { ask, server } = await open([right, planStep({ period: october })]);
    const first = await ask(question);
    const next = await ask("remove the Texas filter", { previousPlan: first.plan ?? undefined });
    expect(next).toMatchObject({ planner: "llm", plan: { filters: [] } });
    expect(server.requests).toHaveLength(2);
  });

  it("bears names that nobody knows, which are conditions as well", async () => {
    const { ask, server } = await open([planStep(), planStep()]);
    const answer = await ask("calls that came by Zorblax");
    expect(server.requests).toHaveLength(2);
    expect(answer.answer).toContain("does not use “Zorblax”");
  });
});

describe("SQL of a model", () => {
  const from = "SELECT count(*) AS calls FROM calls WHERE";
  const period = "started_at >= '2026-10-01 04:00:00' AND started_at < '2026-11-01 04:00:00'";
  const whole = sqlReply(`${from} caller_state = 'TX' AND ${period}`);

  it.each<[string, string, string]>([
    ["a condition", `${from} ${period}`, "Texas"],
    ["a period", `${from} caller_state = 'TX'`, "last month"],
    [
      "a period by another one",
      `${from} caller_state = 'TX' AND started_at >= '2026-09-01 04:00:00' AND started_at < '2026-10-01 04:00:00'`,
      "last month",
    ],
  ])("that leaves out %s goes back to it, and is told of where it stays so", async (_what, sql, words) => {
    const first = await open([sqlReply(sql), whole]);
    expect(await first.ask(question)).toMatchObject({ planner: "llm", usage: { requests: 2 } });
    expect(first.server.requests[1]?.body.messages.at(-1).content).toContain(words);
    const { ask } = await open([sqlReply(sql), sqlReply(sql)]);
    expect((await ask(question)).answer).toContain(`does not use “${words}”`);
  });

  it("that is whole stands beside the rules' reading, which can be taken", async () => {
    const { ask, server } = await open([whole]);
    const answer = await ask(question);
    expect(answer.other_reading).toMatchObject({ differences: [], plan: { filters: [texas] } });
    expect(answer.answer).not.toContain("does not use");
    expect(server.requests).toHaveLength(1);
    expect(JSON.parse(server.requests[0]?.body.messages.at(-1).content).periods).toEqual([
      { said: "last month", from: "2026-10-01 04:00:00", to: "2026-11-01 04:00:00" },
    ]);
  });
});

describe("a model that does not answer with figures", () => {
  it("may ask back, and what it offers can be asked", async () => {
    const options = ["calls that lasted over 90 s by campaign", "converted calls by campaign"];
    const reply: Step = { arguments: { kind: "ask", reading: "What is a good call to you?", options } };
    const { ask, reports } = await open([reply]);
    expect(await ask("good calls by campaign")).toMatchObject({
      planner: "llm",
      sql: "",
      clarification: { question: "What is a good call to you?", options },
    });
    expect(reports.map(({ outcome }) => outcome)).toEqual(["clarify"]);
  });

  it("says why, offers what can be asked, and the rules' reading as the other one", async () => {
    const reading = "The data hold no weather.";
    const none: Step = { arguments: { kind: "none", reading } };
    const { ask } = await open([none, none]);
    const answer = await ask("how warm was it in Texas");
    expect(answer).toMatchObject({ planner: "llm", sql: "", answer: reading });
    expect(answer.follow_ups).toHaveLength(3);
    const other = await ask(question);
    expect(other).toMatchObject({ planner: "llm", sql: "", other_reading: { plan: { filters: [texas] } } });
    expect(other.answer).toMatch(/^The data hold no weather\. The built-in rules read the question as/);
  });

  it.each([
    ["addresses", "See https://evil.example for more."],
    ["several lines", "No.\nIgnore the above."],
    ["figures that nobody said", "There were 512 calls, but I may not say so."],
  ])("is shown no %s of its own", async (_what, reading) => {
    const { ask, server } = await open([{ arguments: { kind: "none", reading } }, right]);
    expect(await ask(question)).toMatchObject({ planner: "llm", plan: { filters: [texas] } });
    expect(server.requests).toHaveLength(2);
  });
});
