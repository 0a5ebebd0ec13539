import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Example, openExample } from "./example-assistant.ts";

let example: Example;
beforeAll(async () => {
  example = await openExample();
});
afterAll(() => example.close());

const askAfterSql = (question: string) =>
  example.assistant.ask({ orgId: "org_one", timeZone: "UTC", question, previousSql: "SELECT 1 AS one" });

describe("after an answer by SQL, the rules", () => {
  it.each([
    "only Texas",
    "by publisher instead",
    "and last month?",
    "top 5",
    "as a table",
    "remove the Texas filter",
    "what about payout?",
    "sort it by revenue",
  ])("say that they cannot change it: %s", async (question) => {
    const { answer, plan, sql } = await askAfterSql(question);
    expect([plan, sql]).toEqual([null, ""]);
    expect(answer).toMatch(/cannot change SQL by rules\. Ask the whole question, or edit the SQL/);
  });

  it.each([
    "revenue by campaign last month",
    "how many calls yesterday",
    "calls by hour of day last week",
    "failed webhook deliveries by webhook last 7 days",
    "top 5 publishers by profit this quarter",
    "revenue this month vs last month",
    "list the last 10 calls",
  ])("answer a question of its own as ever: %s", async (question) => {
    const { plan } = await askAfterSql(question);
    expect(plan).not.toBeNull();
    expect(plan).toEqual((await example.ask(question, { timeZone: "UTC" })).plan);
  });
});
