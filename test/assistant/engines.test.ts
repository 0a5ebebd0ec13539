// @module-tag clickhouse
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compilePlan } from "../../assistant/compile/compile.ts";
import type { Dialect } from "../../assistant/compile/dialect.ts";
import { clickhouseDialect } from "../../assistant/compile/dialect-clickhouse.ts";
import { duckdbDialect } from "../../assistant/compile/dialect-duckdb.ts";
import { parsePlan } from "../../assistant/parse-plan.ts";
import type { Plan } from "../../assistant/plan.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import { orgOne } from "../make.ts";
import { type Example, openClickhouseExample, openExample } from "./example-assistant.ts";
import { aCall } from "./example-data.ts";
import { golds } from "./gold-questions.ts";
import { wild } from "./wild-plans.ts";

let duckdb: Example;
let clickhouse: Example;
beforeAll(async () => {
  [duckdb, clickhouse] = await Promise.all([openExample(), openClickhouseExample()]);
});
afterAll(() => Promise.all([duckdb.close(), clickhouse.close()]));

/** Sums of binary fractions differ in their last digits, as they are added up in another order. */
const rounded = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, each) => (typeof each === "number" ? Number(each.toPrecision(10)) : each)));

const questions = [
  ...golds.map(([question]) => question),
  "calls by buyer and day last 7 days",
  "revenue by month",
  "calls by hour on 2026-03-08",
  "calls by hour on 2026-11-01",
  "missed calls by day of week yesterday",
  "delivery rate by day in the last 90 days",
  "revenue by quarter",
  "calls by utm_source",
  "revenue by campaign this month vs last month",
  "share of revenue by campaign",
  "distribution of revenue per call",
  "histogram of profit in buckets of $0.1",
  "distribution of talk time by campaign last month",
  "last 5 calls",
  "calls in january 2026",
];

describe("ClickHouse", () => {
  it.each(questions)("answers as DuckDB does: %s", async (question) => {
    const [expected, answer] = await Promise.all([duckdb.ask(question), clickhouse.ask(question)]);
    const { timing_ms: _expectedMs, sql: _expectedSql, ...told } = expected;
    const { timing_ms: _answerMs, sql, ...tells } = answer;
    expect(rounded(tells)).toEqual(rounded(told));
    expect(rounded(await clickhouse.gold(sql))).toEqual(rounded(answer.data.rows));
  });

  it("runs any plan that DuckDB runs, to the same rows", async () => {
    const rowsOf = async (warehouse: Warehouse, plan: Plan, dialect: Dialect) =>
      rounded(await warehouse.query(compilePlan(plan, orgOne, { dialect }), { maxRows: 300 }));
    let taken = 0;
    const property = fc.asyncProperty(wild, async (given) => {
      const plan = parsePlan(given);
      if (plan === null) return;
      taken += 1;
      expect(await rowsOf(clickhouse.warehouse, plan, clickhouseDialect)).toEqual(
        await rowsOf(duckdb.warehouse, plan, duckdbDialect),
      );
    });
    // About one in three is taken.
    await fc.assert(property, { numRuns: 150 });
    expect(taken).toBeGreaterThan(15);
  });

  it.each([
    ["tag", "", ["utm_source"]],
    ["tag", "SOURCE", ["utm_source"]],
    ["tag", "%", []],
    ["tag:utm_source", "goo", ["google"]],
  ])("offers the values of %s with “%s” in them, as DuckDB does", async (dimension, contains, expected) => {
    const asked = { orgId: orgOne, subject: "calls", dimension, contains } as const;
    expect(await duckdb.assistant.values(asked)).toEqual(expected);
    expect(await clickhouse.assistant.values(asked)).toEqual(expected);
  });

  it.each([
    ["tagged calls of all time", { tagged_calls: 1 }],
    ["untagged calls of all time", { calls: 2 }],
  ])("tells calls with a tag from those without: %s", async (question, row) => {
    const orgId = "org_untagged" as OrgId;
    const values = [{ end: "a" }, {}, {}].map((tags, index) => JSON.stringify({ ...aCall(index, orgId), tags }));
    for (const { warehouse, ask } of [duckdb, clickhouse]) {
      await warehouse.store({ topic: "call-events", partition: 8, firstOffset: 0, nextOffset: 3, values });
      expect((await ask(question, { orgId })).data.rows).toEqual([row]);
    }
  });

  it("shows statements whose texts mean what was asked, backslashes and quotes too", async () => {
    const texts = ["a\\", "\\'; --", "it's", "\\\\n", "é\n"];
    for (const value of texts) {
      const plan = parsePlan({
        ...(await duckdb.ask("calls by state")).plan,
        filters: [{ field: "state", op: "is_not", values: [value] }],
      });
      if (plan === null) throw new Error("no plan");
      const statement = compilePlan(plan, orgOne, { dialect: clickhouseDialect });
      const { rows } = await clickhouse.warehouse.query(statement);
      expect(await clickhouse.gold(clickhouseDialect.toReadable(statement))).toEqual(rows);
      expect(rows.length).toBeGreaterThan(3);
    }
  });
});
