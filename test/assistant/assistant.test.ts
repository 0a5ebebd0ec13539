import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answer } from "../../assistant/answer.ts";
import { createAssistant } from "../../assistant/assistant.ts";
import { anInboundPing, orgOne, orgTwo } from "../make.ts";
import { type Example, openExample } from "./example-assistant.ts";
import { now, openExampleWarehouse, zone } from "./example-data.ts";
import { calls, golds, october } from "./gold-questions.ts";

let example: Example;
/** What the questions with hand-written SQL are answered. */
let answers: readonly Answer[];
beforeAll(async () => {
  example = await openExample();
  answers = await Promise.all(golds.map(([question]) => ask(question)));
});
afterAll(() => example.close());

const ask: Example["ask"] = (question, given) => example.ask(question, given);
const gold: Example["gold"] = (text) => example.gold(text);

describe("a listing", () => {
  it("shows the newest rows first, as many as asked", async () => {
    const { data, chart_suggestion: chart, answer } = await ask("list the last 10 calls from Texas");
    expect(data.rows).toHaveLength(10);
    expect(data.rows.every((row) => row["caller_state"] === "TX")).toBe(true);
    expect(chart).toMatchObject({ type: "table", vega_lite: null });
    expect(answer).toMatch(/^10 calls .*, newest first/);
  });
  it("shows the longest", async () => {
    const { data } = await ask("5 longest calls last month");
    const longest = await gold(`SELECT duration ${calls} AND ${october} ORDER BY duration DESC LIMIT 5`);
    expect(data.rows.map((row) => row["duration"])).toEqual(longest.map((row) => row["duration"]));
  });
});

describe("what is still being loaded", () => {
  const asking = async (question: string, since: number | null) => {
    const asked: (string | undefined)[] = [];
    const assistant = createAssistant({
      warehouse: example.warehouse,
      clock: { now: () => now, sleep: () => Promise.resolve() },
      loadingLag: async (table) => {
        asked.push(table);
        return since;
      },
    });
    const { answer, interpretation } = await assistant.ask({ orgId: orgOne, timeZone: zone, question });
    return { answer, notes: interpretation?.notes ?? [], asked };
  };
  const sentence = "Records of the last 3 minutes are still being loaded, so some of them may be missing here.";

  it("is told beside the figures that it may be missing in", async () => {
    const { answer, notes, asked } = await asking("calls last month", now - 150_000);
    expect(answer).toContain(sentence);
    expect(notes).toEqual([sentence]);
    expect(asked).toEqual(["calls"]);
  });
  it("is no remark where all is loaded, or there are no figures", async () => {
    expect((await asking("calls last month", null)).notes).toEqual([]);
    expect((await asking("what is the weather", now - 150_000)).answer).not.toContain("loaded");
  });
});

describe("the fence", () => {
  it("shows each organization its own rows only, and both have some", async () => {
    for (const [at, [question]] of golds.entries()) {
      const two = await ask(question, { orgId: orgTwo });
      const one = answers[at] ?? two;
      expect(one.sql).toContain("org_id = 'org_one'");
      expect(one.sql).not.toContain("org_two");
      expect(two.sql).not.toContain("org_one");
    }
    const counts = await Promise.all([orgOne, orgTwo, "nobody"].map((orgId) => ask("how many calls", { orgId })));
    expect(counts.map(({ data }) => data.rows[0]?.["calls"])).toEqual([240, 60, 0]);
  });
  it("fences every read of a table", async () => {
    const others = ["calls by day", "revenue by month vs x", "calls in October vs September"];
    for (const { sql } of [...answers, ...(await Promise.all(others.map((question) => ask(question))))]) {
      const reads = sql.match(/FROM (calls|\w+_requests)/g) ?? [];
      const fences = sql.match(/org_id = 'org_one'/g) ?? [];
      expect(fences.length, sql).toBe(reads.length);
    }
  });
  it("takes a name with a quote as a name", async () => {
    const { answer, sql } = await ask(`calls for campaign "x' OR 1=1 --"`);
    expect(sql).toBe("");
    expect(answer).toMatch(/do not know/);
  });
});

describe("the answer", () => {
  it("has the figures, the exact dates and the zone, three more questions, and a bar chart", async () => {
    const stages: string[] = [];
    const answer = await example.assistant.ask({
      orgId: orgOne,
      timeZone: zone,
      question: "revenue by campaign last month",
      onProgress: (stage) => stages.push(stage),
    });
    expect(answer.answer).toMatch(/^Revenue by campaign last month \(Oct 1 – 31, 2026\): /);
    expect(answer.answer).toMatch(/in all \$\d/);
    expect(answer.explanation).toContain(`by started_at in ${zone}.`);
    expect(answer.interpretation?.period).toEqual({
      from: "2026-10-01T04:00:00.000Z",
      to: "2026-11-01T04:00:00.000Z",
      zone,
      label: "last month",
    });
    expect(answer.data.columns).toEqual([
      { name: "campaign", type: "text", unit: null },
      { name: "revenue", type: "number", unit: "money" },
    ]);
    expect(answer.chart_suggestion).toMatchObject({ type: "bar", x_axis: "campaign", y_axis: "revenue" });
    expect(answer.follow_ups).toHaveLength(3);
    expect(stages).toEqual(["planning", "querying", "charting", "done"]);
  });
  it("suggests only questions that it can answer", { tags: ["slow"] }, async () => {
    const questions = new Set(await example.assistant.suggestions(orgOne));
    for (const next of answers.flatMap((answer) => answer.follow_ups)) questions.add(next);
    expect(questions.size).toBeGreaterThan(20);
    for (const question of questions) expect((await ask(question)).sql, question).not.toBe("");
  });
  it("says when there is nothing, and where the nearest data is", async () => {
    expect((await ask("calls in January 2025")).answer).toMatch(
      /^0 calls in January 2025 \(Jan 1 – 31, 2025\)\. .* the first after is from Aug \d, 2026/,
    );
    expect((await ask("calls on 2026-03-05 from Texas")).answer).toContain("the first after is from");
    expect((await ask("refused webhook deliveries yesterday")).answer).toMatch(/^0 webhook deliveries yesterday/);
    expect((await ask("publishers with more than 1000 calls last month")).answer).toMatch(/: none\.$/);
    // Calls there were, only none that was payable: that is a figure, not a lack of data.
    expect((await ask("payable calls yesterday")).answer).toMatch(/^0 payable calls yesterday/);
    expect((await ask("revenue by campaign", { orgId: "nobody" })).answer).toBe(
      "There is no revenue over all data, as there are no calls.",
    );
  });
  it("tells from the catalog how a figure is made, and goes on to that figure", async () => {
    const answer = await ask("how is conversion rate calculated?");
    expect(answer).toMatchObject({
      answer: "Conversion rate: Converted calls as a share of all calls.",
      sql: "",
      plan: null,
      follow_ups: ["conversion rate last month", "conversion rate by day last 30 days"],
    });
    expect(answer.clarification).toBeUndefined();
  });
  it("asks which one when a name means several things, with questions to choose from", async () => {
    const { clarification, sql } = await ask("calls to acme");
    expect(sql).toBe("");
    expect(clarification?.options).toEqual(['calls for buyer "Acme"', 'calls for target "Acme"']);
    for (const option of clarification?.options ?? []) expect((await ask(option)).sql).not.toBe("");
  });
  it("knows a new name seconds after the names were read last", async () => {
    const warehouse = await openExampleWarehouse();
    let time = now;
    const own = createAssistant({ warehouse, clock: { now: () => time, sleep: () => Promise.resolve() } });
    const ask = (orgId: string) =>
      own.ask({ orgId, timeZone: zone, question: "how many inbound pings from Zebra Referrals" });
    const ping = anInboundPing({ request_id: "new", org_id: orgOne, publisher_name: "Zebra Referrals" });
    const at = { topic: "rtb-requests", partition: 1, firstOffset: 0, nextOffset: 1 } as const;
    expect((await ask(orgOne)).answer).toMatch(/do not know “Zebra”/);
    await warehouse.store({ ...at, values: [JSON.stringify(ping)] });
    time += 5_000;
    expect((await ask(orgOne)).data.rows).toEqual([{ pings: 1 }]);
    expect((await ask(orgTwo)).sql).toBe("");
    await warehouse.close();
  });
  it("takes a part of a name for that name only where no newer name is said whole", async () => {
    const warehouse = await openExampleWarehouse();
    let time = now;
    const own = createAssistant({ warehouse, clock: { now: () => time, sleep: () => Promise.resolve() } });
    const ask = () =>
      own.ask({ orgId: orgOne, timeZone: zone, question: "how many inbound pings from Zebra Referrals" });
    const publisherIn = async () => (await ask()).plan?.filters[0]?.values;
    const store = (name: string, partition: number) => {
      const ping = anInboundPing({ request_id: name, org_id: orgOne, publisher_name: name });
      const at = { topic: "rtb-requests", partition, firstOffset: 0, nextOffset: 1 } as const;
      return warehouse.store({ ...at, values: [JSON.stringify(ping)] });
    };
    await store("Zebra Referrals West", 1);
    expect(await publisherIn()).toEqual(["Zebra Referrals West"]);
    await store("Zebra Referrals", 2);
    time += 5_000;
    expect(await publisherIn()).toEqual(["Zebra Referrals"]);
    await warehouse.close();
  });
});

describe("a follow-up", () => {
  it("patches the plan before, slot by slot", async () => {
    const first = await ask("revenue by campaign last month");
    const second = await ask("by publisher instead", { previous: first });
    expect(second.plan).toMatchObject({
      measures: ["revenue"],
      dimensions: ["publisher"],
      period: { label: "last month" },
    });
    const third = await ask("only yesterday", { previous: second });
    expect(third.plan).toMatchObject({ dimensions: ["publisher"], period: { label: "yesterday" } });
    const fourth = await ask("top 2", { previous: second });
    expect(fourth.plan).toMatchObject({ limit: 2, order: { by: "revenue", direction: "desc" } });
    const fifth = await ask("what about Texas?", { previous: second });
    expect(fifth.plan).toMatchObject({
      filters: [{ field: "state", op: "is", values: ["TX"] }],
      measures: ["revenue"],
    });
    const sixth = await ask("what about payout?", { previous: second });
    expect(sixth.plan).toMatchObject({ measures: ["payout"], dimensions: ["publisher"] });
  });
  it("is not mixed up with a question that stands alone", async () => {
    const first = await ask("revenue by campaign last month");
    const second = await ask("how many calls yesterday", { previous: first });
    expect(second.plan).toMatchObject({ measures: ["calls"], dimensions: [], period: { label: "yesterday" } });
  });
  it("without a plan before asks what to measure", async () => {
    const { clarification } = await ask("by publisher instead");
    expect(clarification?.options.length).toBeGreaterThan(1);
  });
});

describe("what a figure is of", () => {
  it("is in the sentence and in the heading of parts by groups", async () => {
    const { answer, interpretation } = await ask("percentage of calls under 30 seconds by publisher in October");
    expect(interpretation?.summary).toMatch(/^Share of calls where duration under 30 s by publisher in October 2026/);
    expect(answer).toContain(interpretation?.summary ?? "nothing");
  });
  it("is said as it was asked where one figure is held against another", async () => {
    const { interpretation } = await ask("campaigns where payout is greater than revenue");
    expect(interpretation?.summary).toBe("Payout and revenue by campaign over all data where payout over revenue");
  });
  it("is none where no group is within the limit, though there are records", async () => {
    const { answer } = await ask("campaigns with revenue over 10000000");
    expect(answer).toBe("Revenue by campaign over all data where revenue over $10,000,000.00: none.");
  });
});
