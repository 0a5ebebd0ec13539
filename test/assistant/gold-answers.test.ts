import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerSchema } from "../../assistant/answer.ts";
import type { Row } from "../../warehouse/warehouse.ts";
import { type Example, openExample } from "./example-assistant.ts";
import { calls, created, days, deliveries, golds, started } from "./gold-questions.ts";

let example: Example;
beforeAll(async () => {
  example = await openExample();
});
afterAll(() => example.close());

const ask: Example["ask"] = (question, given) => example.ask(question, given);
const gold: Example["gold"] = (text) => example.gold(text);

describe("answers agree with hand-written SQL", () => {
  it.each(golds)("%s", async (question, statement) => {
    const answer = await ask(question);
    const expected = await gold(statement);
    expect(answer.answer, answer.sql).not.toMatch(/do not know|cannot place/);
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
  it("has a row for every day of its period, without a figure before there were any records", async () => {
    const { data, chart_suggestion: chart } = await ask("webhook deliveries by day in the last 90 days");
    expect(data.rows).toHaveLength(90);
    expect(data.rows[0]).toEqual({ day: "2026-08-23", deliveries: null });
    const [first] = await gold(`SELECT strftime(min(${created}), '%Y-%m-%d') AS day ${deliveries}`);
    expect(data.rows.find((row) => row["deliveries"] !== null)?.["day"]).toBe(first?.["day"]);
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
