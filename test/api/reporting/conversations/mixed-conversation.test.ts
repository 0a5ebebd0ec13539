// @module-tag slow
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Model } from "../../../../assistant/llm/model.ts";
import { createLlmPlanner } from "../../../../assistant/llm/planner-llm.ts";
import type { PastTurn } from "../../../../assistant/planning.ts";
import type { OrgId } from "../../../../ingest/primitives.ts";
import { orgTwo } from "../../../make.ts";
import { openConversations } from "./conversation-server.ts";

/** What the model knows of a conversation: only what its prompt holds. */
interface Told {
  readonly question: string;
  readonly candidate?: object;
  readonly turns_before?: readonly PastTurn[];
  readonly examples?: readonly object[];
}

type Reply = (told: Told) => object;

const openPlan = { measures: [], dimensions: [], grain: null, filters: [], having: [], columns: [] };
const rest = { period: null, compare: null, order: null, limit: null };
const local = (period: { from: string; to: string; label: string } | null) =>
  period && { ...period, from: period.from.slice(0, 10), to: period.to.slice(0, 10) };

/** The rules' plan, which knows the plan before; its periods are whole days. */
const byPlan: Reply = ({ candidate = {} }) => {
  const { zone: _, ...plan } = { zone: "", ...openPlan, ...rest, ...candidate };
  return {
    kind: "plan",
    reading: "A plan.",
    plan: { ...plan, period: local(plan.period), compare: local(plan.compare) },
  };
};
const bySql =
  (sql: string): Reply =>
  () => ({ kind: "sql", reading: "A SELECT.", sql });
/** The SQL of the turn before with a condition more. */
const withCondition =
  (condition: string): Reply =>
  ({ turns_before: turns = [] }) => ({
    kind: "sql",
    reading: "As before, and narrower.",
    sql: (turns.at(-1)?.sql ?? "SELECT 0 AS nothing").replace("WHERE", `WHERE ${condition} AND`),
  });

const october = "started_at >= '2026-10-01 04:00:00' AND started_at < '2026-11-01 04:00:00'";
const movingAverage = `SELECT day, avg(calls) OVER (ORDER BY day ROWS 6 PRECEDING) AS moving_average FROM (SELECT date_trunc('day', started_at) AS day, count(*) AS calls FROM calls WHERE ${october} GROUP BY 1) AS days`;
const both = `SELECT count(*) AS callers FROM (SELECT caller_id FROM calls WHERE duration > 30 GROUP BY 1 HAVING count(*) > 2) AS often`;

/** Questions, what the model makes of each of what it is told, and what the SQL that ran must hold. */
const conversation: readonly (readonly [string, Reply, readonly RegExp[]])[] = [
  ["calls by campaign last month", byPlan, [/campaign_name/, /2026-10-01/]],
  ["only from Texas", byPlan, [/campaign_name/, /'TX'/, /2026-10-01/]],
  ["7 day moving average of calls last month", bySql(movingAverage), [/6 PRECEDING/]],
  [
    "only medicare advantage",
    withCondition("campaign_name = 'Medicare Advantage'"),
    [/6 PRECEDING/, /'Medicare Advantage'/],
  ],
  ["and only from Florida", withCondition("caller_state = 'FL'"), [/6 PRECEDING/, /Medicare/, /'FL'/]],
  ["revenue by publisher last month", byPlan, [/publisher_name/, /revenue/, /2026-10-01/]],
  ["top 2", byPlan, [/publisher_name/, /revenue/, /LIMIT 2/]],
  ["only converted", byPlan, [/publisher_name/, /converted/, /LIMIT 2/]],
  ["callers with more than 2 calls over 30 seconds", bySql(both), [/HAVING count\(\*\) > 2/]],
  ["only solar east", withCondition("campaign_name = 'Solar East'"), [/HAVING count/, /'Solar East'/]],
  ["only from California", withCondition("caller_state = 'CA'"), [/HAVING count/, /'Solar East'/, /'CA'/]],
  ["failed calls by day last week", byPlan, [/failed/, /2026-11-09/]],
  ["by campaign instead", byPlan, [/failed/, /campaign_name/, /2026-11-09/]],
  ["what about last month", byPlan, [/failed/, /campaign_name/, /2026-10-01/]],
  ["7 day moving average of calls last month, please", bySql(movingAverage), [/6 PRECEDING/]],
  ["only acme media", withCondition("publisher_name = 'Acme Media'"), [/6 PRECEDING/, /'Acme Media'/]],
  ["only over 60 seconds", withCondition("duration > 60"), [/6 PRECEDING/, /'Acme Media'/, /> 60/]],
  ["profit by buyer this quarter", byPlan, [/buyer_name/, /profit/]],
  ["only from New York", byPlan, [/buyer_name/, /profit/, /'NY'/]],
  ["by month", byPlan, [/profit/, /'NY'/]],
];

let server: Awaited<ReturnType<typeof openConversations>>;
const told: Told[] = [];
beforeAll(async () => {
  const model: Model = {
    async complete(messages) {
      const heard: Told = JSON.parse(messages.find(({ role }) => role === "user")?.content ?? "{}");
      told.push(heard);
      const [, reply = byPlan] = conversation.find(([question]) => question === heard.question) ?? [];
      return { reply: reply(heard), usage: { input_tokens: 0, output_tokens: 0 } };
    },
  };
  const fail = (error: unknown): never => {
    throw error;
  };
  server = await openConversations({
    plannerOver: (guarded, clock) =>
      createLlmPlanner({
        model,
        guarded,
        clock,
        engine: "DuckDB",
        sendValues: true,
        deadlineMs: 60_000,
        onTrouble: fail,
      }),
  });
});
afterAll(() => server.close());

it("a conversation of twenty questions, by plans and by SQL, keeps its subject", async () => {
  let session_id: string | undefined;
  for (const [query, , holds] of conversation) {
    const { body } = await server.ask({ query, session_id }, { user: "who goes on" });
    session_id = body.session_id;
    expect({ query, planner: body.planner }).toEqual({ query, planner: "llm" });
    for (const each of holds) expect(`${query}: ${body.sql}`).toMatch(each);
  }
  // What is told of the turns before stays within its budget.
  for (const { turns_before: turns = [] } of told) expect(JSON.stringify(turns).length).toBeLessThan(7_000);
  expect(told.find(({ question }) => question === "by month")?.turns_before?.length).toBeGreaterThan(3);
});

it("a model is told what the organization approved of similar questions, and nothing of others' approvals", async () => {
  const approve = async (query: string, org?: OrgId) => {
    const user = { user: "who approves", ...(org === undefined ? {} : { org }) };
    const { body } = await server.ask({ query }, user);
    const { message_id } = body;
    const { status } = await server.send("POST", `/messages/${message_id}/feedback`, {
      ...user,
      body: { useful: true },
    });
    expect(status).toBe(200);
  };
  await approve("revenue by publisher last week");
  await approve("calls by state yesterday");
  await approve("revenue by publishers last week", orgTwo);
  const query = "revenue by publisher last week, please";
  await server.ask({ query }, { user: "who asks" });
  expect(told.find(({ question }) => question === query)?.examples).toEqual([
    {
      question: "revenue by publisher last week",
      plan: expect.objectContaining({ measures: ["revenue"], dimensions: ["publisher"], period: "last week" }),
    },
  ]);
});
