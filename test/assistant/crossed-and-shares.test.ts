import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Example, openExample } from "./example-assistant.ts";
import { calls, started } from "./gold-questions.ts";

let example: Example;
beforeAll(async () => {
  example = await openExample();
});
afterAll(() => example.close());

describe("hours of the day across weekdays", () => {
  it.each([
    "calls by hour of day and day of week",
    "calls by weekday and hour of day",
    "heat map of calls by hour and weekday",
  ])("are a heat map with a cell for every pair: %s", async (question) => {
    const { data, chart_suggestion: chart } = await example.ask(question);
    expect(data.rows).toHaveLength(7 * 24);
    expect(data.rows.slice(0, 8).map((row) => `${row["hour_of_day"]} ${row["day_of_week"]}`)).toEqual([
      "0 Monday",
      "0 Tuesday",
      "0 Wednesday",
      "0 Thursday",
      "0 Friday",
      "0 Saturday",
      "0 Sunday",
      "1 Monday",
    ]);
    const byHand = await example.gold(
      `SELECT hour(${started}) AS hour_of_day, dayname(${started}) AS day_of_week, count(*) AS calls ${calls} GROUP BY 1, 2`,
    );
    const filled = data.rows.filter((row) => row["calls"] !== 0);
    expect(filled).toHaveLength(byHand.length);
    expect(filled).toEqual(expect.arrayContaining([...byHand]));
    expect(chart).toMatchObject({
      type: "heat_map",
      vega_lite: {
        encoding: {
          x: { field: "hour_of_day" },
          y: { field: "day_of_week", sort: expect.arrayContaining(["Monday"]) },
        },
      },
    });
  });
  it("say that hour was read as hour of day", async () => {
    expect((await example.ask("calls by hour and weekday")).answer).toMatch(/^I read hour as hour of day\. /);
  });
  it("or one of them beside names keep the week in order", async () => {
    const { data } = await example.ask("missed calls by day of week and publisher");
    expect(data.rows.slice(0, 4).map((row) => row["day_of_week"])).toEqual(["Monday", "Monday", "Monday", "Tuesday"]);
  });
  it("cross with months and days too", async () => {
    expect((await example.ask("calls by month and weekday")).data.rows).toHaveLength(4 * 7);
    expect((await example.ask("calls by day and hour of day last week")).data.rows).toHaveLength(7 * 24);
  });
  it("are named in words where they cannot be crossed", async () => {
    const { answer } = await example.ask("calls by day and weekday");
    expect(answer).toBe("I can group by one unit of time at a time, not by day and day of week.");
  });
});

describe("a share", () => {
  const total = `SELECT publisher_name AS publisher, count(*) AS calls, 100.0 * count(*) / (SELECT count(*) ${calls}) AS calls_share ${calls} GROUP BY 1 ORDER BY 2 DESC, 1`;

  it.each([
    "share of calls by publisher",
    "% of calls by publisher",
    "calls by publisher as a percentage of the total",
  ])("is each group's part of the total: %s", async (question) => {
    const { data, answer, chart_suggestion: chart } = await example.ask(question);
    expect(data.rows).toEqual(await example.gold(total));
    expect(data.columns.map(({ unit }) => unit)).toEqual([null, "count", "percent"]);
    expect(answer).toMatch(/^Share of calls by publisher over all data: Acme Media 80 \(33\.33%\); /);
    expect(chart).toMatchObject({
      type: "bar",
      vega_lite: { encoding: { x: { field: "calls_share", title: "Share of calls (%)" } } },
    });
  });
  it("adds up over units of time, empty ones too", async () => {
    const { data } = await example.ask("share of revenue by day last 90 days");
    expect(data.rows).toHaveLength(90);
    expect(data.rows.reduce((sum, row) => sum + Number(row["revenue_share"]), 0)).toBeCloseTo(100);
  });
  it("of nothing is no figure", async () => {
    const { data } = await example.ask("share of payout by publisher", { orgId: "nobody" });
    expect(data.rows).toEqual([]);
  });
  it("can be narrowed afterwards", async () => {
    const previous = await example.ask("share of calls by publisher");
    const { data, answer } = await example.ask("only Texas", { previous });
    expect(data.rows.reduce((sum, row) => sum + Number(row["calls_share"]), 0)).toBeCloseTo(100);
    expect(answer).toContain("where state is TX");
  });
  it.each([
    ["what percentage of calls came from Texas", ""],
    ["percentage of calls from Texas by publisher", "publisher_name AS publisher, "],
  ])("under a condition is the part that it leaves: %s", async (question, group) => {
    const { data } = await example.ask(question);
    const part = "count(*) FILTER (WHERE caller_state = 'TX')";
    const byHand = `SELECT ${group}${part} AS calls, 100.0 * ${part} / count(*) AS calls_share ${calls} ${group === "" ? "" : "GROUP BY 1 ORDER BY 2 DESC, 1"}`;
    expect(data.rows).toEqual(await example.gold(byHand));
  });
  it.each([
    ["share of conversion rate by buyer", /does not add up/],
    ["share of calls", /Say the one thing to split it by/],
    ["share of calls by publisher and campaign", /Say the one thing to split it by/],
  ])("that could be read in two ways is not guessed: %s", async (question, reason) => {
    const { answer, sql } = await example.ask(question);
    expect(sql).toBe("");
    expect(answer).toMatch(reason);
  });
});

describe("two periods", () => {
  it.each([
    "compare revenue this month with last month",
    "revenue this month compared with last month",
    "how does revenue this month compare to last month",
  ])("stand side by side: %s", async (question) => {
    const { plan } = await example.ask(question);
    expect(plan).toMatchObject({
      measures: ["revenue"],
      period: { label: "this month" },
      compare: { label: "last month, same part" },
    });
  });
  it("without a figure ask which", async () => {
    const { clarification } = await example.ask("compare this month with last month");
    for (const option of clarification?.options ?? ["none"])
      expect((await example.ask(option)).plan?.compare, option).not.toBeNull();
  });
  it("by group say both figures", async () => {
    const { answer } = await example.ask("calls by campaign in October vs September");
    expect(answer).toMatch(/against September 2026 \(Sep 1 – 30, 2026\): .*\d+ against \d+; /);
  });
  it("too many rows to draw are refused with their number", async () => {
    expect((await example.ask("calls by hour last 2 years")).answer).toMatch(
      /^Last 2 years by hour would be about 17,5\d\d rows/,
    );
    expect((await example.ask("calls last 10000 years")).answer).toMatch(/dates from 2000 to 2099/);
    expect((await example.ask("which hour had the most calls this year")).data.rows).toHaveLength(1);
  });
});

describe("a follow-up of a listing", () => {
  it("that names a grouping or a figure is no listing any more", async () => {
    const previous = await example.ask("last 5 calls");
    expect((await example.ask("by publisher instead", { previous })).plan).toMatchObject({
      columns: [],
      measures: ["calls"],
      dimensions: ["publisher"],
      limit: null,
    });
    expect((await example.ask("what about revenue", { previous })).plan).toMatchObject({
      columns: [],
      measures: ["revenue"],
      limit: null,
    });
    expect((await example.ask("only Texas", { previous })).plan).toMatchObject({ measures: [], limit: 5 });
  });
});
