import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, answerSchema } from "../../assistant/answer.ts";
import { type Assistant, createAssistant } from "../../assistant/assistant.ts";
import { raw } from "../../warehouse/statement.ts";
import type { Row, Warehouse } from "../../warehouse/warehouse.ts";
import { orgOne, orgTwo } from "../make.ts";
import { now, openExampleWarehouse, zone } from "./example-data.ts";

let warehouse: Warehouse;
let assistant: Assistant;

beforeAll(async () => {
  warehouse = await openExampleWarehouse();
  assistant = createAssistant({ warehouse, clock: { now: () => now, sleep: () => Promise.resolve() } });
});
afterAll(() => warehouse.close());

const ask = (question: string, given: { orgId?: string; timeZone?: string; previous?: Answer } = {}): Promise<Answer> =>
  assistant.ask({
    orgId: given.orgId ?? orgOne,
    timeZone: given.timeZone ?? zone,
    question,
    previousPlan: given.previous?.plan ?? undefined,
  });

const gold = async (text: string): Promise<readonly Row[]> => (await warehouse.query(raw(text))).rows;

const started = "timezone('America/New_York', timezone('UTC', started_at))";
const created = "timezone('America/New_York', timezone('UTC', created_at))";
const october = `${started} >= TIMESTAMP '2026-10-01' AND ${started} < TIMESTAMP '2026-11-01'`;
const days = (column: string, from: string, to: string) =>
  `${column} >= TIMESTAMP '${from}' AND ${column} < TIMESTAMP '${to}'`;
const calls = "FROM calls WHERE org_id = 'org_one'";
const deliveries = "FROM outgoing_webhook_requests WHERE org_id = 'org_one'";

/** Questions and the rows that hand-written SQL gives for them. */
const golds: readonly [string, string][] = [
  [
    "revenue by campaign last month",
    `SELECT campaign_name AS campaign, sum(revenue) AS revenue ${calls} AND ${october} GROUP BY 1 ORDER BY 2 DESC, 1`,
  ],
  ["how many calls yesterday", `SELECT count(*) AS calls ${calls} AND ${days(started, "2026-11-20", "2026-11-21")}`],
  [
    "top 2 publishers by profit this quarter",
    `SELECT publisher_name AS publisher, sum(profit) AS profit ${calls} AND ${started} >= TIMESTAMP '2026-10-01' GROUP BY 1 ORDER BY 2 DESC LIMIT 2`,
  ],
  [
    "average call duration by buyer in October",
    `SELECT buyer_name AS buyer, avg(duration) AS avg_duration ${calls} AND ${october} GROUP BY 1 ORDER BY 2 DESC`,
  ],
  [
    "failed webhook deliveries by webhook last 7 days",
    `SELECT webhook_config_name AS webhook, count(*) FILTER (WHERE outcome <> 'delivered') AS failed_deliveries ${deliveries} AND ${days(created, "2026-11-14", "2026-11-21")} GROUP BY 1 ORDER BY 2 DESC, 1`,
  ],
  [
    "calls by state this month",
    `SELECT caller_state AS state, count(*) AS calls ${calls} AND ${started} >= TIMESTAMP '2026-11-01' GROUP BY 1 ORDER BY 2 DESC, 1`,
  ],
  [
    "missed calls per target last week",
    `SELECT target_name AS target, count(*) FILTER (WHERE status = 'failed') AS failed_calls ${calls} AND ${days(started, "2026-11-09", "2026-11-16")} GROUP BY 1 ORDER BY 2 DESC, 1`,
  ],
  [
    "epc by campaign",
    `SELECT campaign_name AS campaign, sum(revenue) / count(connected_at) AS epc ${calls} GROUP BY 1 ORDER BY 2 DESC, 1`,
  ],
  [
    "calls longer than 5 minutes by buyer",
    `SELECT buyer_name AS buyer, count(*) AS calls ${calls} AND duration > 300 GROUP BY 1 ORDER BY 2 DESC, 1`,
  ],
  [
    "which campaign made the most money in the last two weeks?",
    `SELECT campaign_name AS campaign, sum(revenue) AS revenue ${calls} AND ${days(started, "2026-11-02", "2026-11-16")} GROUP BY 1 ORDER BY 2 DESC LIMIT 1`,
  ],
  [
    "calls from Texas to Best Quote Desk",
    `SELECT count(*) AS calls ${calls} AND caller_state = 'TX' AND target_name = 'Best Quote Desk'`,
  ],
  [
    "incoming webhook requests by type",
    "SELECT webhook_config_type AS type, count(*) AS requests FROM incoming_webhook_requests WHERE org_id = 'org_one' GROUP BY 1 ORDER BY 2 DESC",
  ],
  [
    "revenue by utm_source",
    `SELECT tags['utm_source'] AS utm_source, sum(revenue) AS revenue ${calls} GROUP BY 1 ORDER BY 2 DESC`,
  ],
  [
    "calls not from Texas or Florida",
    `SELECT count(*) AS calls ${calls} AND (caller_state IS NULL OR caller_state NOT IN ('TX', 'FL'))`,
  ],
  [
    "publishers with more than 79 calls",
    `SELECT publisher_name AS publisher, count(*) AS calls ${calls} GROUP BY 1 HAVING count(*) > 79 ORDER BY 2 DESC, 1`,
  ],
  [
    "revenue of converted calls by buyer and campaign",
    `SELECT buyer_name AS buyer, campaign_name AS campaign, sum(revenue) AS revenue ${calls} AND converted GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2`,
  ],
  [
    "calls between 9am and 5pm on weekends",
    `SELECT count(*) AS calls ${calls} AND hour(${started}) BETWEEN 9 AND 16 AND isodow(${started}) > 5`,
  ],
  [
    "bids by buyer",
    "SELECT buyer_name AS buyer, count(*) AS bids FROM outbound_rtb_requests WHERE org_id = 'org_one' AND outcome = 'bid' GROUP BY 1",
  ],
  ["median call duration", `SELECT quantile_cont(duration, 0.5) AS median_duration ${calls}`],
  ["unique callers in October", `SELECT count(DISTINCT caller_id) AS unique_callers ${calls} AND ${october}`],
  [
    "calls between 2 and 5 minutes with revenue over $25",
    `SELECT count(*) AS calls ${calls} AND duration BETWEEN 120 AND 300 AND revenue > 25`,
  ],
];

describe("answers agree with hand-written SQL", () => {
  it.each(golds)("%s", async (question, statement) => {
    const answer = await ask(question);
    const expected = await gold(statement);
    expect(answer.answer, answer.sql).not.toMatch(/did not understand/);
    expect(expected.length).toBeGreaterThan(0);
    expect(rounded(answer.data.rows as Row[])).toEqual(rounded(expected));
    expect(answerSchema.parse(answer)).toEqual(answer);
  });

  it("and the SQL shown is the SQL that ran", async () => {
    for (const [question] of golds) {
      const answer = await ask(question);
      expect(rounded(await gold(answer.sql))).toEqual(rounded(answer.data.rows as Row[]));
    }
  });
});

/** Sums of decimals and of doubles differ in the last digit. */
const rounded = (rows: readonly Row[]): unknown =>
  rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, typeof value === "number" ? Number(value.toFixed(6)) : value]),
    ),
  );

describe("a series", () => {
  it("has a row for every day of its period, 0 where nothing came", async () => {
    const { data, chart_suggestion: chart } = await ask("webhook deliveries by day in the last 90 days");
    expect(data.rows).toHaveLength(90);
    expect(data.rows[0]).toEqual({ day: "2026-08-23", deliveries: 0 });
    expect(chart?.type).toBe("line");
  });
  it("keeps a rate without a figure empty", async () => {
    const { data } = await ask("delivery rate by day in the last 90 days");
    expect(data.rows[0]).toEqual({ day: "2026-08-23", delivery_rate: null });
  });
  it("adds up to what the days say, by hand", async () => {
    const { data } = await ask("conversion rate by day last 30 days");
    const expected = await gold(
      `SELECT strftime(${started}, '%Y-%m-%d') AS day, 100.0 * count(*) FILTER (WHERE converted) / count(*) AS conversion_rate ${calls} AND ${days(started, "2026-10-22", "2026-11-21")} GROUP BY 1 ORDER BY 1`,
    );
    expect(data.rows).toHaveLength(30);
    expect(rounded(data.rows as Row[])).toEqual(rounded(expected));
  });
  it("starts weeks on Monday, also where the period starts within one", async () => {
    const { data } = await ask("revenue and payout by week last 90 days");
    expect(data.rows[0]?.["week"]).toBe("2026-08-17");
    expect(data.rows).toHaveLength(14);
  });
  it("has every hour of the day and every weekday in order", async () => {
    const hours = await ask("calls by hour of day");
    expect(hours.data.rows.map((row) => row["hour_of_day"])).toEqual(Array.from({ length: 24 }, (_, hour) => hour));
    const weekdays = await ask("missed calls by day of week yesterday");
    expect(weekdays.data.rows.map((row) => row["day_of_week"])).toEqual([
      "Monday",
      "Tuesday",
      "Wednesday",
      "Thursday",
      "Friday",
      "Saturday",
      "Sunday",
    ]);
  });
  it("leaves out the hour that the clocks skip, and has the one they repeat once", async () => {
    const spring = await ask("calls by hour on 2026-03-08");
    expect(spring.data.rows).toHaveLength(23);
    const autumn = await ask("calls by hour on 2026-11-01");
    expect(autumn.data.rows).toHaveLength(24);
  });
  it("spans all data when no period is named, months in the organization's zone", async () => {
    const { data, answer } = await ask("revenue by month");
    expect(data.rows.map((row) => row["month"])).toEqual(["2026-08", "2026-09", "2026-10", "2026-11"]);
    expect(answer).toContain("over all data");
  });
  it("crosses with one dimension, every bucket for every name, the nameless too", async () => {
    const { data } = await ask("calls by buyer and day last 7 days");
    expect(data.rows.length % 7).toBe(0);
    expect(data.rows.some((row) => row["buyer"] === null)).toBe(true);
    const total = data.rows.reduce((sum, row) => sum + Number(row["calls"]), 0);
    const expected = await gold(`SELECT count(*) AS n ${calls} AND ${days(started, "2026-11-14", "2026-11-21")}`);
    expect(total).toBe(expected[0]?.["n"]);
  });
  it("reads without conversion in UTC", async () => {
    const { sql } = await ask("calls by day last 7 days", { timeZone: "UTC" });
    expect(sql).not.toContain("timezone");
  });
  it("by quarter, year and hour runs", async () => {
    for (const question of [
      "calls by quarter",
      "calls by year",
      "calls by hour yesterday",
      "p95 response time of webhooks by day",
    ]) {
      const { data } = await ask(question);
      expect(data.rows.length).toBeGreaterThan(0);
    }
  });
});

describe("a comparison", () => {
  it("puts the other period beside the figure, and only as much of it as has passed of this one", async () => {
    const { data, answer } = await ask("revenue this month vs last month");
    const expected = await gold(
      `SELECT sum(revenue) FILTER (WHERE ${started} >= TIMESTAMP '2026-11-01') AS revenue,
        sum(revenue) FILTER (WHERE ${days(started, "2026-10-01", "2026-10-21 10:00:00")}) AS revenue_before ${calls}`,
    );
    expect(data.rows[0]).toMatchObject(expected[0] ?? {});
    expect(data.columns.map(({ unit }) => unit)).toEqual(["money", "money", "percent"]);
    expect(answer).toContain("same part");
  });
  it("works by group", async () => {
    const { data } = await ask("calls by campaign in October vs September");
    expect(data.rows).toHaveLength(4);
    expect(data.columns.map(({ name }) => name)).toEqual(["campaign", "calls", "calls_before", "calls_change"]);
  });
  it("of two names is a grouping by what they are", async () => {
    const { data } = await ask("revenue Texas vs Florida");
    expect(data.rows.map((row) => row["state"]).toSorted()).toEqual(["FL", "TX"]);
  });
});

describe("a listing", () => {
  it("shows the newest rows first, as many as asked", async () => {
    const { data, chart_suggestion: chart, answer } = await ask("list the last 10 calls from Texas");
    expect(data.rows).toHaveLength(10);
    expect(data.rows.every((row) => row["caller_state"] === "TX")).toBe(true);
    expect(chart).toMatchObject({ type: "table", vega_lite: null });
    expect(answer).toMatch(/^10 calls, newest first/);
  });
  it("shows the longest", async () => {
    const { data } = await ask("5 longest calls last month");
    const longest = await gold(`SELECT duration ${calls} AND ${october} ORDER BY duration DESC LIMIT 5`);
    expect(data.rows.map((row) => row["duration"])).toEqual(longest.map((row) => row["duration"]));
  });
});

describe("the fence", () => {
  it("shows each organization its own rows only, and both have some", async () => {
    for (const [question] of golds) {
      const [one, two] = [await ask(question), await ask(question, { orgId: orgTwo })];
      expect(one.sql).toContain("org_id = 'org_one'");
      expect(one.sql).not.toContain("org_two");
      expect(two.sql).not.toContain("org_one");
    }
    const counts = await Promise.all([orgOne, orgTwo, "nobody"].map((orgId) => ask("how many calls", { orgId })));
    expect(counts.map(({ data }) => data.rows[0]?.["calls"])).toEqual([240, 60, 0]);
  });
  it("fences every read of a table", async () => {
    for (const [question] of [
      ...golds,
      ["calls by day"],
      ["revenue by month vs x"],
      ["calls in October vs September"],
    ]) {
      const { sql } = await ask(question ?? "");
      const reads = sql.match(/FROM (calls|\w+_requests)/g) ?? [];
      const fences = sql.match(/org_id = 'org_one'/g) ?? [];
      expect(fences.length, sql).toBe(reads.length);
    }
  });
  it("takes a name with a quote as a name", async () => {
    const { answer, sql } = await ask(`calls for campaign "x' OR 1=1 --"`);
    expect(sql).toBe("");
    expect(answer).toMatch(/did not understand/);
  });
});

describe("the answer", () => {
  it("has the figures, the exact dates and the zone, three more questions, and a bar chart", async () => {
    const stages: string[] = [];
    const answer = await assistant.ask({
      orgId: orgOne,
      timeZone: zone,
      question: "revenue by campaign last month",
      onProgress: (stage) => stages.push(stage),
    });
    expect(answer.answer).toMatch(/^Revenue by campaign, last month \(2026-10-01 to 2026-10-31, America\/New_York\): /);
    expect(answer.answer).toMatch(/in all \$\d/);
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
  it("suggests only questions that it can answer", async () => {
    const questions = new Set(await assistant.suggestions(orgOne));
    for (const [question] of golds) for (const next of (await ask(question)).follow_ups) questions.add(next);
    expect(questions.size).toBeGreaterThan(20);
    for (const question of questions) expect((await ask(question)).sql, question).not.toBe("");
  });
  it("says when there is nothing, and where the nearest data is", async () => {
    expect((await ask("calls in January 2025")).answer).toMatch(
      /nothing to show .* the first after is from 2026-08-0\d/,
    );
    expect((await ask("calls on 2026-03-05 from Texas")).answer).toContain("the first after is from");
    expect((await ask("refused webhook deliveries yesterday")).answer).toContain("nothing to show");
    expect((await ask("publishers with more than 1000 calls last month")).answer).toMatch(/: none\.$/);
    // Calls there were, only none that was payable: that is a figure, not a lack of data.
    expect((await ask("payable calls yesterday")).answer).toMatch(/^Payable calls: 0, yesterday/);
    expect((await ask("revenue by campaign", { orgId: "nobody" })).answer).toContain("nothing to show");
  });
  it("asks which one when a name means several things, with questions to choose from", async () => {
    const { clarification, sql } = await ask("calls to acme");
    expect(sql).toBe("");
    expect(clarification?.options).toEqual(['calls to buyer "Acme"', 'calls to target "Acme"']);
    for (const option of clarification?.options ?? []) expect((await ask(option)).sql).not.toBe("");
  });
  it("knows a new name within a minute", async () => {
    let time = now;
    const counted = { queries: 0 };
    const own = createAssistant({
      warehouse: {
        query: (statement, options) => {
          counted.queries += 1;
          return warehouse.query(statement, options);
        },
      },
      clock: { now: () => time, sleep: () => Promise.resolve() },
    });
    const question = { orgId: orgOne, timeZone: zone, question: "how many calls" };
    await own.ask(question);
    await own.ask(question);
    expect(counted.queries).toBe(3);
    time += 60_000;
    await own.ask(question);
    expect(counted.queries).toBe(5);
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
