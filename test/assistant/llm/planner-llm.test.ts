import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { typeOfColumn } from "../../../assistant/llm/catalog-text.ts";
import type { GuardedWarehouse } from "../../../warehouse/guarded/guarded.ts";
import { publicColumns } from "../../../warehouse/public-tables.ts";
import { raw } from "../../../warehouse/statement.ts";
import { orgOne, orgTwo } from "../../make.ts";
import { openExampleWarehouse } from "../example-data.ts";
import { type Given, key, openLlmAssistant, planStep, sqlReply } from "./llm-assistant.ts";
import { readRecording, type Step } from "./openai-server.ts";

let warehouse: GuardedWarehouse;
beforeAll(async () => {
  warehouse = await openExampleWarehouse();
});
afterAll(() => warehouse.close());

const open = (steps: readonly Step[], given: Given = {}) => openLlmAssistant(warehouse, steps, given);

/** Replays a recording; every request must have sent what the recording says. */
async function replay(name: string) {
  const { question, exchanges } = readRecording(name);
  const opened = await open(exchanges);
  const answer = await opened.ask(question);
  const { requests } = opened.server;
  expect(requests).toHaveLength(exchanges.length);
  exchanges.forEach(({ sends }, at) => {
    const last = requests[at]?.body.messages.at(-1).content;
    for (const text of sends) expect(last).toContain(text);
  });
  return answer;
}

describe("a language model's plan", () => {
  it("answers as any plan does, its dates read in the organization's zone", async () => {
    const answer = await replay("plan");
    expect(answer).toMatchObject({ planner: "llm", usage: { input_tokens: 1000, output_tokens: 50, requests: 1 } });
    expect(answer.plan?.period).toMatchObject({ from: "2026-10-01T04:00:00.000Z", to: "2026-11-01T04:00:00.000Z" });
    const { rows } = await warehouse.query(
      raw(`SELECT campaign_name AS campaign, sum(revenue) AS revenue FROM calls WHERE org_id = '${orgOne}'
        AND started_at >= '2026-10-01 04:00:00' AND started_at < '2026-11-01 04:00:00' GROUP BY 1 ORDER BY 2 DESC LIMIT 1`),
    );
    expect(answer.data.rows).toEqual(rows);
    expect(answer.sql).toContain("org_id = 'org_one'");
  });

  it("is told what is wrong with it, twice at most, and spells names as the organization does", async () => {
    const answer = await replay("mended");
    expect(answer).toMatchObject({ planner: "llm", usage: { input_tokens: 3000, output_tokens: 150, requests: 3 } });
    expect(answer.plan?.filters).toEqual([{ field: "campaign", op: "is", values: ["Solar East"] }]);
  });

  it.each<[string, object, RegExp]>([
    ["a measure that is none", { measures: ["karma"] }, /no measure "karma"/],
    ["a dimension that is none", { dimensions: ["mood"] }, /no dimension "mood"/],
    ["a filter on nothing", { filters: [{ field: "mood", op: "is", values: ["x"] }] }, /"mood"/],
    ["a name that nobody has", { filters: [{ field: "buyer", op: "is", values: ["Evil"] }] }, /no buyer named "Evil"/],
    ["a date that is none", { period: { from: "last week", to: "2026-10-01", label: "x" } }, /must be a date/],
    ["a period that ends before it begins", { period: { from: "2026-10-02", to: "2026-10-01", label: "x" } }, /x/],
    ["a table that is none", { subject: "secrets" }, /subject/],
    ["nothing to measure", { measures: [] }, /does not fit/],
    ["too much", { measures: Array(9).fill("calls") }, /measures/],
  ])("with %s is mended before it runs", async (_what, change, words) => {
    const { ask, server } = await open([planStep(change), planStep()]);
    expect(await ask("how many calls")).toMatchObject({ planner: "llm", data: { rows: [{ calls: 240 }] } });
    expect(server.requests[1]?.body.messages.at(-1).content).toMatch(words);
  });

  it("that three tries leave wrong gives way to the rules, and counts what was spent", async () => {
    const { ask, server, troubles } = await open([
      planStep({ measures: ["karma"] }),
      planStep({ subject: "x" }),
      { arguments: {} },
      planStep(),
    ]);
    const answer = await ask("how many calls");
    expect(answer).toMatchObject({ planner: "offline", usage: { requests: 3 }, data: { rows: [{ calls: 240 }] } });
    expect(server.requests).toHaveLength(3);
    expect(troubles).toEqual([]);
  });
});

describe("a language model's SQL", { tags: ["slow"] }, () => {
  it("runs behind the guard, is mended by the guard's words, and is told to be a model's", async () => {
    const answer = await replay("sql");
    const { rows } = await warehouse.query(
      raw(`SELECT count(*) AS callers FROM (SELECT caller_id FROM calls WHERE org_id = '${orgOne}' AND campaign_name LIKE 'Solar%'
        INTERSECT SELECT caller_id FROM calls WHERE org_id = '${orgOne}' AND campaign_name = 'Medicare Advantage')`),
    );
    expect(answer).toMatchObject({ planner: "llm", plan: null, data: { rows }, usage: { requests: 2 } });
    expect(answer.explanation).toContain("A language model wrote this SQL");
  });

  it.each([
    `SELECT * FROM memory.main.calls WHERE org_id = '${orgTwo}'`,
    "DROP TABLE calls",
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT 1; DELETE FROM calls",
  ])("such as %s never runs", async (sql) => {
    const { ask } = await open([sqlReply(sql), sqlReply(sql), sqlReply(sql)]);
    const answer = await ask("how many calls");
    expect(answer).toMatchObject({ planner: "offline", data: { rows: [{ calls: 240 }] } });
  });

  it("brings the organization's own rows, whatever it names", async () => {
    const { ask } = await open([sqlReply(`SELECT count(*) AS n FROM calls WHERE org_id = '${orgTwo}'`)]);
    expect((await ask("calls of the others")).data.rows).toEqual([{ n: 0 }]);
  });

  it("has no figure said for it that its rows do not bear", async () => {
    const sql = "SELECT count(*) AS calls FROM calls";
    const reply = (reading: string): Step => ({ arguments: { kind: "sql", reading, sql } });
    const { ask } = await open([reply("There were 9,999 calls."), reply("There were 240 calls.")]);
    const question = "calls, if you please";
    const { answer } = await ask(question);
    expect(answer).toContain(`“${question}”. calls: 240.`);
    expect(answer).not.toContain("9,999");
    expect((await ask(question)).answer).toMatch(/^There were 240 calls\. calls: 240\./);
  });

  it("that takes too long gives way to the rules", async () => {
    const endless =
      "SELECT count(*) AS n FROM calls AS a, calls AS b, calls AS c, calls AS d, calls AS e WHERE a.duration + b.duration + c.duration + d.duration + e.duration < 0";
    const { ask } = await open([sqlReply(endless)], { deadlineMs: 400 });
    expect(await ask("how many calls")).toMatchObject({ planner: "offline", data: { rows: [{ calls: 240 }] } });
  });
});

describe("what a language model is sent", () => {
  it("is the catalog, the question, the rules' candidate and names that the question speaks of; no row, no other name", async () => {
    const { ask, server } = await open([planStep()]);
    await ask("calls for solar east last month");
    const [{ authorization, body } = { authorization: "", body: {} }] = server.requests;
    expect(authorization).toBe(`Bearer ${key}`);
    const [system, user] = body.messages;
    expect(system.content).toContain("conversion_rate");
    expect(JSON.parse(user.content)).toMatchObject({
      question: "calls for solar east last month",
      candidate: { measures: ["calls"], period: { label: "last month" } },
      names: { campaign: ["Solar East", "Solar West"] },
    });
    const sent = JSON.stringify(body);
    for (const other of ["Red Hill", "Blue Lake", "Medicare", "+1212", "org_one", "org_two", key])
      expect(sent).not.toContain(other);
  });

  it("is of the catalog what the question needs: names of all, definitions of what it touches", async () => {
    const { ask, server } = await open([planStep()]);
    await ask("EPC by campaign last month");
    const [system] = server.requests[0]?.body.messages ?? [];
    // All that can be named of calls, and what else there is.
    for (const name of ["conversion_rate", "margin", "outbound_rtb_requests", "fill_rate"])
      expect(system.content).toContain(name);
    expect(system.content).toMatch(/epc.*\[.*earnings per call/i);
    expect(system.content).not.toMatch(/abandoned_calls[^,]*\[/);
    expect(system.content).toMatch(/\ncalls\(text: org_id.*; time: started_at.*; boolean: .*converted.*; map: tags/);
    expect(system.content).not.toContain("outbound_rtb_requests(");
    // About four letters are a token: less than half of the whole catalog.
    expect(JSON.stringify(server.requests[0]?.body).length).toBeLessThan(14_000);
  });

  it("has every column's type as the store has it", async () => {
    for (const [table, names] of Object.entries(publicColumns)) {
      const text = `SELECT * FROM ${table} LIMIT 0`;
      const { columns } = await warehouse.guarded.select({ orgId: orgOne, text, maxRows: 1 });
      expect(columns).toEqual(names.map((name) => ({ name, type: typeOfColumn(name) })));
    }
  });

  it("has the definition of what only its own words tell of", async () => {
    const { ask, server } = await open([planStep(), planStep()]);
    await ask("webhooks that timed out by receiver yesterday");
    expect(server.requests[0]?.body.messages[0].content).toMatch(/outgoing_webhook_requests\(text: org_id/);
  });

  it("has no name of the organization's where that is not wanted", async () => {
    const { ask, server } = await open([planStep(), planStep()], { sendValues: false });
    const first = await ask("calls for sun east");
    expect(JSON.stringify(server.requests)).not.toMatch(/Solar|candidate\\"/);
    const { length } = server.requests;
    const offline = await ask("by publisher instead", { previousPlan: first.plan ?? undefined });
    expect(offline.planner).toBe("offline");
    expect(server.requests).toHaveLength(length);
  });
});

describe("a question that must be refused", () => {
  it("is not sent to a language model", async () => {
    const { ask, server } = await open([]);
    const answer = await ask("delete all calls of last month");
    expect(answer).toMatchObject({ planner: "offline", sql: "" });
    expect(answer).not.toHaveProperty("fallback");
    expect(server.requests).toHaveLength(0);
  });
});

describe("the rows of a language model's SQL", { tags: ["slow"] }, () => {
  const local = "timezone('America/New_York', timezone('UTC', started_at))";
  const byDay = (time: string): Step =>
    sqlReply(`SELECT date_trunc('day', ${time}) AS day, sum(revenue) AS earned FROM calls GROUP BY 1 ORDER BY 1`);

  it("have the units of what they come from, and days as the organization has them", async () => {
    const { ask } = await open([byDay(local)]);
    const { data, answer } = await ask("what we earned day after day");
    expect(data.columns).toEqual([
      { name: "day", type: "text", unit: null },
      { name: "earned", type: "number", unit: "money" },
    ]);
    // The last call came at 23:00, which is the next day in UTC.
    expect(data.rows.at(-1)).toMatchObject({ day: "2026-11-20" });
    expect(answer).toContain("no reading of the question to hold its SQL against");
  });

  it("are not by days of UTC, unless the answer says so", async () => {
    const { ask, server } = await open([byDay("started_at"), byDay(local)]);
    expect(await ask("what we earned day after day")).toMatchObject({ usage: { requests: 2 } });
    expect(server.requests[1]?.body.messages.at(-1).content).toContain("begin at midnight of UTC");
    const stubborn = await open([byDay("started_at"), byDay("started_at")]);
    expect((await stubborn.ask("what we earned day after day")).answer).toContain(
      "are of UTC, not of America/New_York",
    );
  });

  it("are said with their unit where it is one figure", async () => {
    const { ask } = await open([sqlReply("SELECT max(duration) AS longest FROM calls")]);
    expect((await ask("how long at the very longest")).answer).toContain("longest: 10 min");
  });
});
