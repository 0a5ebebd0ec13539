// @module-tag slow

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSqlRunner, type SqlRunner } from "../../../assistant/sql/runner.ts";
import { orgOne } from "../../make.ts";
import { type GuardedExample, openExample } from "../example-assistant.ts";
import { now } from "../example-data.ts";
import { golds } from "../gold-questions.ts";

let example: GuardedExample;
let run: SqlRunner;
beforeAll(async () => {
  example = await openExample();
  const { guarded } = example.warehouse;
  run = createSqlRunner({
    // Its process compiles sources when it starts: on a machine with much else to do that takes longer than a query may.
    guarded: { ...guarded, select: (query) => guarded.select({ ...query, timeoutMs: 100_000 }) },
    clock: { now: () => now, sleep: () => Promise.resolve() },
  });
});
afterAll(() => example.close());

const chartOf = async (sql: string) => (await run({ orgId: orgOne, sql })).chart_suggestion;

describe("SQL of an analyst's own", () => {
  it("may be the SQL of any answer, and brings the same rows", async () => {
    const others = [
      ["calls by hour of day"],
      ["calls by day"],
      ["revenue by month last 6 months"],
      ["calls by week this quarter"],
    ];
    for (const [question = ""] of [...golds, ...others]) {
      const { sql, data } = await example.ask(question);
      expect((await run({ orgId: orgOne, sql })).rows, sql).toEqual(data.rows);
    }
  });

  it("is drawn by the types of its columns", async () => {
    expect(await chartOf("SELECT count(*) AS n FROM calls")).toMatchObject({ type: "number", y_axis: "n" });
    expect(
      await chartOf("SELECT date_trunc('day', started_at) AS d, count(*) AS n FROM calls GROUP BY d ORDER BY d"),
    ).toMatchObject({
      type: "line",
      x_axis: "d",
      y_axis: "n",
      vega_lite: { encoding: { x: { field: "day", type: "ordinal" } } },
    });
    const perHour = "SELECT date_trunc('hour', started_at) AS h, count(*) AS n FROM calls GROUP BY h";
    expect(await chartOf(perHour)).toMatchObject({ type: "line", x_axis: "h" });
    const two = "SELECT caller_state, status, count(*) AS n FROM calls GROUP BY ALL";
    expect((await chartOf(two)).vega_lite).not.toBeNull();
  });

  it.each([
    ["rows of one name", "SELECT status, duration FROM calls"],
    [
      "times of any minute",
      "SELECT started_at + INTERVAL 7 SECOND AS moment, count(*) AS n FROM calls GROUP BY moment",
    ],
    ["more than charts hold", "SELECT call_id, duration, revenue, payout, profit FROM calls"],
    ["truths and maps", "SELECT converted, tags FROM calls"],
    ["no figures", "SELECT DISTINCT status FROM calls"],
  ])("is a table with %s", async (_what, sql) => {
    expect(await chartOf(sql)).toMatchObject({ type: "table", vega_lite: null });
  });
});
